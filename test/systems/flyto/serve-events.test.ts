import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../support/until.ts";
import { calling, openEngine, toolNamed } from "./open-engine.ts";

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a client gets the events of its own run, and another one those of the session, with the same ids", async () => {
  const look = toolNamed("Look", () => "seen", { Metadata: () => ({ ReadOnly: true }) });
  const { engine } = await openEngine([calling("Look"), { text: "Seen." }], { tools: [look] });
  const address = await listen((request, response) => {
    if (request.url === "/run") void engine.ServeRun("Look.", request, response);
    else void engine.ServeEvents(request, response);
  });
  const run = await (await fetch(`${address}/run`)).text();
  expect(run.match(/^event: (?!.*delta).*$/gm)).toEqual(
    ["turn_start", "tool_use", "tool_result", "turn_end", "turn_start", "text", "turn_end", "done"].map(
      (event) => `event: ${event}`,
    ),
  );
  expect(run).toContain('"output":"seen","is_error":false');
  const session = await fetch(address);
  await engine.session.close();
  expect(await session.text()).toBe(run);
});

test("a client that leaves its run ends it, whatever a tool is doing; one that comes meanwhile is told so", async () => {
  let state = "not called";
  const wait = toolNamed("Wait", async (ctx, _input, progress) => {
    state = "waiting";
    progress("waiting");
    await ctx.Done();
    state = "told to stop";
    return new Promise<never>(() => {});
  });
  const { engine } = await openEngine([calling("Wait")], { tools: [wait] });
  const serving: Promise<void>[] = [];
  const address = await listen((request, response) => {
    serving.push(engine.ServeRun("Wait.", request, response));
  });
  const leaving = new AbortController();
  await fetch(address, { signal: leaving.signal });
  await until(() => state === "waiting");
  const second = await (await fetch(address)).text();
  expect(second).toMatch(/^event: error\ndata: {"message":"the agent is already working/);
  leaving.abort();
  await Promise.all(serving);
  expect(state).toBe("told to stop");
});
