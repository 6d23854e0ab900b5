import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { freePort } from "../../support/free-port.ts";
import { connectClient, serveForTest } from "./serve-for-test.ts";

const protocols = ["2026-07-28", "2025-11-25"];

test.each(protocols)(
  "a call under way is cancelled, recorded and answered when time is up, by %s",
  async (protocol) => {
    const server = await serveForTest();
    const client = await connectClient(server, { protocol });
    const starts = server.sample.hangStarts();
    const call = client.callTool({ name: "hang" });
    await starts;
    await server.close();
    expect(await call).toMatchObject({ isError: true, _meta: { "toolwright/status": "cancelled" } });
    expect(await server.runtime.receipts()).toMatchObject([{ tool: "hang", status: "cancelled" }]);
  },
);

test.each(protocols)("a call that is nearly done is finished, by %s", async (protocol) => {
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<string>();
  const nearly = defineTool({
    name: "nearly",
    description: "Nearly done",
    params: {},
    traits: { readOnly: true },
    run() {
      begun.resolve();
      return finish.promise;
    },
  });
  const server = await serveForTest({ options: { tools: [nearly] }, http: { graceMs: 10_000 } });
  const client = await connectClient(server, { protocol });
  const call = client.callTool({ name: "nearly" });
  await begun.promise;
  const closed = server.close();
  finish.resolve("done at last");
  expect(await call).toMatchObject({ content: [{ type: "text", text: "done at last" }] });
  await closed;
});

test("a server that stops says so, takes nothing new, and frees its port", async () => {
  const server = await serveForTest({ http: { port: await freePort() } });
  const client = await connectClient(server);
  const starts = server.sample.hangStarts();
  const call = client.callTool({ name: "hang" });
  await starts;
  const closed = server.close();
  await expect(fetch(new URL("/health", server.url))).rejects.toThrow();
  await closed;
  await call;
  const again = await serveForTest({ http: { port: server.port } });
  expect(again.port).toBe(server.port);
});

test("stopping twice is stopping once, and with clients that only listen it does not wait", async () => {
  const server = await serveForTest();
  for (const protocol of protocols) {
    const client = await connectClient(server, { protocol, listChanged: { tools: { onChanged: () => {} } } });
    await client.listTools();
  }
  await Promise.all([server.close(), server.close()]);
});

test.each(protocols)("a client that vanishes in the middle of a call cancels it, by %s", async (protocol) => {
  const server = await serveForTest();
  const client = await connectClient(server, { protocol });
  const starts = server.sample.hangStarts();
  const call = client.callTool({ name: "hang" }).catch(() => "gone");
  await starts;
  await client.close();
  await call;
  await expect
    .poll(() => server.runtime.receipts(), { timeout: 45_000 })
    .toMatchObject([{ tool: "hang", status: "cancelled" }]);
  expect(server.sample.running).toBe(0);
});
