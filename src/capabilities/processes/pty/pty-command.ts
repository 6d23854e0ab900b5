import { constants } from "node:os";
import { endProcessTree } from "../../../machine/child/index.ts";
import type { StartableProgram, WrappedProgram } from "../../../machine/sandbox/index.ts";
import { newId } from "../../../shared/new-id.ts";
import { joinMarker } from "../../../shared/process-environment.ts";
import { identityOf } from "../../../shared/process-identity.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { checkCommand } from "../command/check-command.ts";
import { type CommandSupplies, createCommandSupplies } from "../command/command-supplies.ts";
import type { CommandEnd, CommandSpec, RunningCommand } from "../command/running-command.ts";
import { shellProgram } from "../command/shell-program.ts";
import { captureOutput } from "../output/capture-output.ts";
import { createOutputFile } from "../output/output-file.ts";
import { firstHandedDescriptor } from "../supervisor/supervisor-order.ts";
import { watchInput } from "./pty-input.ts";

/** A command in a terminal: it has one output stream and takes typed input. */
export interface RunningTerminal extends RunningCommand {
  write(text: string): void;
  /** Reports when the command is blocked waiting for typed input, and when it continues. */
  onWaiting(listener: (isWaiting: boolean) => void): void;
}

export function isTerminal(running: RunningCommand): running is RunningTerminal {
  return "onWaiting" in running;
}

/** Starts bash in its own terminal, with nothing inherited; the terminal makes it the leader of its process group. */
export async function startTerminal(
  spec: CommandSpec,
  supplies: Pick<CommandSupplies, "shell"> = createCommandSupplies(),
): Promise<RunningTerminal> {
  checkCommand(spec.command);
  const [shell, pty] = await Promise.all([supplies.shell(), loadPty()]);
  const marker = joinMarker(spec.marker ?? "unowned", newId("command"));
  const environment = { ...spec.environment, TERM: terminalName };
  const program = shellProgram(spec.script ?? spec.command, { shell, environment, marker });
  const wrapped = await spec.wrap?.(program);
  const release = async () => {
    await wrapped?.release();
    return (await wrapped?.finish?.()) ?? [];
  };
  try {
    const file = await createOutputFile(spec.outputFile, spec.maxOutputFileBytes);
    const capture = captureOutput(file, spec);
    const startable = handDescriptors(wrapped ?? program, { shell });
    const beganAtMs = performance.now();
    const terminal = pty.spawn(startable.file, [...startable.args], {
      name: terminalName,
      cols: 80,
      rows: 24,
      cwd: spec.directory,
      env: { ...startable.environment },
      // Gives raw bytes, although the library's types say text.
      encoding: null,
    });
    const watch = watchInput(terminal.pid);
    let hasExited = false;
    terminal.onData((data) => {
      watch.noteActivity();
      const stored = capture.add("stdout", data as unknown as Buffer);
      if (stored === undefined) return;
      terminal.pause();
      stored.finally(() => terminal.resume());
    });
    const ended = new Promise<Exit>((resolve) => terminal.onExit(resolve)).then(async (exit) => {
      hasExited = true;
      watch.close();
      const elapsedMs = performance.now() - beganAtMs;
      const [planted] = await Promise.all([release(), capture.end()]);
      // The terminal is gone, so nothing can hold it open.
      return { ...describeExit(exit), elapsedMs, planted, leftOpen: false };
    });
    const identity = await identityOf(terminal.pid);
    return {
      identity,
      ended,
      output: capture.read,
      async stop() {
        await endProcessTree({ leader: identity, marker, isWrapped: wrapped?.isSandbox ?? false });
        await ended;
      },
      write(text) {
        watch.noteActivity();
        if (!hasExited) terminal.write(text);
      },
      onWaiting: watch.onChange,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

const terminalName = "xterm-256color";

/**
 * A terminal's program inherits only three descriptors. This one opens the others itself, through `/proc` of our process,
 * where they have to stay open until it has ended.
 */
function handDescriptors(
  program: StartableProgram | WrappedProgram,
  { shell }: { shell: string },
): StartableProgram {
  const descriptors = "descriptors" in program ? program.descriptors : [];
  if (descriptors.length === 0) return program;
  if (process.platform !== "linux") {
    throw new ToolError("unavailable", "on this system, a command in this sandbox cannot have a terminal");
  }
  const opened = descriptors.map(
    (descriptor, index) => `${firstHandedDescriptor + index}</proc/${process.pid}/fd/${descriptor}`,
  );
  const script = `exec ${opened.join(" ")}; exec "$0" "$@"`;
  return { ...program, file: shell, args: ["-c", script, program.file, ...program.args] };
}

type Exit = Parameters<Parameters<ReturnType<Pty["spawn"]>["onExit"]>[0]>[0];

function describeExit({ exitCode, signal }: Exit): Pick<CommandEnd, "exitCode" | "signal"> {
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
  return {
    exitCode: name === undefined ? exitCode : null,
    signal: (name as NodeJS.Signals | undefined) ?? null,
  };
}

type Pty = typeof import("@lydell/node-pty");

/** Loads the native terminal library, which not every system has. */
async function loadPty(): Promise<Pty> {
  try {
    return await import("@lydell/node-pty");
  } catch (cause) {
    throw new ToolError("unavailable", `cannot open a terminal: ${(cause as Error).message}`, {
      hint: "Run the command without a terminal, or install the optional dependency @lydell/node-pty.",
      cause,
    });
  }
}
