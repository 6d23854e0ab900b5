import type { CapturedOutput, CommandSpec, OutputStream } from "../command/running-command.ts";
import { captureStream } from "./capture-stream.ts";
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
  read(): CapturedOutput;
}

/** Sends a command's output to memory (bounded), to a file (whole) and to a listener (line by line). */
export function captureOutput(file: OutputFile, onLines: CommandSpec["onLines"]): OutputCapture {
  const streams = {
    stdout: captureStream(maxTextBytes.stdout),
    stderr: captureStream(maxTextBytes.stderr),
  };
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
      streams[stream].add(chunk);
      reporterOf(stream)?.add(chunk);
      return file.append(chunk);
    },
    async end() {
      reporters.stdout?.end();
      reporters.stderr?.end();
      await file.close();
    },
    read() {
      const { path, bytes, isCapped } = file;
      return {
        stdout: streams.stdout.read(),
        stderr: streams.stderr.read(),
        file: path,
        fileBytes: bytes,
        isFileCapped: isCapped,
      };
    },
  };
}
