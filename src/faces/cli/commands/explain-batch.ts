import { open } from "node:fs/promises";
import { noEffects, type Verdict } from "../../../kernel/policy/index.ts";
import type { Session } from "../../../kernel/runtime/index.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { type ErrorCode, ToolError } from "../../../tool/tool-error.ts";
import { UsageError } from "../command.ts";
import type { CommandOutput } from "../terminal/command-output.ts";

// So many calls keep the file system busy; more would only cost memory.
const maxAtOnce = 64;

/** Explains each line of a file and prints one verdict per line, in order, with only a few in memory at a time. */
export async function explainBatch(
  file: string,
  { session, output }: { session: Session; output: CommandOutput },
): Promise<void> {
  const lines = readStreamLines(await openInput(file));
  let waiting: Promise<BatchVerdict>[] = [];
  const flush = async (): Promise<boolean> => {
    const verdicts = await Promise.all(waiting);
    waiting = [];
    return output.write(verdicts.map((verdict) => `${JSON.stringify(verdict)}\n`).join(""));
  };
  for await (const line of lines) {
    waiting.push(explainLine(line, session));
    if (waiting.length < maxAtOnce) continue;
    const hasReader = await flush();
    if (!hasReader) return;
  }
  await flush();
}

type BatchVerdict = Verdict & {
  readonly id: unknown;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
};

async function openInput(file: string): Promise<AsyncIterable<Uint8Array>> {
  if (file === "-") return process.stdin;
  try {
    const handle = await open(file);
    const isFolder = (await handle.stat()).isDirectory();
    if (!isFolder) return handle.createReadStream();
    await handle.close();
  } catch (cause) {
    throw new UsageError(`--batch: cannot read ${file}: ${(cause as Error).message}`, { cause });
  }
  throw new UsageError(`--batch: ${file} is a folder`);
}

async function explainLine(line: string | TooLongLine, session: Session): Promise<BatchVerdict> {
  const parsed = parseLine(line);
  try {
    if (!parsed.ok) throw new ToolError("invalid-input", parsed.problem);
    return { id: parsed.id, ...(await session.explain(parsed.tool, parsed.input)) };
  } catch (error) {
    return refuse(parsed.id, error);
  }
}

type ParsedLine =
  | { readonly ok: true; readonly id: string | number; readonly tool: string; readonly input: unknown }
  | { readonly ok: false; readonly id: unknown; readonly problem: string };

function parseLine(line: string | TooLongLine): ParsedLine {
  if (line instanceof TooLongLine) return { ok: false, id: null, problem: line.message };
  const value = parseJson(line);
  if (!isPlainObject(value)) return { ok: false, id: null, problem: "the line is not a JSON object" };
  const { id = null, tool, input = {} } = value;
  if (typeof id !== "string" && typeof id !== "number")
    return { ok: false, id, problem: "id must be a string or a number" };
  if (typeof tool !== "string") return { ok: false, id, problem: "tool must be a string" };
  const [unknown] = Object.keys(value).filter((key) => !["id", "tool", "input"].includes(key));
  if (unknown !== undefined) {
    return {
      ok: false,
      id,
      problem: `unknown key ${JSON.stringify(unknown)}; a line has only id, tool and input`,
    };
  }
  return { ok: true, id, tool, input };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The verdict on a call that cannot be checked: it would not run either. */
function refuse(id: unknown, error: unknown): BatchVerdict {
  const code = error instanceof ToolError ? error.code : "tool-failed";
  const message = error instanceof Error ? error.message : String(error);
  return {
    id,
    decision: "deny",
    reason: message,
    decidedBy: "input check",
    permissionClass: "execute",
    effects: noEffects,
    error: { code, message },
  };
}

/** Yielded in place of a line that is too long to keep in memory. */
export class TooLongLine extends Error {
  override readonly name = "TooLongLine";

  constructor() {
    super(`the line is longer than ${maxLineCharacters.toLocaleString("en-US")} characters`);
  }
}

const maxLineCharacters = 8 * 1024 * 1024;

/**
 * Yields the lines of a stream, one at a time. Only a line feed ends a line: `node:readline` also splits at U+2028,
 * which may occur inside a JSON string.
 */
export async function* readStreamLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<string | TooLongLine, void, void> {
  const decoder = new TextDecoder();
  let rest = "";
  let isTooLong = false;
  const end = (piece: string): string | TooLongLine => {
    const line =
      isTooLong || rest.length + piece.length > maxLineCharacters ? new TooLongLine() : rest + piece;
    rest = "";
    isTooLong = false;
    return line;
  };
  const keep = (piece: string) => {
    isTooLong ||= rest.length + piece.length > maxLineCharacters;
    rest = isTooLong ? "" : rest + piece;
  };
  for await (const chunk of chunks) {
    const pieces = decoder.decode(chunk, { stream: true }).split("\n");
    const last = pieces.pop() ?? "";
    for (const piece of pieces) yield end(piece);
    keep(last);
  }
  keep(decoder.decode());
  if (rest !== "" || isTooLong) yield end("");
}
