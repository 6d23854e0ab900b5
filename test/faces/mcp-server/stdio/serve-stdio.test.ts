import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { loadServerSdk } from "../../../../src/faces/mcp-server/load-server-sdk.ts";
import { createServerStdioTransport } from "../../../../src/faces/mcp-server/stdio/serve-stdio.ts";
import { until } from "../../../support/until.ts";

/** A transport whose client never reads, or reads all of it. */
async function openTransport() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = createServerStdioTransport({ input, output }, await loadServerSdk());
  const taken: unknown[] = [];
  transport.onmessage = (message) => taken.push(message);
  await transport.start();
  return { input, output, transport, taken };
}

const ping = (id: number, params: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "ping", params });

test.each([
  [
    "deep",
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":${"[".repeat(5000)}${"]".repeat(5000)}}`,
    "nested",
  ],
  ["wide", ping(1, { list: Array(30_000).fill({}) }), "more than 20000"],
  [
    "full of names",
    ping(1, Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`n${at}`, 1]))),
    "20000",
  ],
  ["giant", ping(1, { text: "x".repeat(5_000_000) }), "the limit is 4194304"],
])(
  "a message that is %s is refused before it is parsed, and the next one is taken",
  async (_what, line, why) => {
    const { input, output, taken } = await openTransport();
    let answers = "";
    output.on("data", (chunk) => {
      answers += chunk;
    });
    input.write(`${line}\n${ping(2)}\n`);
    await until(() => taken.length > 0 && answers.includes("\n"));
    expect(JSON.parse(answers)).toMatchObject({ id: null, error: { message: expect.stringContaining(why) } });
    expect(taken).toMatchObject([{ id: 2 }]);
  },
);

const call = (id: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "a" } });

test.each([
  ["is no JSON", "{", -32_700],
  ["begins with a mark", `\ufeff${ping(1)}`, -32_700],
  ["has zero bytes", "\0\0", -32_700],
  ["is a batch", `[${ping(1)}]`, -32_600],
  ["is a number", "7", -32_600],
  ["is null", "null", -32_600],
  ["has a fraction as its id", call(1.5), -32_600],
  ["has an id without end", call(1e30), -32_600],
  ["has null as its id", call(null), -32_600],
  ["has an object as its id", call({}), -32_600],
])("a message that %s is answered, so that the client does not wait for it", async (_what, line, code) => {
  const { input, output, taken } = await openTransport();
  input.write(`${line}\n${ping(2)}\n`);
  await until(() => taken.length > 0 && output.readableLength > 0);
  expect(JSON.parse(String(output.read()))).toMatchObject({ id: null, error: { code } });
  expect(taken).toMatchObject([{ id: 2 }]);
});

test("a call with the id of one that is open is refused, and is possible again after its answer", async () => {
  const { input, output, transport, taken } = await openTransport();
  input.write(`${call(1)}\n${call(1)}\n`);
  await until(() => output.readableLength > 0);
  expect(String(output.read())).toContain("a request with this id is open already");
  expect(taken).toHaveLength(1);
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  input.write(`${call(1)}\n`);
  await until(() => taken.length === 2);
});

test("a client that takes no answers is not read from, so that they do not fill the memory", async () => {
  const { input, output, transport } = await openTransport();
  const large = { jsonrpc: "2.0" as const, id: 1, result: { text: "x".repeat(9_000_000) } };
  void transport.send(large);
  expect(input.isPaused()).toBe(false);
  void transport.send(large);
  expect(input.isPaused()).toBe(true);
  output.resume();
  await until(() => !input.isPaused());
});
