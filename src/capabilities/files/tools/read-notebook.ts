import { letOthersRun } from "../../../shared/event-loop-yield.ts";
import { NotebookError, parseNotebook } from "../../../shared/notebook/parse-notebook.ts";
import {
  type EmbeddedImage,
  type NotebookRange,
  type ShownNotebook,
  showNotebook,
} from "../../../shared/notebook/show-notebook.ts";
import { defined } from "../../../shared/options/defined.ts";
import type { CutLine, ImageFile, LineRange, LineWindow, TextFile } from "../../../tool/services/files.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Wording } from "../../../tool/wording.ts";

/** Larger notebooks are read as JSON, which is streamed, and not parsed. */
const maxNotebookBytes = 8 * 2 ** 20;

export type NotebookWindow = Awaited<ReturnType<typeof readNotebook>>;

type Range = Required<Omit<LineRange, "encoding">> & Pick<LineRange, "encoding">;

/** Reads lines of a notebook's cells, with what a note about them says. */
export async function readNotebook(
  path: string,
  range: Range,
  { files, wording }: Pick<ToolContext, "files" | "wording">,
) {
  const { encoding, firstLine } = range;
  const options = { maxBytes: maxNotebookBytes, ...defined({ encoding }) };
  const file = await files.readText(path, options).catch((error: unknown) => {
    throw error instanceof ToolError && error.code === "too-large" ? tooLarge(path, wording, error) : error;
  });
  await letOthersRun(file.text);
  const notebook = onNotebook(file, wording, parseNotebook);
  const { gaps, cellOf, images, ...shown } = await showNotebook(notebook, notebookRange(range));
  const isWithin = (line: number, count: number) => line >= firstLine && line < firstLine + count;
  return {
    ...cutLines(shown, range),
    path: file.path,
    sizeBytes: file.sizeBytes,
    totalCells: notebook.cells.length,
    /** The first and the last cell that so many of the lines are from; undefined if there are none. */
    cellsOf: (count: number) =>
      count === 0 ? undefined : { firstCell: cellOf[0]!, lastCell: cellOf[count - 1]! },
    /** Whether some of the lines stand for something left out. */
    hasGaps: (count: number) => gaps.some((line) => isWithin(line, count)),
    /** The images that the lines name. */
    imagesOf: (count: number) => images.filter(({ line }) => isWithin(line, count)),
  };
}

/** Until there are enough lines, or enough characters in those that are kept. */
function notebookRange({ firstLine, maxLines, maxLineCharacters, maxCharacters }: Range): NotebookRange {
  let [counted, characters] = [0, 0];
  const isFull = (kept: readonly string[]) => {
    for (; counted < kept.length; counted += 1)
      characters += Math.min(kept[counted]?.length ?? 0, maxLineCharacters) + 1;
    return kept.length >= maxLines || characters > maxCharacters;
  };
  return { firstLine, isFull };
}

/** An image of an output, checked: a damaged one would make a provider refuse the whole conversation. */
export interface ShownImage extends Omit<ImageFile, "path"> {
  readonly cell: number;
}

/** The first few images that are whole and not large. */
export async function prepareImages(
  embedded: readonly EmbeddedImage[],
  files: ToolContext["files"],
): Promise<readonly ShownImage[]> {
  const shown: ShownImage[] = [];
  for (const { cell, base64 } of embedded.slice(0, maxImages)) {
    if (base64.length > maxImageCharacters) continue;
    try {
      shown.push({ cell, ...(await files.prepareImage(Buffer.from(base64, "base64"))) });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
    }
  }
  return shown;
}

/** Of one page. */
export const maxImages = 4;
const maxImageCharacters = 2 * 2 ** 20;

/** Runs work on a notebook's text; an error of the notebook also tells how to read it anyway. */
export function onNotebook<Result>(file: TextFile, wording: Wording, work: (text: string) => Result): Result {
  if (file.sizeBytes > maxNotebookBytes) throw tooLarge(file.path, wording);
  try {
    return work(file.text);
  } catch (error) {
    if (!(error instanceof NotebookError)) throw error;
    const { code, message, hint } = error;
    if (code !== "unsupported")
      throw new ToolError(code, `${file.path}: ${message}`, { ...defined({ hint }), cause: error });
    const problem = `${file.path} cannot be read as a notebook: ${message}`;
    throw new ToolError(code, problem, { hint: rawHint(wording), cause: error });
  }
}

function tooLarge(path: string, wording: Wording, cause?: unknown): ToolError {
  const message = `${path} is a notebook of more than ${maxNotebookBytes / 2 ** 20} MB`;
  return new ToolError("too-large", message, { hint: rawHint(wording), cause });
}

function rawHint(wording: Wording): string {
  if (!wording.hasTool("file_read")) return "Look at it as the text it is.";
  return `Read it as the text it is, with ${wording.tool("file_read")}, ${wording.argument("raw", true, "file_read")}.`;
}

/** What reading a file's lines does, for lines in memory. */
function cutLines(
  { lines: kept, totalLines }: Pick<ShownNotebook, "lines" | "totalLines">,
  { firstLine, firstColumn, maxLineCharacters }: Range,
): Pick<LineWindow, "lines" | "firstLine" | "totalLines" | "hasMore" | "skippedCharacters" | "cutLines"> {
  const skippedCharacters = Math.min(firstColumn - 1, kept[0]?.length ?? 0);
  const cutLines: CutLine[] = [];
  const lines = kept.map((whole, index) => {
    const line = index === 0 ? whole.slice(skippedCharacters) : whole;
    if (line.length <= maxLineCharacters) return line;
    const short = line.slice(0, maxLineCharacters).replace(/[\ud800-\udbff]$/, "");
    cutLines.push({ line: firstLine + index, cutCharacters: line.length - short.length });
    return short;
  });
  const hasMore = firstLine - 1 + lines.length < totalLines;
  return { lines, firstLine, totalLines, hasMore, skippedCharacters, cutLines };
}
