import type { PlantedEntry, StartableProgram, WrappedProgram } from "../../../machine/sandbox/index.ts";
import type { ProcessIdentity } from "../../../shared/process-identity.ts";
import type { CommandOutcome } from "../../../tool/services/processes.ts";

/** What to run; bash gets `script` unchanged. */
export interface CommandSpec {
  /** As it was judged, and as it is recorded. */
  readonly command: string;
  /** The same with variables in the place of secrets. Default: `command`. */
  readonly script?: string | undefined;
  /** Values that are masked in its output, before it is kept anywhere. */
  readonly masks?: readonly string[] | undefined;
  /** Absolute. */
  readonly directory: string;
  /** The complete environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Wraps the program in a sandbox. Default: no sandbox. */
  readonly wrap?: ((program: StartableProgram) => Promise<WrappedProgram>) | undefined;
  /** Owner of the command; `endLeftovers` finds its processes by this name. Letters, digits and dashes. */
  readonly marker?: string | undefined;
  /** Path of a new file for the whole output, readable by the user alone. */
  readonly outputFile: string;
  readonly maxOutputFileBytes: number;
  /** Gets whole lines as they arrive, without control sequences or split characters. */
  readonly onLines?: ((stream: OutputStream, text: string) => void) | undefined;
}

export type OutputStream = "stdout" | "stderr";

/** A command that was started. */
export interface RunningCommand {
  readonly identity: ProcessIdentity;
  /** The output so far, bounded; with `maxCharacters`, to what both streams may take together. */
  output(limit?: CaptureLimit): CapturedOutput;
  /** Resolves after the end, once its output is drained (or a moment later if something holds it open). Never rejects. */
  readonly ended: Promise<CommandEnd>;
  /** Ends the command and everything it started, by force if necessary. Resolves when all of it is gone. */
  stop(): Promise<void>;
}

interface CaptureLimit {
  readonly maxCharacters?: number | undefined;
  /** The part of a stdout that is kept if it is too long. Default: `head-and-tail`. */
  readonly keep?: KeptPart;
}

export type KeptPart = "head" | "head-and-tail";

export interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly elapsedMs: number;
  /** The shell's last directory; absent if the shell did not report it. */
  readonly finalDirectory?: string | undefined;
  /** Whether processes it started are still running and hold its output open. */
  readonly leftOpen: boolean;
  /** Entries that the command has left for other programs to run. */
  readonly planted: readonly PlantedEntry[];
  /** False if its sandbox could not be made, so that nothing was run. */
  readonly hasStarted?: boolean | undefined;
}

export interface CapturedOutput {
  readonly stdout: CapturedStream;
  readonly stderr: CapturedStream;
  readonly file: string;
  /** Bytes in the file; fewer than were printed if the cap was reached. */
  readonly fileBytes: number;
  readonly isFileCapped: boolean;
}

export type FilePlace = NonNullable<CommandOutcome["omittedFrom"]>;

/** One stream, or the kept parts of it. */
export interface CapturedStream {
  /** For the model: head, a note on the omission, and perhaps the tail; for binary content, only a notice. */
  readonly text: string;
  readonly totalBytes: number;
  readonly omittedBytes: number;
  /** Where the omission begins in the file; absent if the file ends before it. */
  readonly omittedFrom?: FilePlace | undefined;
  /** The kind of binary content, if it is binary. */
  readonly binary?: string;
}
