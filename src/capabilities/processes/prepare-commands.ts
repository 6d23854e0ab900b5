import { join } from "node:path";
import { type Bounds, boxOf, type Gate } from "../../kernel/policy/index.ts";
import type { ServiceCall } from "../../kernel/services/index.ts";
import type { Sandbox, SandboxBounds } from "../../machine/sandbox/index.ts";
import { newId } from "../../shared/new-id.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { CommandSpec, OutputStream } from "./command/running-command.ts";
import type { CurrentDirectory } from "./current-directory.ts";

export interface PreparingParts {
  readonly sandbox: Sandbox;
  readonly directory: CurrentDirectory;
  readonly environment: Readonly<Record<string, string>>;
  readonly outputFolder: string;
  readonly maxOutputFileBytes: number;
  /** Marks every process that its commands start. */
  readonly marker: string;
  /** Throws if the session belongs to another process by now. Asked before each command. */
  readonly confirmOwner: () => void;
}

/** What comes before the start of each command of a session. */
export function prepareCommands(parts: PreparingParts) {
  const { sandbox, directory, marker, maxOutputFileBytes } = parts;
  return {
    /** Has the command judged, and returns the bounds it runs in. */
    async admit(use: ProcessUse, command: string, given: string | undefined): Promise<Bounds> {
      const bounds = await use.gate.run(command, given);
      // Resolved again: it may have become a link while a person was being asked.
      const now = await directory.resolve(bounds.directory);
      if (now !== bounds.directory)
        throw new ToolError(
          "conflict",
          `${bounds.directory} now leads to ${now}; it changed after the command was checked`,
        );
      sandbox.acceptSubmodules(bounds.enters ?? []);
      return bounds;
    },
    async specOf(
      command: string,
      bounds: Bounds,
      { use, ...place }: { use: ProcessUse; isKept: boolean; hasTerminal: boolean },
    ): Promise<CommandSpec> {
      const box = boxOf(bounds, place);
      const bound = await bindTo(command, use.secrets);
      parts.confirmOwner();
      use.onStart(describeBounds(sandbox, box));
      return {
        ...{ command, directory: bounds.directory, marker, maxOutputFileBytes },
        ...bound,
        environment: { ...parts.environment, ...bound?.environment },
        wrap: (program) => sandbox.wrap(program, box),
        outputFile: join(parts.outputFolder, `${newId("output")}.txt`),
        onLines: use.onLines,
      };
    },
  };
}

/** The variables are for this command alone; the next one's environment has none of them. */
async function bindTo(
  command: string,
  secrets: ProcessUse["secrets"],
): Promise<Pick<CommandSpec, "script" | "environment" | "masks"> | undefined> {
  if (secrets === undefined) return undefined;
  const { bindSecrets } = await import("../../machine/shell-syntax/bind-secrets.ts");
  const { script, variables } = await bindSecrets(command, secrets).catch((cause: Error) => {
    throw new ToolError("invalid-input", `the command cannot be given its secret: ${cause.message}`, {
      hint: "Nothing was run. Use the secret as a separate word, in quotes or without.",
      cause,
    });
  });
  return { script, environment: variables, masks: [...secrets.values()] };
}

function describeBounds({ kind, reason }: Sandbox, { profile }: SandboxBounds): string {
  return kind === "none" ? `none: ${reason}` : `${profile} (${kind})`;
}

/** How one call uses processes. */
export interface ProcessUse {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** The values that stand in the place of their names in its commands. */
  readonly secrets?: ReadonlyMap<string, string> | undefined;
  /** Decides on a command before it starts, and returns the bounds it runs in. */
  readonly gate: Pick<Gate, "run">;
  /** Asks whether a command stopped by its sandbox may run again in a wider one. */
  readonly requestEscalation: ServiceCall["requestEscalation"];
  readonly onLines: (stream: OutputStream, text: string) => void;
  /** Gets the sandbox the command was started in, or the reason why there is none. */
  readonly onStart: (sandbox: string) => void;
  /** Gets the paths that a command has left for other programs to run. */
  readonly onPlanted: (paths: readonly string[]) => void;
}
