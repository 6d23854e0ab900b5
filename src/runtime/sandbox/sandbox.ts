/** What a command may do at most, whatever was thought of it before. */
export type SandboxProfile = "read-only" | "workspace-write" | "network";

/** How commands are kept in bounds on this machine. */
export interface Sandbox {
  readonly kind: "bubblewrap" | "seatbelt" | "none";
  /** Why there is none. */
  readonly reason?: string;
  /** What to start so that `program` runs inside. */
  wrap(program: Program, box: Box): Promise<WrappedProgram>;
}

/** A program to start: its file, arguments and whole environment. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface Box {
  readonly profile: SandboxProfile;
  /** Where it starts; absolute and inside one of the roots. */
  readonly directory: string;
  /** Files and folders outside the roots that a person let it write. */
  readonly writable?: readonly string[];
  /** It goes on when the runtime ends. */
  readonly isKept?: boolean;
}

export interface WrappedProgram extends Program {
  /** Open descriptors to hand on as 4, 5, …; the caller closes them by `release` once the program has started. */
  readonly descriptors: readonly number[];
  release(): Promise<void>;
}
