import { classifyContent } from "../../../shared/content/classify-content.ts";
import { readWhole } from "../../../shared/files/read-whole.ts";
import type { TextFile } from "../../../tool/services/files.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { decodeText } from "../encoding/decode-text.ts";
import type { TextShape } from "../encoding/text-shape.ts";
import type { ReadableTree } from "../tree/tree.ts";
import { binaryFile } from "./binary-file.ts";

/** A whole file as it was read. */
export interface ReadFile {
  readonly bytes: Buffer;
  readonly hash: string;
  readonly stamp: string;
  readonly mode: number;
}

export interface ReadText extends ReadFile {
  readonly file: TextFile;
  readonly shape: TextShape;
}

export interface ReadTextOptions {
  readonly tree: ReadableTree;
  readonly signal: AbortSignal;
  /** The path as shown to the caller. */
  nameOf(canonical: string): string;
  readonly encoding?: string | undefined;
  readonly maxBytes?: number | undefined;
}

/** A text of this size is decoded, searched and encoded without a noticeable delay. */
export const defaultMaxBytes = 50 * 2 ** 20;

export async function readText(path: string, options: ReadTextOptions): Promise<ReadText> {
  return asText(path, await readFile(path, options), options);
}

export async function readFile(path: string, options: ReadTextOptions): Promise<ReadFile> {
  const { tree, signal, nameOf, maxBytes = defaultMaxBytes } = options;
  const name = nameOf(path);
  const { source, sizeBytes, mode, stamp, close } = await tree.openFile(path, name);
  try {
    if (sizeBytes > maxBytes) throw tooLarge(name, sizeBytes, maxBytes);
    return { ...(await readWhole(source, { sizeBytes, signal })), mode, stamp };
  } finally {
    await close();
  }
}

export function asText(
  path: string,
  read: ReadFile,
  { nameOf, encoding }: Pick<ReadTextOptions, "nameOf" | "encoding">,
): ReadText {
  const { bytes, hash } = read;
  const name = nameOf(path);
  const sizeBytes = bytes.length;
  const content = classifyContent(bytes.subarray(0, 512));
  // Text in an encoding named by the caller may contain NULs.
  if (content.kind === "binary" && encoding === undefined)
    throw binaryFile(content, { path: name, sizeBytes });
  const { text, shape } = decodeText(bytes, { path: name, encoding });
  const file = { path: name, text, hash, sizeBytes, lineEnding: shape.lineEnding, encoding: shape.encoding };
  return { ...read, shape, file };
}

function tooLarge(name: string, sizeBytes: number, maxBytes: number): ToolError {
  return new ToolError(
    "too-large",
    `${name} has ${sizeBytes} bytes; at most ${maxBytes} can be read at once`,
    { hint: "Read it in parts." },
  );
}
