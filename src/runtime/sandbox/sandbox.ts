/** What a command may do at most, whatever was thought of it before. */
export type SandboxProfile = "read-only" | "workspace-write" | "network";

/** How commands are kept in bounds on this machine. */
export interface SandboxStatus {
  readonly kind: "bubblewrap" | "seatbelt" | "none";
  /** Why there is none. */
  readonly reason?: string;
}

export interface Sandbox extends SandboxStatus {
  /** What to start so that `program` runs inside. */
  wrap(program: StartableProgram, box: SandboxBounds): Promise<WrappedProgram>;
}

/** A program to start: its file, arguments and whole environment. */
export interface StartableProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface SandboxBounds {
  readonly profile: SandboxProfile;
  /** Where it starts; absolute and inside one of the roots. */
  readonly directory: string;
  /** Absolute paths that a person let it read: outside the roots, or sensitive inside. */
  readonly readable?: readonly string[];
  /** Absolute paths that a person let it write: outside the roots, or protected inside. */
  readonly writable?: readonly string[];
  /** It goes on when the runtime ends. */
  readonly isKept?: boolean;
  /** It is given a terminal of its own and has to stay in that terminal's session. */
  readonly hasTerminal?: boolean;
}

export interface WrappedProgram extends StartableProgram {
  /** Open descriptors to hand on as 4, 5, …; the caller closes them by `release` once the program has started. */
  readonly descriptors: readonly number[];
  release(): Promise<void>;
  /**
   * To be called once the program has ended, also where it never started: takes away what had to be put into the workspace
   * so that the program could not.
   */
  finish?(): Promise<void>;
}
