import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { isAlive } from "../processes/jobs-place.ts";
import { define, sampleServer } from "./sample-servers.ts";

// Alone in its file, so that what it takes to connect has yet to be loaded when the runtime is closed.
test("a server that is needed just before the runtime is closed leaves nothing running", async () => {
  const { options } = await sampleServer([define("echo")]);
  const folder = await temporaryFolder();
  const open = (name: string) => {
    const program = [options.command, ...(options.args ?? [])];
    const args = ["-c", 'echo $$ > "$0"; exec "$@"', join(folder, name), ...program];
    return openTestSession({ mcpServers: { [name]: { command: "sh", args } }, mcpStart: "when-needed" });
  };
  const { runtime } = await open("early");
  await runtime.mcp.ready({ signal: AbortSignal.abort() });
  await runtime.close();
  expect(runtime.mcp.servers()).toMatchObject([{ name: "early", status: "closed" }]);
  // By the time this one runs, the other would, too.
  await (await open("later")).runtime.mcp.ready();
  expect(await isAlive(await readPid(join(folder, "later")))).toBe(true);
  const early = await readPid(join(folder, "early")).catch(() => undefined);
  expect(early !== undefined && (await isAlive(early))).toBe(false);
});

async function readPid(file: string): Promise<number> {
  return Number(await readFile(file, "utf8"));
}
