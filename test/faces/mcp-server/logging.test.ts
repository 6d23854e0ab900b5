import type { Client, LoggingMessageNotificationParams } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { connectClient, serveForTest } from "./serve-for-test.ts";

const talk = defineTool({
  name: "talk",
  description: "Logs at every level",
  params: {},
  traits: { readOnly: true },
  run(_input, { logger }) {
    logger.debug("a detail");
    logger.info("half a \ud800 character");
    logger.warn("careful", { step: 2, password: "hunter2" });
    logger.error("wrong");
    return "said";
  },
});

const chatter = defineTool({
  name: "chatter",
  description: "Logs more than anybody reads",
  params: {},
  traits: { readOnly: true },
  run(_input, { logger }) {
    for (let count = 1; count <= 5000; count++) logger.info(`line ${count}`);
    return "said";
  },
});

const said = [
  { level: "debug", logger: "talk", data: "a detail" },
  { level: "info", logger: "talk", data: "half a \ufffd character" },
  {
    level: "warning",
    logger: "talk",
    data: { message: "careful", data: { step: 2, password: "[redacted]" } },
  },
  { level: "error", logger: "talk", data: "wrong" },
];

test("a client hears what a tool logs, from the level on that it set", async () => {
  const client = await connectClient(await serve(), { protocol: "2025-11-25" });
  const heard = hearFrom(client);
  await client.setLoggingLevel("debug");
  await client.callTool({ name: "talk", arguments: {} });
  expect(heard.splice(0)).toEqual(said);
  await client.setLoggingLevel("warning");
  await client.callTool({ name: "talk", arguments: {} });
  expect(heard).toEqual(said.slice(2));
});

test("a client by the current protocol hears a tool's logs for the requests that ask for them, and for no others", async () => {
  const client = await connectClient(await serve());
  const heard = hearFrom(client);
  await client.callTool({ name: "talk", arguments: {} });
  expect(heard).toEqual([]);
  const _meta = { "io.modelcontextprotocol/logLevel": "info" };
  await client.callTool({ name: "talk", arguments: {}, _meta });
  expect(heard).toEqual(said.slice(1));
});

test("a tool that says too much at once is cut short, and the client told so", async () => {
  const client = await connectClient(await serve(), { protocol: "2025-11-25" });
  const heard = hearFrom(client);
  await client.callTool({ name: "chatter", arguments: {} });
  expect(heard.length).toBeLessThan(1100);
  expect(heard[999]).toMatchObject({ data: "line 1000" });
  expect(heard.at(-1)).toMatchObject({
    level: "warning",
    data: {
      message: "4,000 reports left out: chatter made them faster than they can be written",
      data: { leftOut: 4000 },
    },
  });
});

function serve() {
  return serveForTest({ options: { tools: [talk, chatter] } });
}

function hearFrom(client: Client): LoggingMessageNotificationParams[] {
  const heard: LoggingMessageNotificationParams[] = [];
  client.setNotificationHandler("notifications/message", ({ params }) => {
    heard.push(params);
  });
  return heard;
}
