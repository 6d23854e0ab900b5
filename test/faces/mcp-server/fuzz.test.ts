import { spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { serveStdio } from "../../../src/faces/mcp-server/stdio/serve-stdio.ts";
import { fuzzRuns, seededRandom } from "../../support/fuzz.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { programFile } from "../../support/programs/program-file.ts";
import { createMessageMaker } from "./hostile-messages.ts";
import { sendHostileRequests } from "./hostile-requests.ts";

async function serveApart() {
  const program = programFile(new URL("fixtures/child-served.ts", import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "pipe"] });
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-4000);
  });
  onTestFinished(async () => {
    child.stdin.end();
    if (child.exitCode === null) await once(child, "exit");
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const { port, token } = JSON.parse(line.toString()) as { port: number; token: string };
  return { port, token, child, complaints: () => complaints };
}

test("the server over HTTP goes on answering, whatever is sent to it", async () => {
  const server = await serveApart();
  const total = fuzzRuns({ sample: 240, full: 100_000 });
  await sendHostileRequests(server, { random: seededRandom(), total });
  expect(server.child.exitCode).toBeNull();
}, 3_600_000);

test("the server over stdio goes on answering, whatever is sent to it", async () => {
  const { runtime } = await openTestSession({ permissions: { mode: "readonly" } });
  const [input, output] = [new PassThrough(), new PassThrough()];
  let said = "";
  output.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-100_000);
  });
  const stop = new AbortController();
  const serving = serveStdio(runtime, { version: "1", input, output, signal: stop.signal, graceMs: 50 });
  const say = (message: object) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "fuzzer", version: "1" };
  say({
    id: "start",
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
  });
  say({ method: "notifications/initialized" });
  const next = createMessageMaker(seededRandom());
  const total = fuzzRuns({ sample: 200, full: 20_000 });
  for (let sent = 0; sent < total; sent += 20) {
    for (let index = 0; index < 20; index += 1) input.write(`${next().replaceAll("\n", " ")}\n`);
    say({ id: `alive ${sent}`, method: "ping" });
    await expect.poll(() => said, { timeout: 20_000 }).toContain(`"id":"alive ${sent}"`);
  }
  stop.abort();
  await serving;
}, 600_000);
