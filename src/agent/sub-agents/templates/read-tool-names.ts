import { DocumentError } from "../../../shared/front-matter/document-error.ts";
import type { FrontMatterField } from "../../../shared/front-matter/read-front-matter.ts";

/** Names and patterns of tools, as a list or separated by commas; whether such tools exist is not checked. */
export function readToolNames(
  key: string,
  field: FrontMatterField | undefined,
): readonly string[] | undefined {
  if (field === undefined) return undefined;
  if (field.kind === "nested")
    throw new DocumentError(field.line, `${key} must be a list of names, or names separated by commas`);
  const texts = field.kind === "list" ? field.items : splitOutsideBrackets(field.text);
  const names = [...new Set(texts.map((text) => text.trim()).filter((name) => name !== ""))];
  // An empty value could mean all tools or none.
  if (names.length === 0 && !(field.kind === "list" && field.items.length === 0))
    throw new DocumentError(field.line, `${key} is empty; leave it out, or write [] for none`);
  if (names.length > maxNames) throw new DocumentError(field.line, `${key} has more than ${maxNames} names`);
  const odd = names.find((name) => !isToolText(name));
  if (odd === undefined) return names;
  throw new DocumentError(field.line, `${key}: ${JSON.stringify(odd)} is not a tool name or pattern`);
}

/** `Bash(git log, git diff)` is one piece. */
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

// Bounds the work of matching names from an untrusted file against all tools.
const maxNames = 500;
const maxNameCharacters = 1000;

/** No invisible characters, and balanced brackets. */
function isToolText(text: string): boolean {
  if (text.length > maxNameCharacters) return false;
  return /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}()]+(?:\([^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*\))?$/u.test(text);
}
