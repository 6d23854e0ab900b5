import type { ParsedCommand } from "../../machine/command-reading/read-command.ts";
import type { PermissionClass } from "../../tool/permission-request.ts";
import type { RuleOrigin } from "./rules/rule.ts";

/** What a call would touch, as far as it is known before it runs. */
export interface Effects {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly runs: readonly string[];
  readonly hosts: readonly string[];
  /** The call may do more than these lists say. */
  readonly opaque: boolean;
}

export interface Verdict {
  readonly decision: "allow" | "ask" | "deny";
  readonly reason: string;
  /** The floor, rule, hook, mode or person that decided. */
  readonly decidedBy: string;
  /** The rule that decided, if it is written in a policy file, and where. */
  readonly rule?: RuleOrigin & { readonly source: string };
  readonly permissionClass: PermissionClass;
  /** For a shell command: search, read, list, write, silent or general. */
  readonly category?: string;
  readonly effects: Effects;
  /** For a shell command: where it starts; absolute. */
  readonly directory?: string;
  /** For a shell command: each command in it, in the order of the text. */
  readonly commands?: readonly CommandVerdict[];
}

/** The decision on one command of a script. */
export interface CommandVerdict extends Pick<Verdict, "decision" | "reason" | "effects"> {
  /** As it was written. */
  readonly text: string;
  readonly category: string;
  /** Absent for a part that could not be parsed, and beyond the first hundred commands. */
  readonly parsed?: ParsedCommand;
  /** Index of the command that this one is nested in, as in `$(…)`. */
  readonly inside?: number;
}

export const noEffects: Effects = { reads: [], writes: [], runs: [], hosts: [], opaque: false };

/** The commands of a script that need approval. */
export function actingCommands(commands: readonly CommandVerdict[] = []): readonly CommandVerdict[] {
  return commands.filter(({ decision }) => decision !== "allow");
}
