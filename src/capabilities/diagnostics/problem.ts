/** Something that a checker found in a file. */
export interface Problem {
  /** As the checker named the file, or absolute. */
  readonly path: string;
  /** Counted from 1, like the column. */
  readonly line: number;
  readonly column?: number;
  readonly severity: "error" | "warning" | "info";
  /** The rule or the number of the message. */
  readonly code?: string;
  readonly message: string;
}

/** What a checker has to say about a change. */
export type CheckFinding =
  /** `fresh` are new since its last run, or all in the changed files if there was none. */
  | {
      readonly status: "checked";
      readonly fresh: readonly Problem[];
      /** Problems of the changed files that were there before. */
      readonly before: number;
      /** Problems of other files that are not in `fresh`. */
      readonly elsewhere: number;
      /** It printed more than was read. */
      readonly isCut?: true;
    }
  | NoFinding<"refused">
  | NoFinding<"failed">
  | NoFinding<"timed-out">;

interface NoFinding<Status> {
  readonly status: Status;
  readonly why: string;
}

/** One checker's word on a change, as numbers. */
export interface CheckRecord {
  /** The program. */
  readonly by: string;
  readonly status: "checked" | "refused" | "failed" | "timed-out";
  readonly problems?: number;
  /** Problems of the changed files that were there before. */
  readonly before?: number;
  readonly elsewhere?: number;
}
