/** Runs bash commands. The runtime takes care of permission, sandbox, environment and output limits. */
export interface Processes {
  /**
   * Runs a command to its end. When the call times out or is cancelled, the command and every process it started are
   * stopped, and the outcome says so.
   */
  run(command: string, options?: RunOptions): Promise<CommandOutcome>;
  /** Starts a command as a background job of the session and returns immediately. */
  start(command: string, options?: StartOptions): Promise<Job>;
  jobs(): Promise<readonly Job[]>;
  job(id: string): Promise<Job>;
  /** A job's output since a cursor. Default: since the beginning. */
  output(id: string, options?: OutputOptions): Promise<JobOutput>;
  /** Waits until a port is open or a line is printed. */
  waitFor(id: string, condition: ReadyCondition): Promise<Readiness>;
  /** Stops a job and every process it started. */
  kill(id: string): Promise<Job>;
}

export interface RunOptions {
  /** Where it runs. Default: where the session's last command ended. */
  readonly directory?: string;
  /** Run in a terminal, for programs that need one. */
  readonly terminal?: boolean;
  /** After this time the command continues as a background job. */
  readonly backgroundAfterMs?: number;
  /**
   * What stdout and stderr may take together, with `[stderr] ` before each line of stderr. Default: 200 KB of stdout and
   * 56 KB of stderr, which are never exceeded.
   */
  readonly maxCharacters?: number;
}

export interface StartOptions {
  readonly directory?: string;
  readonly terminal?: boolean;
  /** The job is stopped after this time. Default: never. */
  readonly timeoutMs?: number;
  /** The job keeps running when the session is closed or its process dies. */
  readonly keep?: boolean;
}

export interface CommandOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** If it is too long: its head, a note and its tail; of a search or a listing, only its head. */
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes that were cut from each. */
  readonly omitted: { readonly stdout: number; readonly stderr: number };
  /** Where in `outputFile` the first of them are, both counted from 1. */
  readonly omittedFrom?: { readonly line: number; readonly column?: number };
  readonly elapsedMs: number;
  /** Where the session's next command starts. */
  readonly directory: string;
  /** Why the command was stopped early. */
  readonly endedBy?: "timeout" | "caller";
  /** The command continues as this job. */
  readonly job?: Job;
  /** File with the full output, if it was cut here. */
  readonly outputFile?: string;
  /** The file has only the beginning of the output. */
  readonly isFileCapped?: boolean;
  /** Further remarks, in full sentences. */
  readonly notes: readonly string[];
  /** The kind of the command: search, read, list, write, silent or general. */
  readonly category?: string;
}

/** A command that runs in the background. */
export interface Job {
  /** `bg_task_1`, `bg_task_2`, …; unique in a session. */
  readonly id: string;
  readonly command: string;
  readonly state: "running" | "done" | "failed" | "killed" | "timed-out" | "unknown";
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt?: string;
  /** The job's process; for a kept job its supervisor. */
  readonly identity: { readonly pid: number; readonly startedAt: string };
  /** The job outlives its session and the runtime. */
  readonly isKept: boolean;
  readonly hasTerminal: boolean;
  readonly outputFile: string;
  /** Waiting for keyboard input; known only for a job with a terminal. */
  readonly isWaitingForInput?: boolean;
  /** Why it ended this way, if the state does not say it all. */
  readonly note?: string;
}

export interface OutputOptions {
  /** Where the last read ended. */
  readonly cursor?: number;
  /** Only lines that match this regular expression. */
  readonly pattern?: string;
  readonly maxBytes?: number;
}

export interface JobOutput {
  readonly job: Job;
  readonly text: string;
  /** Where to continue. */
  readonly cursor: number;
  readonly hasMore: boolean;
  /** Later output was not kept. */
  readonly isCapped?: boolean;
}

export interface ReadyCondition {
  readonly port?: number;
  readonly pattern?: string;
  readonly deadlineMs: number;
}

export interface Readiness {
  readonly isReady: boolean;
  /** Why it is ready, or is not. */
  readonly reason: string;
  readonly job: Job;
}
