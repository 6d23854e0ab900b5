import { DocumentError } from "../../../shared/front-matter/document-error.ts";
import type { FrontMatterField } from "../../../shared/front-matter/read-front-matter.ts";

/** Names and patterns of tools, as a list or as one text with commas; which tools they mean is not looked at. */
export function readToolNames(
  key: string,
  field: FrontMatterField | undefined,
): readonly string[] | undefined {
  if (field === undefined) return undefined;
  if (field.kind === "nested")
    throw new DocumentError(field.line, `${key} must be names with commas between them, or a list of names`);
  const texts = field.kind === "list" ? field.items : splitOutsideBrackets(field.text);
  const names = [...new Set(texts.map((text) => text.trim()).filter((name) => name !== ""))];
  // It could mean all as well as none.
  if (names.length === 0 && !(field.kind === "list" && field.items.length === 0))
    throw new DocumentError(field.line, `${key} is empty; leave it out, or write [] for none`);
  if (names.length > maxNames) throw new DocumentError(field.line, `${key} has more than ${maxNames} names`);
  const odd = names.find((name) => !isToolText(name));
  if (odd === undefined) return names;
  throw new DocumentError(field.line, `${key}: ${JSON.stringify(odd)} is no name or pattern of a tool`);
}

/** `Bash(git log, git diff)` is one. */
function splitOutsideBrackets(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if ((character === "," && depth === 0) || character === "\n") {
      pieces.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...pieces, text.slice(start)];
}

// Whoever compares them with the names of tools must not be kept busy by somebody's file.
const maxNames = 500;
const maxNameCharacters = 1000;

/** Nothing in it hides, and its brackets are whole. */
function isToolText(text: string): boolean {
  if (text.length > maxNameCharacters) return false;
  return /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}()]+(?:\([^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*\))?$/u.test(text);
}
