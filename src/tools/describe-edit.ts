import type { EditedFile } from "../tool/services/files.ts";

/** What the model reads of an edit: how often, where, how it was found if not literally, the diff and the new hash. */
export function describeEdit({
  path,
  replacements,
  lines,
  matchedBy,
  hash,
  wasUnread,
  diff,
}: EditedFile): string {
  const times = replacements === 1 ? "1 replacement" : `${replacements} replacements`;
  const shown = lines.slice(0, maxShownLines).join(", ") + (lines.length > maxShownLines ? ", …" : "");
  const parts = [`Edited ${path}: ${times} at line ${shown}.`];
  if (matchedBy !== "exact")
    parts.push(`The old text was found after allowing for ${matchWords[matchedBy]}.`);
  if (wasUnread) parts.push("The file had not been read in this session.");
  parts.push(`New hash ${hash.slice(0, 16)}.`);
  return diff === undefined ? parts.join(" ") : `${parts.join(" ")}\n${diff}`;
}

const maxShownLines = 20;

const matchWords: Record<Exclude<EditedFile["matchedBy"], "exact">, string> = {
  "line-endings": "other line endings",
  "trailing-space": "space at the ends of lines",
  indentation: "another indentation; new lines were indented as the file is",
  punctuation: "typographic quotes, dashes and spaces",
  "blank-lines": "blank lines around it that the file does not have",
};
