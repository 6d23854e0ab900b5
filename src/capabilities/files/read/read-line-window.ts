import { type Content, classifyContent, readFileHead } from "../../../shared/content/classify-content.ts";
import type { ByteSource } from "../../../shared/files/byte-source.ts";
import { errorCodeOf } from "../../../shared/files/error-code.ts";
import { readChunks } from "../../../shared/files/read-chunks.ts";
import type { LineRange, LineWindow } from "../../../tool/services/files.ts";
import { ToolError } from "../../../tool/tool-error.ts";
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
  const { path, sizeBytes, firstLine } = options;
  const found = classifyContent(await readFileHead(source));
  if (found.kind === "binary") throw binaryFile(found, options);
  const content =
    found.encoding === "utf-8" ? { ...found, encoding: standardEncoding(options.encoding) } : found;

  const collector = createLineCollector(options);
  try {
    for await (const chunk of textChunks(source, content, options)) {
      collector.push(chunk);
      if (collector.hasMore() && sizeBytes > maxCountedBytes) {
        return { path, firstLine, sizeBytes, hasMore: true, ...collector.window() };
      }
    }
    const totalLines = collector.end();
    return { path, firstLine, sizeBytes, hasMore: collector.hasMore(), ...collector.window(), totalLines };
  } catch (error) {
    throw errorCodeOf(error) === "ERR_ENCODING_INVALID_ENCODED_DATA"
      ? notText(path, content.encoding)
      : error;
  }
}

function standardEncoding(label = "utf-8"): string {
  try {
    return new TextDecoder(label).encoding;
  } catch (cause) {
    throw new ToolError("invalid-input", `${JSON.stringify(label)} is not a known encoding`, {
      hint: "Use a name such as windows-1252, shift_jis or gb18030.",
      cause,
    });
  }
}

interface TextContent extends Omit<Extract<Content, { kind: "text" }>, "encoding"> {
  readonly encoding: string;
}

/** The text converted to UTF-8, so that lines are found the same way in every encoding. */
function textChunks(
  source: ByteSource,
  content: TextContent,
  options: ReadLineWindowOptions,
): AsyncIterable<Buffer> {
  const { sizeBytes, signal } = options;
  const chunks = readChunks(source, { firstByte: content.byteOrderMarkBytes, sizeBytes, signal });
  return content.encoding === "utf-8" ? chunks : transcode(chunks, content.encoding);
}

async function* transcode(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

function notText(path: string, encoding: string): ToolError {
  return new ToolError("not-text", `${path} is not valid ${encoding.toUpperCase()} text`, {
    hint: "If it uses another encoding, convert it to UTF-8 first.",
  });
}
