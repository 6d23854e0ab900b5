import type { CapturedOutput, CommandSpec, OutputStream } from "../command/running-command.ts";
import { captureStream } from "./capture-stream.ts";
import type { OutputFile } from "./output-file.ts";
import { createLineReporter, type LineReporter } from "./report-lines.ts";

/** How many bytes of text each stream gives at most: 256 KB together. */
const maxTextBytes: Readonly<Record<OutputStream, number>> = {
  stdout: 200 * 1024,
  stderr: 56 * 1024,
};

export interface OutputCapture {
  /** What it returns is to be waited for before more is read. */
  add(stream: OutputStream, chunk: Buffer): Promise<void> | undefined;
  /** When the last line is reported and the file is complete. */
  end(): Promise<void>;
  read(): CapturedOutput;
}

/** Where the output of a command goes: bounded to memory, whole to the file, line by line to whoever watches. */
export function captureOutput(file: OutputFile, onLines: CommandSpec["onLines"]): OutputCapture {
  const streams = {
    stdout: captureStream(maxTextBytes.stdout),
    stderr: captureStream(maxTextBytes.stderr),
  };
  const tellOf = (stream: OutputStream, text: string) => {
    try {
      onLines?.(stream, text);
    } catch {
      // A listener that fails is no reason to lose the output.
    }
  };
  const reporters: Partial<Record<OutputStream, LineReporter>> = {};
  const reporterOf = (stream: OutputStream) => {
    if (onLines === undefined) return undefined;
    reporters[stream] ??= createLineReporter({
      report: (text) => tellOf(stream, text),
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
