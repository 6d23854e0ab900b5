import { classifyContent, readFileHead } from "../../../shared/content/classify-content.ts";
import type { ByteSource } from "../../../shared/files/byte-source.ts";
import { errorCodeOf } from "../../../shared/files/error-code.ts";
import { readChunks } from "../../../shared/files/read-chunks.ts";
import type { LineRange, LineWindow } from "../../../tool/services/files.ts";
import { notText, standardName } from "../encoding/decode-text.ts";
import { binaryFile } from "./binary-file.ts";
import { createLineCollector } from "./line-collector.ts";

export interface ReadLineWindowOptions extends LineRange {
  readonly path: string;
  readonly sizeBytes: number;
  readonly signal: AbortSignal;
  /** Bytes that are not UTF-8 are read as replacement characters, and do not fail. */
  readonly isLenient?: boolean;
}

// Up to this size, counting the lines to the end of the file takes only a few milliseconds.
const maxCountedBytes = 4 * 2 ** 20;

/** Streams a file up to the end of the window, and decodes only the window. */
export async function readLineWindow(
  source: ByteSource,
  options: ReadLineWindowOptions,
): Promise<LineWindow> {
  const { path, sizeBytes, firstLine, signal } = options;
  const found = classifyContent(await readFileHead(source));
  if (found.kind === "binary") throw binaryFile(found, options);
  const encoding =
    found.encoding === "utf-8"
      ? standardName(options.encoding, "windows-1252, shift_jis or gb18030")
      : found.encoding;
  const chunks = readChunks(source, { firstByte: found.byteOrderMarkBytes, sizeBytes, signal });
  const collector = createLineCollector(options);
  try {
    // Converted to UTF-8, so that lines are found the same way in every encoding.
    for await (const chunk of encoding === "utf-8" ? chunks : transcode(chunks, encoding)) {
      collector.push(chunk);
      if (collector.hasMore() && sizeBytes > maxCountedBytes) {
        return { path, firstLine, sizeBytes, hasMore: true, ...collector.window() };
      }
    }
    const totalLines = collector.end();
    return { path, firstLine, sizeBytes, hasMore: collector.hasMore(), ...collector.window(), totalLines };
  } catch (error) {
    if (errorCodeOf(error) !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    throw notText(path, encoding, "If it uses another encoding, convert it to UTF-8 first.");
  }
}

async function* transcode(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}
