import { createByteMask } from "../../../shared/secrets/mask-bytes.ts";
import type { CommandSpec, OutputStream, RunningCommand } from "../command/running-command.ts";
import { stderrMark } from "../tools/shell-outputs.ts";
import { captureStream, countLineFeeds, type StreamCapture } from "./capture-stream.ts";
import type { OutputFile } from "./output-file.ts";
import { createLineReporter, type LineReporter } from "./report-lines.ts";

/** Maximum bytes of text per stream: 256 KB together. */
const maxTextBytes: Readonly<Record<OutputStream, number>> = {
  stdout: 200 * 1024,
  stderr: 56 * 1024,
};

export interface OutputCapture {
  /** Await the returned promise before reading more. */
  add(stream: OutputStream, chunk: Buffer): Promise<void> | undefined;
  /** Resolves when the last line is reported and the file is complete. */
  end(): Promise<void>;
  readonly read: RunningCommand["output"];
}

/** Sends a command's output to memory (bounded), to a file (whole) and to a listener (line by line). */
export function captureOutput(
  file: OutputFile,
  { onLines, masks = [] }: Pick<CommandSpec, "onLines" | "masks">,
): OutputCapture {
  const capture = captureUnmasked(file, onLines);
  return masks.length === 0 ? capture : maskCapture(capture, masks);
}

/** Masks secrets before they reach the file. */
function maskCapture(capture: OutputCapture, masks: readonly string[]): OutputCapture {
  const byStream = { stdout: createByteMask(masks), stderr: createByteMask(masks) };
  return {
    ...capture,
    add: (stream, chunk) => capture.add(stream, byStream[stream].add(Buffer.from(chunk))),
    async end() {
      for (const stream of ["stdout", "stderr"] as const) {
        const rest = byStream[stream].finish();
        if (rest.length > 0) await capture.add(stream, rest);
      }
      await capture.end();
    },
  };
}

function captureUnmasked(file: OutputFile, onLines: CommandSpec["onLines"]): OutputCapture {
  const streams = {
    stdout: captureStream({ maxBytes: maxTextBytes.stdout, file }),
    stderr: captureStream({ maxBytes: maxTextBytes.stderr, perLine: stderrMark.length, file }),
  };
  let lines = 0;
  let isLineStart = true;
  const reportLines = (stream: OutputStream, text: string) => {
    try {
      onLines?.(stream, text);
    } catch {
      // A failing listener must not lose the output.
    }
  };
  const reporters: Partial<Record<OutputStream, LineReporter>> = {};
  const reporterOf = (stream: OutputStream) => {
    if (onLines === undefined) return undefined;
    reporters[stream] ??= createLineReporter({
      report: (text) => reportLines(stream, text),
      isBinary: streams[stream].isBinary,
    });
    return reporters[stream];
  };
  return {
    add(stream, chunk) {
      const { bytes } = file;
      streams[stream].add(chunk, file.isCapped ? undefined : { bytes, line: lines + 1, isLineStart });
      if (!file.isCapped && chunk.length > 0) {
        lines += countLineFeeds(chunk);
        isLineStart = chunk[chunk.length - 1] === 0x0a;
      }
      reporterOf(stream)?.add(chunk);
      return file.append(chunk);
    },
    async end() {
      reporters.stdout?.end();
      reporters.stderr?.end();
      await file.close();
    },
    read({ maxCharacters, keep } = {}) {
      const { path, bytes, isCapped } = file;
      const shares = maxCharacters === undefined ? {} : shareOut(streams, maxCharacters);
      return {
        stdout: streams.stdout.read(shares.stdout, keep),
        stderr: streams.stderr.read(shares.stderr),
        file: path,
        fileBytes: bytes,
        isFileCapped: isCapped,
      };
    },
  };
}

/** Stderr gets its share if it needs it, and what stdout leaves. */
function shareOut(
  { stdout, stderr }: Readonly<Record<OutputStream, Pick<StreamCapture, "size">>>,
  maxCharacters: number,
): Partial<Record<OutputStream, number>> {
  const errorShare = maxTextBytes.stderr / (maxTextBytes.stdout + maxTextBytes.stderr);
  const most = Math.max(Math.floor(maxCharacters * errorShare), maxCharacters - stdout.size());
  const errors = Math.min(stderr.size(), most);
  return { stdout: maxCharacters - errors, stderr: errors };
}
