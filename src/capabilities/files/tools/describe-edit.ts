import { countOf } from "../../../shared/text/count-of.ts";
import { listOf } from "../../../shared/text/list-of.ts";
import { quoteControls } from "../../../shared/text/quote-controls.ts";
import type { EditedFile } from "../../../tool/services/files.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Wording } from "../../../tool/wording.ts";

/** An edit for the model: how many replacements, where, how loosely the old text matched, the new hash and the diff. */
export function describeEdit({
  path,
  replacements,
  lines,
  matchedBy,
  hash,
  wasUnread,
  diff,
}: EditedFile): string {
  const parts = [
    `Edited ${quoteControls(path)}: ${countOf(replacements, "replacement")}, at ${nameLines(lines)}.`,
  ];
  if (matchedBy !== "exact") parts.push(`The old text matched only when ignoring ${matchWords[matchedBy]}.`);
  return describeWritten(parts, { wasUnread, hash, diff });
}

/** What a tool says of an edited file in the end: whether it had been read, its new hash and the diff. */
export function describeWritten(
  parts: readonly string[],
  {
    wasUnread,
    hash,
    diff,
  }: { readonly wasUnread: boolean; readonly hash: string; readonly diff: string | undefined },
): string {
  const unread = wasUnread ? ["The file had not been read in this session."] : [];
  const said = [...parts, ...unread, `New hash ${hash.slice(0, 16)}.`].join(" ");
  return diff === undefined ? said : `${said}\n${diff}`;
}

/** Throws an error on; one about a notebook's JSON says which tool edits its cells. */
export function throwWithCellTool(error: unknown, wording: Wording): never {
  const isAboutJson = error instanceof ToolError && error.cause instanceof SyntaxError;
  if (!isAboutJson || !wording.hasTool("file_notebook")) throw error;
  throw new ToolError(error.code, error.message, {
    hint: `Edit the cell with ${wording.tool("file_notebook")}, which keeps the JSON valid.`,
    cause: error,
  });
}

function nameLines(lines: readonly number[]): string {
  const shown = lines.slice(0, maxShownLines);
  const numbers = lines.length > maxShownLines ? `${shown.join(", ")}, …` : listOf(shown);
  return `${lines.length === 1 ? "line" : "lines"} ${numbers}`;
}

const maxShownLines = 20;

const matchWords: Record<Exclude<EditedFile["matchedBy"], "exact">, string> = {
  "line-endings": "line endings",
  "trailing-space": "trailing whitespace",
  indentation: "indentation; new lines were re-indented to match the file",
  punctuation: "the style of quotes, dashes and spaces",
  "blank-lines": "blank lines around it that the file does not have",
};
