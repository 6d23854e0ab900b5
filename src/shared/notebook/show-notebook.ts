import { createEventLoopYield } from "../event-loop-yield.ts";
import { isPlainObject } from "../json.ts";
import { countOf } from "../text/count-of.ts";
import { oneLine } from "../text/one-line.ts";
import { plainText } from "../text/plain-text.ts";
import { type Notebook, type NotebookCell, textOfValue } from "./parse-notebook.ts";

export type ShownNotebook = Awaited<ReturnType<typeof showNotebook>>;

export interface EmbeddedImage {
  /** The line that names it, counted from 1. */
  readonly line: number;
  readonly cell: number;
  readonly base64: string;
}

/** Which lines, counted from 1; `isFull` says when enough of them are kept. */
export interface NotebookRange {
  readonly firstLine: number;
  readonly isFull: (kept: readonly string[]) => boolean;
}

/**
 * Gives lines of a notebook to read. Those that begin with a bracket are ours; source begins with `| `, output with `> `.
 * A notebook can have a million of them, so only those of a window are kept.
 */
export async function showNotebook({ cells }: Notebook, { firstLine, isFull }: NotebookRange) {
  const letOthersRun = createEventLoopYield();
  const lines: string[] = [];
  /** The cell that each line belongs to. */
  const cellOf: number[] = [];
  /** Lines that stand for something left out, counted from 1. */
  const gaps: number[] = [];
  const images: EmbeddedImage[] = [];
  let totalLines = 0;
  for (const cell of cells) {
    for (const { text, isGap = false, image } of showCell(cell)) {
      totalLines += 1;
      if (totalLines % linesBetweenLooks === 0) await letOthersRun(performance.now());
      if (totalLines < firstLine || isFull(lines)) continue;
      lines.push(text.toWellFormed());
      cellOf.push(cell.index);
      if (isGap) gaps.push(totalLines);
      if (image !== undefined) images.push({ line: totalLines, cell: cell.index, base64: image });
    }
  }
  return { lines, totalLines, cellOf, gaps, images };
}

// Looking at the clock takes longer than a line.
const linesBetweenLooks = 100;

interface ShownLine {
  readonly text: string;
  readonly isGap?: boolean;
  /** Base64. */
  readonly image?: string | undefined;
}

function* showCell(cell: NotebookCell): Generator<ShownLine> {
  const { index, id, type, executionCount, source, outputs } = cell;
  const about = [
    oneLine(type, 40),
    id === undefined ? [] : `id ${oneLine(id, 80)}`,
    executionCount === undefined ? [] : `run ${executionCount}`,
  ];
  yield { text: `[${index}] ${about.flat().join(", ")}` };
  if (source !== "") for (const line of linesOf(source)) yield { text: `| ${line}` };
  for (const output of outputs) yield* showOutput(index, output);
}

/** Yields one at a time: a list of a million lines would take too long to make. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    yield text.slice(start, text[end - 1] === "\r" ? Math.max(start, end - 1) : end);
    start = end + 1;
  }
  yield text.slice(start);
}

function* showOutput(index: number, output: unknown): Generator<ShownLine> {
  const { kind, text = "", image, hidden = [] } = readOutput(output);
  const isHiding = hidden.length > 0;
  const left = isHiding ? `not shown: ${hidden.join(", ")}` : [];
  const about = [kind ?? [], image?.type ?? [], left].flat().join("; ");
  yield { text: `[${index}] output (${about})`, isGap: isHiding, image: image?.base64 };
  const plain = plainText(text).replace(/\n$/, "");
  if (plain === "") return;
  const lines = plain.split("\n");
  for (const line of lines.slice(0, maxOutputLines)) yield { text: `> ${line}` };
  const more = lines.length - maxOutputLines;
  if (more > 0) yield { text: `[${index}] output (not shown: ${countOf(more, "more line")})`, isGap: true };
}

/** The most lines of an output that are shown, so that a cell that prints a log does not hide the next cell. */
const maxOutputLines = 200;

interface ReadOutput {
  /** The kind of text. */
  readonly kind?: string | undefined;
  readonly text?: string | undefined;
  readonly image?: { readonly type: string; readonly base64: string } | undefined;
  /** The kinds of output that are not shown. */
  readonly hidden?: readonly string[];
}

function readOutput(output: unknown): ReadOutput {
  if (!isPlainObject(output)) return { hidden: ["something that is not an output"] };
  const { output_type: type, data } = output;
  if (type === "stream") {
    const name = typeof output.name === "string" ? oneLine(output.name, 40) : "stream";
    return { kind: name, text: textOfValue(output.text) ?? "" };
  }
  if (type === "error") return { kind: "error", text: describeError(output) };
  return isPlainObject(data) ? readData(data) : { hidden: [`output of type ${oneLine(String(type), 40)}`] };
}

function describeError({ ename, evalue, traceback }: Record<string, unknown>): string {
  const name = [ename, evalue].filter((part) => typeof part === "string").join(": ");
  const isTraced = Array.isArray(traceback) && traceback.length > 0;
  return isTraced ? traceback.filter((part) => typeof part === "string").join("\n") : name;
}

/** Reads an output that Jupyter gives in several types: the plainest text is shown, and one image. */
function readData(data: Record<string, unknown>): ReadOutput {
  const isText = (type: string) => textOfValue(data[type]) !== undefined;
  const [kind, image] = [textTypes.find(isText), imageTypes.find(isText)];
  const hidden = Object.keys(data)
    .filter((type) => type !== kind && type !== image)
    .map((type) => oneLine(type, 80) + sizeOf(data[type]));
  return {
    kind,
    text: kind === undefined ? undefined : textOfValue(data[kind]),
    image: image === undefined ? undefined : { type: image, base64: textOfValue(data[image])! },
    hidden,
  };
}

const textTypes = ["text/plain", "text/markdown"];
const imageTypes = ["image/png", "image/jpeg", "image/webp", "image/gif"];

function sizeOf(value: unknown): string {
  const text = textOfValue(value);
  return text === undefined ? "" : ` of ${countOf(text.length, "character")}`;
}
