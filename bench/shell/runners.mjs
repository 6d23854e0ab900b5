import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { findPeer } from "../support/import-peer.mjs";

/** The baseline, which only starts the shell and reads its output. */
export const floor = "raw spawn";
export const piName = "pi's bash";

/** `{ run(command), close() }`; `run` resolves to the number of bytes printed. */
export async function openRunner(name, folder) {
  return openers.get(name)(folder);
}

const environment = { PATH: process.env.PATH, HOME: process.env.HOME, LANG: "C.UTF-8" };

const openers = new Map([
  [floor, openRaw],
  ["startCommand", openToolwright],
  [piName, openPi],
]);

const piPackage = "@earendil-works/pi-coding-agent";

export function listRunners({ leaveOut }) {
  const hasPi = findPeer(piPackage, leaveOut) !== undefined;
  return [...openers.keys()].filter((name) => name !== piName || hasPi);
}

async function openRaw(folder) {
  return {
    async run(command) {
      const shellArguments = ["--norc", "--noprofile", "-c", command];
      const options = { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"], detached: true };
      // In its own process session, like the others: a busy system shares out its time by sessions.
      const child = spawn("/bin/bash", shellArguments, options);
      let bytes = 0;
      child.stdout.on("data", (chunk) => {
        bytes += chunk.length;
      });
      child.stderr.resume();
      const [exitCode] = await once(child, "close");
      if (exitCode !== 0) throw new Error(`the raw shell ended with ${exitCode}`);
      return bytes;
    },
    async close() {},
  };
}

/** Imported from the source, because the parts of the shell are not public API. */
async function openToolwright(folder) {
  const { createCommandSupplies } = await import(
    "../../src/capabilities/processes/command/command-supplies.ts"
  );
  const { startCommand } = await import("../../src/capabilities/processes/command/start-command.ts");
  const supplies = createCommandSupplies();
  const outputs = await mkdtemp(join(folder, "outputs-"));
  let count = 0;
  return {
    async run(command) {
      count += 1;
      const running = await startCommand(
        {
          command,
          directory: folder,
          environment,
          outputFile: join(outputs, String(count)),
          maxOutputFileBytes,
          onLines() {},
        },
        supplies,
      );
      const { exitCode } = await running.ended;
      if (exitCode !== 0) throw new Error(`startCommand ended with ${exitCode}`);
      return running.output().stdout.totalBytes;
    },
    close: () => supplies.close(),
  };
}

const maxOutputFileBytes = 64 * 1024 * 1024;

async function openPi(folder) {
  process.env.PI_CODING_AGENT_DIR = await mkdtemp(join(folder, "pi-"));
  process.env.PI_OFFLINE = "1";
  const { createBashTool } = await import(piPackage);
  const tool = createBashTool(folder);
  return {
    async run(command) {
      const { details } = await tool.execute("call", { command });
      return details?.truncation?.totalBytes ?? 0;
    },
    async close() {},
  };
}
