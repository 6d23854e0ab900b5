import type { PipelinePlace } from "../shell-syntax/index.ts";

/** The findings about each command of a script. The caller still has to judge the paths. */
export interface CommandJudgement {
  readonly category: Category;
  readonly commands: readonly CommandFinding[];
}

export type Category = "search" | "read" | "list" | "write" | "silent" | "general";

export interface CommandFinding {
  /** As it was written. */
  readonly text: string;
  readonly parsed: ParsedCommand;
  /** The program that really runs, after wrappers such as `timeout 5`. */
  readonly name?: string | undefined;
  /** Its arguments, each as it would be passed, or as written if that is unknown. */
  readonly args: readonly string[];
  /** Index of the command in whose words or redirections it is nested. */
  readonly inside?: number | undefined;
  readonly category: Category;
  /** It says nothing about the script's purpose, like `echo` and `cd`. */
  readonly isNeutral: boolean;
  readonly pipeline: PipelinePlace;
  /** Why it is harmless, or why it needs approval. */
  readonly reason: string;
  readonly effects: CommandEffects;
  /** No variable, redirection or wrapper changes what its name and arguments say. */
  readonly isPlain: boolean;
  /** Files that its words may name, if it may do more than its effects say; absolute. */
  readonly files?: readonly string[] | undefined;
  /** An option or operand makes its program do more than usual. */
  readonly isTricky: boolean;
  /** Name and arguments; absent unless all of them are known exactly. */
  readonly argv?: readonly string[] | undefined;
  /** The words with each wrapper before the program, the outermost wrapper first. */
  readonly wrapped?: readonly (readonly string[])[] | undefined;
}

/** The effects of a command besides its paths. */
export interface OtherEffects {
  /** `*` if unknown. */
  readonly hosts: readonly string[];
  /** It may do more than the lists say. */
  readonly opaque: boolean;
  /** It shows the content of files as git keeps them. */
  readonly showsHistory: boolean;
  /** All it does at its hosts is to fetch something and print it. */
  readonly fetches: boolean;
  /** A repository that it reads and of which the workspace is a part; absolute. */
  readonly repository?: string | undefined;
  /** It also changes that repository. */
  readonly writesRepository?: boolean | undefined;
  /** Submodules that commands have made, and whose settings it uses; absolute. */
  readonly enters?: readonly string[] | undefined;
}

export interface CommandEffects extends OtherEffects {
  /** Absolute paths with `..` and links unresolved; globs stay patterns. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Paths that it reads or writes and that go to another place, with everything in them. */
  readonly moves: readonly string[];
  /** Paths that it reads or writes and that name one file, even if its name has the characters of a pattern. */
  readonly named: ReadonlySet<string>;
  /** Paths that it reads or writes and that are patterns. */
  readonly patterns: ReadonlySet<string>;
  /** It may also delete the files that it writes. */
  readonly deletes: boolean;
  /** Command lines whose effects are unknown. */
  readonly runs: readonly string[];
}

/** One command of a script as bash would read it, without its permissions. Long parts are cut. */
export interface ParsedCommand {
  /** The program behind wrappers such as `sudo` and assignments; absent for a bare assignment or redirection. */
  readonly name?: string;
  /** The arguments as they would be passed, or as they are written if that is not known before the command runs. */
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

/** Facts about the machine that judging a command needs. Implementations must be quick and must not follow links. */
export interface MachineFacts {
  /** Where the script starts; absolute. */
  readonly directory: string;
  /** The system whose programs run, where that matters. Default: Linux. */
  readonly platform?: NodeJS.Platform;
  /** The workspace folder, if the script starts elsewhere. */
  readonly root?: string;
  /** Reads a text; undefined if the path is not a readable regular file. */
  readText(path: string): Promise<string | undefined>;
  /** Reads any content in the same way; also undefined if it is very large. */
  readBytes(path: string): Promise<Buffer | undefined>;
  /** The entries beneath a folder, or directly in it; undefined if there are more than that, or it cannot be read. */
  listBelow(
    folder: string,
    options: { readonly most: number; readonly isFlat?: boolean },
  ): Promise<readonly FoundEntry[] | undefined>;
  /** Whether a link beneath a folder, of such a name, leads out of it; also true if there is too much to look at. */
  leadsOut(folder: string, mayBeNamed?: (name: string) => boolean): Promise<boolean>;
  /** `other` for a link of any kind; undefined if nothing is there. */
  kindOf(path: string): Promise<"file" | "directory" | "other" | undefined>;
  /** Whether the home folder is in this folder, or is it. */
  holdsHome?(folder: string): Promise<boolean>;
  /** Whether no command can have written the start-up files in the home folder. */
  hasOwnHome?(): Promise<boolean>;
  /** Absolute paths of submodules that commands have made, which no person has seen yet. */
  readonly newSubmodules?: (() => Promise<readonly string[]>) | undefined;
  /** Whether the system's program of this name is busybox, which reads some commands in its own way. */
  isBusybox?(name: string): Promise<boolean>;
  /** Whether a file of this name must not be changed without approval, such as one that a program reads when it starts. */
  isProtectedName(name: string): boolean;
  /** The file the shell would run for a bare name. */
  programPath?(name: string): Promise<string | undefined>;
}

export interface FoundEntry {
  /** Relative to the folder that was listed. */
  readonly path: string;
  readonly kind: "file" | "directory" | "other";
}

/** Whether it does nothing but read; the caller still has to judge the paths. */
export function isHarmless({
  writes,
  deletes,
  runs,
  hosts,
  opaque,
}: Pick<CommandEffects, "writes" | "deletes" | "runs" | "hosts" | "opaque">): boolean {
  return !opaque && !deletes && writes.length + runs.length + hosts.length === 0;
}
