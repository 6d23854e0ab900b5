import { isNotebookPath } from "../../../../shared/notebook/parse-notebook.ts";
import { defined } from "../../../../shared/options/defined.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { quoteControls } from "../../../../shared/text/quote-controls.ts";
import { countFitting, pageRoom } from "../../../../tool/builtin/fit-page.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import type { FileDescription, ImageFile, LineWindow } from "../../../../tool/services/files.ts";
import type { ToolContext } from "../../../../tool/tool-context.ts";
import { ToolError } from "../../../../tool/tool-error.ts";
import type { PartsResult } from "../../../../tool/tool-result.ts";
import type { Wording } from "../../../../tool/wording.ts";
import { readResult } from "../file-outputs.ts";
import {
  maxImages,
  type NotebookWindow,
  prepareImages,
  readNotebook,
  type ShownImage,
} from "../read-notebook.ts";
import { encodingParam } from "../text-params.ts";

export default declareTool({
  name: "file_read",
  description:
    "Read a text file, an image, or the cells of a Jupyter notebook with their outputs. Lines of text are numbered. Use offset and limit to read a long file in parts.",
  params: {
    path: { type: "string", format: "path", description: "Path of the file, relative to the workspace" },
    offset: { type: "integer", minimum: 1, default: 1, description: "The line to start at, counted from 1" },
    limit: { type: "integer", minimum: 1, default: 2000, description: "Maximum number of lines to read" },
    column: {
      type: "integer",
      minimum: 1,
      default: 1,
      description: "The character to start at in that line, counted from 1, to read on in a long line",
    },
    encoding: encodingParam,
    raw: {
      type: "boolean",
      default: false,
      description: "Read a notebook (.ipynb) as the JSON text that it is, instead of as cells",
    },
  },
  prompt: `Read a file before you change it. In a long file, search for the place first, then read the lines around it.
The line numbers are not part of the file: leave them out of everything you write.
In a notebook, a line such as "[3] code, id a1b2" begins the cell with index 3; "| " marks its source and "> " its output. Offsets count the lines as they are shown.`,
  traits: { readOnly: true, concurrencySafe: true, idempotent: true, deferrable: false },
  output: readResult,
  searchHint: "open show cat view contents of a file",
  permission: ({ path }) => ({ action: "read", target: path }),
  async run({ path, offset, limit, column, encoding, raw }, context) {
    const { files, maxOutputCharacters, markTruncated } = context;
    const asCells = isNotebookPath(path) && !raw;
    const room = asCells ? roomBesideImages(maxOutputCharacters) : pageRoom(maxOutputCharacters);
    try {
      const range = {
        firstLine: offset,
        maxLines: limit,
        firstColumn: column,
        maxLineCharacters: Math.min(column > 1 ? maxPartCharacters : maxLineCharacters, room - aroundCutLine),
        maxCharacters: room,
        ...defined({ encoding }),
      };
      if (asCells) {
        return await showCells(fitWindow(await readNotebook(path, range, context), room), limit, context);
      }
      const window = await files.readLines(path, range);
      const shown = toShownLines(fitWindow(window, room), limit);
      if (shown.truncated) markTruncated();
      return { kind: "text" as const, ...shown };
    } catch (error) {
      return await answerOtherwise(error, path, context);
    }
  },
  toText(output, wording) {
    // A result with images also has a part with text.
    if (!("kind" in output)) return "";
    return output.kind === "text" ? numberLines(output, wording) : describeDocument(output);
  },
});

// Enough of a line to recognise it; a caller that needs the rest asks for it.
const maxLineCharacters = 2000;
const maxPartCharacters = 2 ** 20;
// The line's number, and how much of it is missing where.
const aroundLine = 10;
const aroundCutLine = 140;

/** The notes name each image, and so does the text of its part. */
function roomBesideImages(maxOutputCharacters: number): number {
  const room = pageRoom(maxOutputCharacters);
  return Math.max(Math.floor(room / 2), room - aroundImages);
}

const aroundImages = 400;

/** The lines are those of the cells as they are shown, not those of the file. */
interface NotebookOutput extends ShownLines {
  readonly kind: "notebook";
  readonly cells: number;
  /** The cells that the lines are from, counted from 0. */
  readonly firstCell?: number;
  readonly lastCell?: number;
  /** How many images the lines name. */
  readonly images: number;
  readonly shownImages: readonly Omit<ShownImage, "data">[];
}

type ShownLines = ReturnType<typeof toShownLines>;

/** Ends the window with the last line that fits whole. */
function fitWindow<Window extends LineWindow>(window: Window, room: number): Window {
  const { firstLine, lines, cutLines, skippedCharacters } = window;
  const cut = new Set(cutLines.map(({ line }) => line));
  const isPart = (index: number) => cut.has(firstLine + index) || (index === 0 && skippedCharacters > 0);
  const count = countFitting(
    lines.map((text, index) => text.length + (isPart(index) ? aroundCutLine : aroundLine)),
    room,
  );
  if (count === lines.length) return window;
  return {
    ...window,
    lines: lines.slice(0, count),
    cutLines: cutLines.filter(({ line }) => line < firstLine + count),
    hasMore: true,
  };
}

