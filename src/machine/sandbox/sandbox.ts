import type { PlantedEntry } from "./planted/planted-entry.ts";

/** The most that a command can do, whatever its analysis predicted. */
export type SandboxProfile = "read-only" | "workspace-write" | "network";

/** How commands are confined on this machine. */
export interface SandboxStatus {
  readonly kind: "bubblewrap" | "seatbelt" | "none";
  /** Why there is no sandbox; only for kind `none`. */
  readonly reason?: string;
}

/** A way to confine a program, without looking at its traces. */
export interface Confining extends SandboxStatus {
  wrap(program: StartableProgram, box: SandboxBounds): Promise<ConfinedProgram>;
}

export interface Sandbox extends SandboxStatus {
  /** Returns the program to start so that `program` runs inside the sandbox. */
  wrap(program: StartableProgram, box: SandboxBounds): Promise<WrappedProgram>;
  /** Absolute paths of submodules that its commands have made, and that a person has not accepted. */
  submodules(): readonly string[];
  acceptSubmodules(paths: readonly string[]): void;
}

/** A program to start: its file, arguments and whole environment. */
export interface StartableProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface SandboxBounds {
  readonly profile: SandboxProfile;
  /** The working directory; absolute and inside one of the roots. */
  readonly directory: string;
  /** Absolute paths it was explicitly allowed to read: outside the roots, or sensitive paths inside. */
  readonly readable?: readonly string[];
  /** Absolute paths it was explicitly allowed to write: outside the roots, or protected paths inside. */
  readonly writable?: readonly string[];
  /** Absolute path of a repository around a root, shown to git. Its sensitive files are hidden as in a root. */
  readonly repository?: string | undefined;
  /** Its git folder may be written, except for what names programs. */
  readonly writesRepository?: boolean;
  /** Absolute paths that rules keep from every command: out of sight, unchanged, or not created. */
  readonly hidden?: readonly string[];
  readonly readOnly?: readonly string[];
  readonly absent?: readonly string[];
  /** A person has seen the command, and let it run. */
  readonly isApproved?: boolean;
  /** Everything that it does is known: it reads and writes files, and starts no program that could do more. */
  readonly isKnown?: boolean;
  /** It keeps running when the runtime ends. */
  readonly isKept?: boolean;
  /** It has its own terminal and must stay in that terminal's session. */
  readonly hasTerminal?: boolean;
  /** It has no place to write to, not even for temporary files, which are memory that no limit counts. */
  readonly isBare?: boolean;
}

export interface ConfinedProgram extends Omit<WrappedProgram, "finish"> {
  finish?(): Promise<void>;
}

export interface WrappedProgram extends StartableProgram {
  /** Whether it is a sandbox, with the given program inside. Default: it is that program. */
  readonly isSandbox?: boolean;
  /** Open descriptors to pass on as 4, 5, …; the caller closes them with `release` once the program has started. */
  readonly descriptors: readonly number[];
  release(): Promise<void>;
  /** Whether the program itself was started, or its sandbox could not be made. To be called when it has ended. */
  hasStarted?(): Promise<boolean>;
  /**
   * Removes the placeholders that kept the program from creating protected files in the workspace, and returns the
   * files that the program has left for other programs to run. The caller calls it when the program has ended or failed
   * to start.
   */
  finish?(): Promise<readonly PlantedEntry[] | undefined>;
}
