import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import type { StartableProgram } from "../../../machine/sandbox/index.ts";
import { quoteControls } from "../../../shared/text/quote-controls.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { CommandSupply } from "./command-supplies.ts";
import type { CommandEnd, CommandSpec } from "./running-command.ts";
import { shellProgram } from "./shell-program.ts";
import { prologuePath } from "./shell-prologue.ts";

export type LaunchedShell = Awaited<ReturnType<typeof launchShell>>;

/** Starts bash, inside the sandbox if there is one; a failure is thrown as a readable ToolError. */
export async function launchShell(
  spec: CommandSpec,
  { shell, pipes, report }: CommandSupply,
  marker: string,
) {
  const { BASH_ENV: _, ...plain } = spec.environment;
  const environment = report === undefined ? plain : { ...plain, BASH_ENV: prologuePath };
  const program = shellProgram(spec.script ?? spec.command, { shell, environment, marker });
  const wrapped = await spec.wrap?.(program);
  // A failed cleanup is not an error: the sandbox cleans up again next time.
  const finish = async () => (await wrapped?.finish?.().catch(() => undefined)) ?? [];
  try {
    const outputs = [pipes?.stdout.writer ?? "pipe", pipes?.stderr.writer ?? "pipe"] as const;
    const descriptors = [...(report ? [report.descriptor] : []), ...(wrapped?.descriptors ?? [])];
    const launched = await launch(wrapped ?? program, {
      cwd: spec.directory,
      detached: true,
      stdio: ["ignore", ...outputs, ...descriptors],
    });
    return {
      ...launched,
      /** Whether the process is a sandbox, with the shell inside it. */
      isWrapped: wrapped?.isSandbox ?? false,
      exited: launched.exited.then(async (exit) => {
        const hasStarted = exit.exitCode === 0 || ((await wrapped?.hasStarted?.()) ?? true);
        return { ...exit, hasStarted, planted: await finish() };
      }),
    };
  } catch (error) {
    await finish();
    throw await explainFailure(error as NodeJS.ErrnoException, spec.directory);
  } finally {
    // The command has been started or has failed to start, so the wrapper's resources are no longer needed.
    await wrapped?.release().catch(() => {});
  }
}

async function launch({ file, args, environment }: StartableProgram, options: SpawnOptions) {
  const child = spawn(file, args, { ...options, env: environment });
  const exited = new Promise<Pick<CommandEnd, "exitCode" | "signal">>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  const { pid } = child;
  if (pid === undefined) {
    const [error] = await once(child, "error");
    throw error;
  }
  return { child, pid, exited };
}

async function explainFailure(error: NodeJS.ErrnoException, directory: string): Promise<ToolError> {
  const place = quoteControls(directory);
  if (error.code === "E2BIG") {
    return new ToolError("invalid-input", "the command and its environment are too long for the system", {
      hint: "Write the command to a file, then run that file.",
      cause: error,
    });
  }
  const problem = await stat(directory).then(
    (found) => (found.isDirectory() ? undefined : "ENOTDIR"),
    ({ code }: NodeJS.ErrnoException) => code,
  );
  if (problem === "ENOENT") {
    return new ToolError("not-found", `the directory ${place} does not exist`, { cause: error });
  }
  if (problem === "ENOTDIR") {
    return new ToolError("not-a-directory", `${place} is not a directory`, { cause: error });
  }
  if (error.code === "EACCES") {
    return new ToolError("access-denied", `no permission to enter the directory ${place}`, { cause: error });
  }
  return new ToolError("unavailable", `the command could not be started: ${error.message}`, {
    retryable: true,
    cause: error,
  });
}
