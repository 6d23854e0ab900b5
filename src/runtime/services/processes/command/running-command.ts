import type { ProcessIdentity } from "../../../../shared/process-identity.ts";
import type { StartableProgram, WrappedProgram } from "../../../sandbox/sandbox.ts";

/** What to run: bash gets `command` exactly as it is. */
export interface CommandSpec {
  readonly command: string;
  /** Absolute. */
  readonly directory: string;
  /** The whole of it; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Puts the program into a sandbox; without it it runs as it is. */
  readonly wrap?: (program: StartableProgram) => Promise<WrappedProgram>;
  /** Whom it belongs to; all that is left of it can be found again by `endLeftovers`. Letters, digits and dashes. */
  readonly marker?: string;
  /** Where the whole output goes; made new, for the owner alone. */
  readonly outputFile: string;
  readonly maxOutputFileBytes: number;
  /** Whole lines as they come, text with control sequences removed; never a split character. */
  readonly onLines?: (stream: OutputStream, text: string) => void;
}

export type OutputStream = "stdout" | "stderr";

/** A command that was started. */
export interface RunningCommand {
  readonly identity: ProcessIdentity;
  /** What it has printed so far, bounded. */
  output(): CapturedOutput;
  /** When it has ended, and what it left open was drained for a moment. Never rejects. */
  readonly ended: Promise<CommandEnd>;
  /** Ends it and everything it started: asks, waits, then forces. Resolves when all of it is gone. */
  stop(): Promise<void>;
}

export interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly elapsedMs: number;
  /** Where the shell stood at its end; absent where it did not say. */
  readonly finalDirectory?: string;
  /** Processes it started live on and held its output open. */
  readonly leftOpen: boolean;
}

export interface CapturedOutput {
  readonly stdout: CapturedStream;
  readonly stderr: CapturedStream;
  readonly file: string;
  /** Bytes in the file; less than was printed where the cap was reached. */
  readonly fileBytes: number;
  readonly isFileCapped: boolean;
}

/** One stream: its beginning and its end. */
export interface CapturedStream {
  /** For the model: head, a note of what was left out, tail; or a notice instead of binary content. */
  readonly text: string;
  readonly totalBytes: number;
  readonly omittedBytes: number;
  /** What kind of binary content it is, where it is any. */
  readonly binary?: string;
}
