import { open } from "node:fs/promises";
import { noEffects, type Verdict } from "../../../kernel/policy/index.ts";
import type { Session } from "../../../kernel/runtime/index.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { type ErrorCode, ToolError } from "../../../tool/tool-error.ts";
import { failUsage, UsageError } from "../command.ts";
import type { CommandOutput } from "../terminal/command-output.ts";

// So many calls keep the file system busy; more would only cost memory.
const maxAtOnce = 64;

/** Explains each line of a file and prints one verdict per line, in order, with only a few in memory at a time. */
export async function explainBatch(
  file: string,
  session: Session,
  output: CommandOutput,
): Promise<undefined> {
  let waiting: Promise<BatchVerdict>[] = [];
  for await (const line of readStreamLines(await openInput(file))) {
    waiting.push(explainLine(line, session));
    if (waiting.length < maxAtOnce) continue;
    const hasReader = await output.writeJsonLines(await Promise.all(waiting));
    if (!hasReader) return;
    waiting = [];
  }
  await output.writeJsonLines(await Promise.all(waiting));
}

type BatchVerdict = Verdict & {
  readonly id: unknown;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
};

async function openInput(file: string): Promise<AsyncIterable<Uint8Array>> {
  if (file === "-") return process.stdin;
  const handle = await open(file).catch((cause) => failUsage(`--batch: cannot read ${file}`, cause));
  const isFolder = (await handle.stat()).isDirectory();
  if (!isFolder) return handle.createReadStream();
  await handle.close();
  throw new UsageError(`--batch: ${file} is a folder`);
}

async function explainLine(line: string | TooLongLine, session: Session): Promise<BatchVerdict> {
  if (line instanceof TooLongLine) return refuse(null, line.message);
  const value = parseJson(line);
  if (!isPlainObject(value)) return refuse(null, "the line is not a JSON object");
  const { id = null, tool, input = {}, ...others } = value;
  if (typeof id !== "string" && typeof id !== "number") return refuse(id, "id must be a string or a number");
  if (typeof tool !== "string") return refuse(id, "tool must be a string");
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    return refuse(id, `unknown key ${JSON.stringify(unknown)}; a line has only id, tool and input`);
  try {
    return { id, ...(await session.explain(tool, input)) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return refuse(id, message, error instanceof ToolError ? error.code : "tool-failed");
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The verdict on a call that cannot be checked: it would not run either. */
function refuse(id: unknown, message: string, code: ErrorCode = "invalid-input"): BatchVerdict {
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
  let line: string | TooLongLine = "";
  const add = (piece: string) => {
    if (typeof line !== "string") return;
    line = line.length + piece.length <= maxLineCharacters ? line + piece : new TooLongLine();
  };
  for await (const chunk of chunks) {
    const [rest = "", ...next] = decoder.decode(chunk, { stream: true }).split("\n");
    add(rest);
    for (const piece of next) {
      yield line;
      line = "";
      add(piece);
    }
  }
  add(decoder.decode());
  if (line !== "") yield line;
}
