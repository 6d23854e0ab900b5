import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { quoteControls } from "../../../../shared/text/quote-controls.ts";
import { ToolError } from "../../../../tool/tool-error.ts";
import type { StartableProgram } from "../../../sandbox/sandbox.ts";
import type { CommandSupply } from "./command-supplies.ts";
import type { CommandSpec } from "./running-command.ts";
import { shellProgram } from "./shell-program.ts";
import { prologuePath } from "./shell-prologue.ts";

export interface LaunchedShell {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly exited: Promise<ShellExit>;
  /** The process is a sandbox's, and the shell runs inside. */
  readonly isWrapped: boolean;
}

interface ShellExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Starts bash, inside the sandbox if there is one, or says in plain words why that cannot be. */
export async function launchShell(
  spec: CommandSpec,
  { shell, pipes, report }: CommandSupply,
  marker: string,
): Promise<LaunchedShell> {
  const { BASH_ENV: _, ...plain } = spec.environment;
  const environment = report === undefined ? plain : { ...plain, BASH_ENV: prologuePath };
  const program = shellProgram(spec.command, { shell, environment, marker });
  const wrapped = await spec.wrap?.(program);
  // A sandbox that cannot tidy up does so the next time.
  const finish = async () => wrapped?.finish?.().catch(() => {});
  try {
    const outputs = [pipes?.stdout.writer ?? "pipe", pipes?.stderr.writer ?? "pipe"] as const;
    const descriptors = [...(report ? [report.descriptor] : []), ...(wrapped?.descriptors ?? [])];
    const launched = await launch(wrapped ?? program, {
      cwd: spec.directory,
      detached: true,
      stdio: ["ignore", ...outputs, ...descriptors],
    });
    const isWrapped = wrapped !== undefined && wrapped.file !== program.file;
    return { ...launched, isWrapped, exited: launched.exited.then((exit) => finish().then(() => exit)) };
  } catch (error) {
    await finish();
    throw await explainFailure(error as NodeJS.ErrnoException, spec.directory);
  } finally {
    // Whatever becomes of it, the command has been started or refused by now.
    await wrapped?.release().catch(() => {});
  }
}

async function launch(
  { file, args, environment }: StartableProgram,
  options: SpawnOptions,
): Promise<Omit<LaunchedShell, "isWrapped">> {
  const child = spawn(file, args, { ...options, env: environment });
  const exited = new Promise<ShellExit>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  const { pid } = child;
  if (pid === undefined) {
    await new Promise((_, reject) => {
      child.once("error", reject);
    });
    throw new Error("unreachable");
  }
  return { child, pid, exited };
}

async function explainFailure(error: NodeJS.ErrnoException, directory: string): Promise<ToolError> {
  const place = quoteControls(directory);
  if (error.code === "E2BIG") {
    return new ToolError(
      "invalid-input",
      "the command and its environment are longer than the system takes",
      {
        hint: "Write the command to a file, then run that file.",
        cause: error,
      },
    );
  }
  const found = await stat(directory).catch((cause: NodeJS.ErrnoException) => cause);
  if (found instanceof Error && found.code === "ENOENT") {
    return new ToolError("not-found", `the directory ${place} does not exist`, { cause: error });
  }
  if (
    (found instanceof Error && found.code === "ENOTDIR") ||
    (!(found instanceof Error) && !found.isDirectory())
  ) {
    return new ToolError("not-a-directory", `${place} is not a directory`, { cause: error });
  }
  if (error.code === "EACCES") {
    return new ToolError("access-denied", `the directory ${place} may not be entered`, { cause: error });
  }
  return new ToolError("unavailable", `the command could not be started: ${error.message}`, {
    retryable: true,
    cause: error,
  });
}
