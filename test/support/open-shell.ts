import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createCommandSupplies } from "../../src/capabilities/processes/command/command-supplies.ts";
import type {
  CapturedOutput,
  CommandEnd,
  CommandSpec,
  RunningCommand,
} from "../../src/capabilities/processes/command/running-command.ts";
import { startCommand } from "../../src/capabilities/processes/command/start-command.ts";
import { makeFolder, removeFolder } from "./temporary-folder.ts";

export interface TestShell {
  readonly folder: string;
  start(command: string, changes?: Partial<CommandSpec>): Promise<RunningCommand>;
  run(command: string, changes?: Partial<CommandSpec>): Promise<CommandEnd & { output: CapturedOutput }>;
  /** Every process that was started from here and is alive, by the environment it was given. */
  survivors(): Promise<number[]>;
  close(): Promise<void>;
}

/** Runs commands in a temporary folder; what they leave running is ended with it. */
export async function openShell(options?: Parameters<typeof createCommandSupplies>[0]): Promise<TestShell> {
  const folder = makeFolder();
  const supplies = createCommandSupplies(options);
  const badge = `TEST_BADGE=${folder}`;
  let count = 0;
  const started: RunningCommand[] = [];

  const start = async (command: string, changes: Partial<CommandSpec> = {}) => {
    const spec: CommandSpec = {
      command,
      directory: folder,
      outputFile: join(folder, `output-${count++}`),
      maxOutputFileBytes: 1_000_000,
      ...changes,
      environment: { PATH: process.env.PATH ?? "", TEST_BADGE: folder, ...changes.environment },
    };
    const running = await startCommand(spec, supplies);
    started.push(running);
    return running;
  };
  const survivors = async () => {
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const alive = await Promise.all(
      pids.map(async (pid) => {
        const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
        return environment.split("\0").includes(badge);
      }),
    );
    return pids.filter((_, index) => alive[index]).map(Number);
  };
  return {
    folder,
    start,
    survivors,
    async run(command, changes) {
      const running = await start(command, changes);
      return { ...(await running.ended), output: running.output() };
    },
    async close() {
      for (const pid of await survivors()) {
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // Gone by itself.
        }
      }
      await Promise.all(started.map(({ ended }) => ended));
      await supplies.close();
      removeFolder(folder);
    },
  };
}
