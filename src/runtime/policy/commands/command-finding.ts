import type { PipelinePlace } from "../../shell-syntax/shell-script.ts";

/** What all the commands of a script would do, each on its own; the paths are still to be judged by the caller. */
export interface CommandJudgement {
  readonly category: Category;
  readonly commands: readonly CommandFinding[];
}

export type Category = "search" | "read" | "list" | "write" | "silent" | "general";

export interface CommandFinding {
  /** As it was written. */
  readonly text: string;
  /** The program that really runs, wrappers such as `timeout 5` seen through. */
  readonly name?: string;
  /** Its arguments, each as it would be passed or, where that is not known, as it was written. */
  readonly args: readonly string[];
  /** The index of the command in one of whose words or redirections it stands. */
  readonly inside?: number;
  readonly category: Category;
  /** It says nothing about what the whole is for, as `echo` and `cd` do. */
  readonly isNeutral: boolean;
  readonly pipeline: PipelinePlace;
  /** Why it is harmless, or why it has to ask. */
  readonly reason: string;
  readonly effects: CommandEffects;
  /** No variable, redirection or wrapper makes something else of it than its name and arguments say. */
  readonly isPlain: boolean;
  /** An option or operand makes more of its program than it seems. */
  readonly isTricky: boolean;
  /** Name and arguments, where every one of them is known to the letter. */
  readonly argv?: readonly string[];
}

export interface CommandEffects {
  /** Absolute, `..` and links not resolved; a glob stays a pattern. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** What it writes it may also take away. */
  readonly deletes: boolean;
  /** Command lines that cannot be seen into. */
  readonly runs: readonly string[];
  /** `*` where it cannot be told which. */
  readonly hosts: readonly string[];
  /** It may do more than the lists say. */
  readonly opaque: boolean;
}

/** What has to be known of the machine to judge a command; nothing here may follow a link or take long. */
export interface MachineFacts {
  /** Where the script starts; absolute. */
  readonly directory: string;
  /** The workspace's own folder, where it is not the one the script starts in. */
  readonly root?: string;
  /** Undefined where there is no such regular file, or none that may be read. */
  readText(path: string): Promise<string | undefined>;
  /** `other` for a link, whatever it leads to; undefined where there is nothing. */
  kindOf(path: string): Promise<"file" | "directory" | "other" | undefined>;
  /** The file the shell would run for a bare name. */
  programPath?(name: string): Promise<string | undefined>;
}

/** Nothing but reading, and that only where the caller finds the paths in order. */
export function isHarmless({ writes, deletes, runs, hosts, opaque }: CommandEffects): boolean {
  return !opaque && !deletes && writes.length + runs.length + hosts.length === 0;
}
