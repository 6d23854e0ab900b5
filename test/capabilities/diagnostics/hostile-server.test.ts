import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { connectToServer } from "../../../src/capabilities/diagnostics/language-server/server-connection.ts";
import { until } from "../../support/until.ts";

/** A language server that only floods, and never reads what it is sent. */
function connectTo(message: object, options: { unreadMs?: number } = {}) {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  const frame = `Content-Length: ${text.length}\r\n\r\n${text}`;
  const program = `const frames = ${JSON.stringify(frame)}.repeat(100);
    const flood = () => { while (process.stdout.write(frames)); process.stdout.once("drain", flood); };
    flood();`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let heard = 0;
  const onNotification = () => {
    heard += 1;
  };
  const answer = () => ({ result: "x".repeat(2 ** 16) });
  const connection = connectToServer(child, { onNotification, answer }, options);
  return { child, connection, heard: () => heard };
}

test("a language server that asks without end is given up, before its answers fill the memory", async () => {
  const { child, connection } = connectTo({ id: 1, method: "workspace/configuration" }, { unreadMs: 100 });
  expect((await connection.ended).message).toMatch(/more than 200 requests in a second|does not read/);
  expect(child.stdin?.writableLength).toBeLessThan(70 * 2 ** 20);
});

test("a language server that does not read is not read from either, and given up after a while", async () => {
  const { child, connection, heard } = connectTo({ method: "window/logMessage" }, { unreadMs: 100 });
  await until(() => heard() > 0);
  connection.notify("textDocument/didChange", { text: "x".repeat(2 ** 20) });
  expect(child.stdout?.isPaused()).toBe(true);
  for (let version = 0; version < 20; version++) connection.notify("textDocument/didChange", { version });
  expect(child.stdin?.listenerCount("drain")).toBe(1);
  expect((await connection.ended).message).toBe("it does not read what it is sent");
});

test("a language server that only tells, and never stops, is read at a pace that leaves others their turn", async () => {
  const { heard } = connectTo({ method: "window/logMessage" });
  await until(() => heard() > 0);
  const before = performance.now();
  const first = heard();
  await until(() => heard() > first + 3000);
  // Otherwise it would be some milliseconds. Of what is read at once, there is no more than a piece of 64 KB.
  expect(performance.now() - before).toBeGreaterThan(500);
});
