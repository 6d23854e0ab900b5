import { relative } from "node:path";
import type { Gate } from "../../../kernel/policy/index.ts";
import { fencedText } from "../../../shared/markdown/fenced-text.ts";
import { defined } from "../../../shared/options/defined.ts";
import { plainText } from "../../../shared/text/plain-text.ts";
import type { CommandOutcome } from "../../../tool/services/processes.ts";
import type { FormattedFile } from "../../../tool/services/source-code.ts";
import type { ToolServices } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { findFormatter, notInstalled } from "./find-formatter.ts";

interface FormatParts {
  readonly gate: Pick<Gate, "locate">;
  readonly services: Pick<ToolServices, "files" | "processes">;
  readonly root: string;
}

/**
 * The formatter only prints: its output is written like any other change, so that rules on paths, freshness and undo
 * hold, and a formatter that fails halfway has changed nothing.
 */
export async function formatFile(
  path: string,
  { check = false }: { check?: boolean },
  { gate, services: { files, processes }, root }: FormatParts,
): Promise<FormattedFile> {
  const before = await files.readText(path, { maxBytes: maxFileBytes });
  const source = withoutReturns(before.text);
  if (plainText(source) !== source) {
    const message = `${path} has control characters, which a formatter's output would lose`;
    throw new ToolError("unsupported", message);
  }
  const { canonical } = await gate.locate(path);
  const { formatter, folder, program } = await findFormatter(canonical, { root, files });
  const { name } = formatter;
  const operand = relative(folder, canonical);
  const words = [program, ...formatter.words(operand)].map(quote);
  const outcome = await processes.run(`${words.join(" ")} < ${quote(operand)}`, { directory: folder });
  const after = readResult(outcome, { name, path, isEmpty: source.trim() === "" });
  const isChanged = after !== source;
  const about = { path: before.path, formatter: name, isChanged };
  if (check || !isChanged) return about;
  const { diff } = await files.updateText(path, (current) => {
    if (current.hash === before.hash) return after;
    throw new ToolError("conflict", `${path} was changed while it was being formatted`, {
      hint: "Format it again.",
    });
  });
  return { ...about, ...defined({ diff }) };
}

// The most that a command may print, with room for a formatter that adds to the file.
const maxFileBytes = 150_000;

/** The text with plain line ends, for comparing; the line ends of the file stay as they are. */
function withoutReturns(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function readResult(
  { exitCode, stdout, stderr, omitted, endedBy }: CommandOutcome,
  { name, path, isEmpty }: { name: string; path: string; isEmpty: boolean },
): string {
  if (exitCode === 127) throw notInstalled(name);
  if (exitCode !== 0 || endedBy !== undefined) {
    const said = stderr.trim().slice(0, maxMessage);
    const why = said === "" ? `exit code ${exitCode}` : `it said:\n${fencedText(said)}`;
    throw new ToolError("tool-failed", `${name} could not format ${path}: ${why}`);
  }
  if (omitted.stdout > 0 || (stdout === "" && !isEmpty))
    throw new ToolError("tool-failed", `${name} did not print the whole of ${path}`);
  return withoutReturns(stdout);
}

const maxMessage = 2000;

function quote(word: string): string {
  return /^[\w./=@%+,:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
