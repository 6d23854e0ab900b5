import { declareTool } from "../../tool/define-tool.ts";
import type { CutLine, Files, ImageFile, LineWindow } from "../../tool/services/files.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { PartsResult } from "../../tool/tool-result.ts";
import type { Wording } from "../../tool/wording.ts";

export default declareTool({
  name: "file_read",
  description:
    "Read a text file or an image. Lines of text are numbered. Use offset and limit to read a long file in parts.",
  params: {
    path: { type: "string", format: "path", description: "Path of the file, relative to the workspace" },
    offset: { type: "integer", minimum: 1, default: 1, description: "The line to start at, counted from 1" },
    limit: { type: "integer", minimum: 1, default: 2000, description: "Maximum number of lines to read" },
    encoding: {
      type: "string",
      required: false,
      description: "Encoding of a file that is not UTF-8 and has no byte order mark, such as windows-1252",
    },
  },
  traits: { readOnly: true, concurrencySafe: true, idempotent: true, deferrable: false },
  searchHint: "open show cat view contents of a file",
  permission: ({ path }) => ({ action: "read", target: path }),
  async run({ path, offset, limit, encoding }, { files }): Promise<ReadOutput> {
    try {
      const lines = { firstLine: offset, maxLines: limit, ...(encoding !== undefined && { encoding }) };
      const window = await files.readLines(path, lines);
      return toTextOutput(window, limit);
    } catch (error) {
      return await answerOtherwise(error, path, files);
    }
  },
  toText(output, wording) {
    // An image's result has a text part of its own.
    if (!("kind" in output)) return "";
    return output.kind === "text" ? numberLines(output, wording) : describeDocument(output);
  },
});

type ReadOutput = TextOutput | DocumentOutput | PartsResult;

interface TextOutput {
  readonly kind: "text";
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
  readonly lines: number;
  readonly totalLines?: number;
  readonly truncated: boolean;
  readonly content: string;
  readonly cutLines?: readonly CutLine[];
}

interface DocumentOutput {
  readonly kind: "document";
  readonly path: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
}

function toTextOutput(window: LineWindow, limit: number): TextOutput {
  const { path, firstLine, lines, totalLines, hasMore, cutLines } = window;
  return {
    kind: "text",
    path,
    offset: firstLine,
    limit,
    lines: lines.length,
    ...(totalLines !== undefined && { totalLines }),
    truncated: hasMore || cutLines.length > 0,
    content: lines.join("\n"),
    ...(cutLines.length > 0 && { cutLines }),
  };
}

async function answerOtherwise(error: unknown, path: string, files: Files): Promise<ReadOutput> {
  if (!(error instanceof ToolError)) throw error;
  if (error.code === "is-directory") {
    throw new ToolError(error.code, error.message, { hint: "List it with file_list (ls).", cause: error });
  }
  if (error.code !== "binary-file") throw error;
  const description = await files.describe(path);
  if (imageTypes.has(description.mediaType)) return showImage(await files.readImage(path));
  if (description.mediaType !== "application/pdf") throw error;
  return { kind: "document", ...description };
}

const imageTypes = new Set(
  ["jpeg", "png", "gif", "webp", "tiff", "heic", "avif"].map((type) => `image/${type}`),
);

function showImage({ data, mimeType, ...image }: ImageFile): PartsResult {
  const done = image.notes.length === 0 ? "" : `, ${image.notes.join(", ")}`;
  const text = `${image.path} (${mimeType}, ${image.width}x${image.height}${done})`;
  return {
    content: [
      { type: "text", text },
      { type: "image", data, mimeType },
    ],
    data: { kind: "image", mimeType, ...image },
  };
}

function numberLines(output: TextOutput, wording: Wording): string {
  const { path, offset, lines, totalLines, content } = output;
  if (totalLines === 0) return "File exists but is empty";
  if (lines === 0) {
    return `(${path} has ${countLines(totalLines)}, so there is nothing at ${wording.argument("offset", offset)}.)`;
  }
  const cuts = new Map(output.cutLines?.map(({ line, cutCharacters }) => [line, cutCharacters]));
  const numbered = content.split("\n").map((text, index) => {
    const line = offset + index;
    return `${String(line).padStart(6)}\t${text}${cutMark(cuts.get(line))}`;
  });
  return [...numbered, ...continuation(output, wording)].join("\n");
}

function countLines(count: number | undefined): string {
  return count === 1 ? "1 line" : `${count} lines`;
}

function cutMark(cutCharacters: number | undefined): string {
  return cutCharacters === undefined ? "" : `… (${cutCharacters} more characters in this line)`;
}

function continuation({ offset, lines, totalLines, truncated }: TextOutput, wording: Wording): string[] {
  const lastLine = offset + lines - 1;
  if (!truncated || lastLine === totalLines) return [];
  const total = totalLines === undefined ? "" : ` of ${totalLines}`;
  return [
    `(Showing lines ${offset}-${lastLine}${total}. Continue with ${wording.argument("offset", lastLine + 1)}.)`,
  ];
}

function describeDocument({ path, mediaType, sizeBytes }: DocumentOutput): string {
  return `${path} is a PDF document (${mediaType}, ${sizeBytes} bytes); it cannot be read as text.`;
}
