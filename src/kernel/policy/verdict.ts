import type { PermissionClass } from "../../tool/permission-request.ts";
import type { RuleOrigin } from "./rules/rule.ts";

/** What a call would touch, as far as it is known before it runs. */
export interface Effects {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly runs: readonly string[];
  readonly hosts: readonly string[];
  /** It may do more than these lists say. */
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

/** One command of a script as bash would read it, without what it says about permission. Long parts are cut. */
export interface ParsedCommand {
  /** The program behind wrappers such as `sudo` and assignments; absent for a bare assignment or redirection. */
  readonly name?: string;
  /** As they would be passed, or as they are written if that is not known before it runs. */
  readonly args: readonly string[];
  /** How many more arguments it has. */
  readonly omittedArgs?: number;
  /** Names of the wrappers, outermost first. */
  readonly wrappers: readonly string[];
  /** `NAME=value` for this command, written before it or given to `env`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly redirects: readonly ParsedRedirect[];
  /** Its place in the pipeline: `position` counts from 0, and commands with the same `id` are in the same one. */
  readonly pipeline: { readonly id: number; readonly position: number; readonly length: number };
}

export interface ParsedRedirect {
  readonly operator: string;
  readonly descriptor?: number | string;
  /** The file or descriptor; for a here-document, its text. */
  readonly target: string;
  /** Whether the target is known before it runs. */
  readonly isStatic: boolean;
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