async function showCells(
  window: NotebookWindow,
  limit: number,
  { files, wording, markTruncated }: Pick<ToolContext, "files" | "wording" | "markTruncated">,
): Promise<PartsResult> {
  const { lines, totalCells: cells, cellsOf, hasGaps, imagesOf } = window;
  const embedded = imagesOf(lines.length);
  const prepared = await prepareImages(embedded, files);
  const shown = toShownLines(window, limit);
  const data: NotebookOutput = {
    kind: "notebook",
    ...shown,
    truncated: shown.truncated || hasGaps(lines.length) || prepared.length < embedded.length,
    cells,
    ...cellsOf(lines.length),
    images: embedded.length,
    shownImages: prepared.map(({ data: _data, ...image }) => image),
  };
  if (data.truncated) markTruncated();
  return {
    content: [
      { type: "text", text: numberCells(data, wording) },
      ...prepared.map(({ data: base64, mimeType }) => ({ type: "image", data: base64, mimeType }) as const),
    ],
    data,
  };
}

function toShownLines(window: LineWindow, limit: number) {
  const { path, firstLine, lines, totalLines, hasMore, cutLines, skippedCharacters } = window;
  const isCut = cutLines.length > 0;
  return {
    path,
    offset: firstLine,
    limit,
    // Where the first line starts, if not at its beginning.
    ...defined({ column: skippedCharacters > 0 ? skippedCharacters + 1 : undefined }),
    lines: lines.length,
    ...defined({ totalLines }),
    truncated: hasMore || isCut,
    content: lines.join("\n"),
    ...defined({ cutLines: isCut ? cutLines : undefined }),
  };
}

async function answerOtherwise(
  error: unknown,
  path: string,
  { files, wording }: Pick<ToolContext, "files" | "wording">,
) {
  if (!(error instanceof ToolError)) throw error;
  if (error.code === "is-directory") {
    throw new ToolError(error.code, error.message, {
      hint: wording.hasTool("file_list")
        ? `List it with ${wording.tool("file_list")} (ls).`
        : "List its entries instead (ls).",
      cause: error,
    });
  }
  if (error.code !== "binary-file") throw error;
  const description = await files.describe(path);
  if (imageTypes.has(description.mediaType)) return showImage(await files.readImage(path));
  if (description.mediaType !== "application/pdf") throw error;
  return { kind: "document" as const, ...description };
}

const imageTypes = new Set(
  ["jpeg", "png", "gif", "webp", "tiff", "heic", "avif"].map((type) => `image/${type}`),
);

function showImage({ data, mimeType, ...image }: ImageFile): PartsResult {
  const done = image.notes.length === 0 ? "" : `, ${image.notes.join(", ")}`;
  const text = `${quoteControls(image.path)} (${mimeType}, ${image.width}x${image.height}${done})`;
  return {
    content: [
      { type: "text", text },
      { type: "image", data, mimeType },
    ],
    data: { kind: "image", mimeType, ...image },
  };
}

function numberCells(output: NotebookOutput, wording: Wording): string {
  const { path, cells, firstCell, lastCell } = output;
  const raw = `${wording.argument("raw", true)} shows its JSON`;
  if (cells === 0) return `(${quoteControls(path)} is a notebook without cells; ${raw}.)`;
  if (firstCell === undefined) return numberLines(output, wording);
  const range = firstCell === lastCell ? `cell ${firstCell}` : `cells ${firstCell}-${lastCell}`;
  const note = `(A notebook: ${range} of ${cells}, counted from 0; ${raw}.)`;
  return numberLines(output, wording, [note, ...describeImages(output)]);
}

function describeImages({ images, shownImages }: NotebookOutput): string[] {
  const missing = images - shownImages.length;
  const shown = shownImages.map(({ cell, width, height }) => `of cell ${cell}, ${width}x${height}`);
  const left = `${countOf(missing, "image")} not shown: large, damaged, or after the first ${maxImages} of a page`;
  return [
    ...(shown.length > 0 ? [`(Images below: ${shown.join("; ")}.)`] : []),
    ...(missing > 0 ? [`(${left}.)`] : []),
  ];
}

function numberLines(output: ShownLines, wording: Wording, notes: readonly string[] = []): string {
  const { path, offset, column = 1, lines, totalLines, content } = output;
  if (totalLines === 0) return "File exists but is empty";
  if (lines === 0) {
    return `(${quoteControls(path)} has ${totalLines === 1 ? "1 line" : `${totalLines} lines`}, so there is nothing at ${wording.argument("offset", offset)}.)`;
  }
  const cuts = new Map(output.cutLines?.map(({ line, cutCharacters }) => [line, cutCharacters]));
  const numbered = content.split("\n").map((text, index) => {
    const line = offset + index;
    const skipped = index === 0 ? column - 1 : 0;
    const next = wording.argument("column", skipped + text.length + 1);
    const rest = `${wording.argument("offset", line)}, ${next}`;
    return `${String(line).padStart(6)}\t${skipMark(skipped)}${text}${cutMark(cuts.get(line), rest)}`;
  });
  return [...numbered, ...notes, ...continuation(output, wording)].join("\n");
}

function skipMark(skippedCharacters: number): string {
  return skippedCharacters === 0 ? "" : `(after ${countOf(skippedCharacters, "character")}) …`;
}

function cutMark(cutCharacters: number | undefined, rest: string): string {
  if (cutCharacters === undefined) return "";
  return `… (${countOf(cutCharacters, "more character")} in this line: ${rest})`;
}

function continuation({ offset, lines, totalLines, truncated }: ShownLines, wording: Wording): string[] {
  const lastLine = offset + lines - 1;
  if (!truncated || lastLine === totalLines) return [];
  const total = totalLines === undefined ? "" : ` of ${totalLines}`;
  return [
    `(Showing lines ${offset}-${lastLine}${total}. Continue with ${wording.argument("offset", lastLine + 1)}.)`,
  ];
}

function describeDocument({ path, mediaType, sizeBytes }: FileDescription): string {
  return `${quoteControls(path)} is a PDF document (${mediaType}, ${sizeBytes} bytes); it cannot be read as text.`;
}
