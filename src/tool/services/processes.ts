/** Running commands, in bash and in bounds: permission, sandbox, environment and output limits are the runtime's matter. */
export interface Processes {
  /**
   * Runs a command to its end. When the call's time is up or its caller gives up, the command and everything it started
   * is ended, and the outcome tells so.
   */
  run(command: string, options?: RunOptions): Promise<CommandOutcome>;
  /** Starts a command as a job of the session and answers at once. */
  start(command: string, options?: StartOptions): Promise<Job>;
  jobs(): Promise<readonly Job[]>;
  job(id: string): Promise<Job>;
  /** What a job has printed since a cursor, the beginning by default. */
  output(id: string, options?: OutputOptions): Promise<JobOutput>;
  /** Waits until a job is ready: a port open, or a line printed. */
  waitFor(id: string, condition: ReadyCondition): Promise<Readiness>;
  /** Ends a job and everything it started. */
  kill(id: string): Promise<Job>;
}

export interface RunOptions {
  /** Where it runs; by default where the session's last command ended. */
  readonly directory?: string;
  /** Gives it a terminal, for programs that need one. */
  readonly terminal?: boolean;
  /** Goes on as a job after so long. */
  readonly backgroundAfterMs?: number;
}

export interface StartOptions {
  readonly directory?: string;
  readonly terminal?: boolean;
  /** It is ended after so long; never by default. */
  readonly timeoutMs?: number;
  /** It goes on when the session is closed or its process dies. */
  readonly keep?: boolean;
}

export interface CommandOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Bounded: head, a note, tail. */
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes of each that were left out. */
  readonly omitted: { readonly stdout: number; readonly stderr: number };
  readonly elapsedMs: number;
  /** Where the session's next command starts. */
  readonly directory: string;
  /** Why it was ended before its own end. */
  readonly endedBy?: "timeout" | "caller";
  /** It goes on under this id. */
  readonly job?: Job;
  /** Where the whole output is, when more was printed than is told here. */
  readonly outputFile?: string;
  /** The file has no more than its beginning. */
  readonly isFileCapped?: boolean;
  /** What else there is to know, in plain sentences. */
  readonly notes: readonly string[];
  /** By what the command does: search, read, list, write, silent or general. */
  readonly category?: string;
}

/** A command in the background. */
export interface Job {
  /** `bg_task_1`, `bg_task_2`, …; never given twice in a session. */
  readonly id: string;
  readonly command: string;
  readonly state: "running" | "done" | "failed" | "killed" | "timed-out" | "unknown";
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt?: string;
  /** Its process; of a kept job the one that looks after it. */
  readonly identity: { readonly pid: number; readonly startedAt: string };
  /** It goes on when its session or the runtime ends. */
  readonly isKept: boolean;
  readonly hasTerminal: boolean;
  readonly outputFile: string;
  /** Blocked until somebody types; only told of a job with a terminal. */
  readonly isWaitingForInput?: boolean;
  /** Why it ended as it did, where the state does not say it all. */
  readonly note?: string;
}

export interface OutputOptions {
  /** Where the last reading ended. */
  readonly cursor?: number;
  /** Only lines that match this regular expression. */
  readonly pattern?: string;
  readonly maxBytes?: number;
}

export interface JobOutput {
  readonly job: Job;
  readonly text: string;
  /** Where to go on. */
  readonly cursor: number;
  readonly hasMore: boolean;
  /** What it printed beyond that was not kept. */
  readonly isCapped?: boolean;
}

export interface ReadyCondition {
  readonly port?: number;
  readonly pattern?: string;
  readonly deadlineMs: number;
}

export interface Readiness {
  readonly isReady: boolean;
  /** Why it is, or is not. */
  readonly reason: string;
  readonly job: Job;
}
