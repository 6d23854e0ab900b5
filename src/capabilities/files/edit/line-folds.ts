import { plainCharacter, typographicClass } from "../fit/typography.ts";
import { type FoldedText, foldText } from "./fold-text.ts";

export type Fold = (text: string) => FoldedText;

/** Three folds, each removing more: line endings, whitespace at line ends, whitespace at both ends. */
function createFolds(alsoFolded: string) {
  const lineEnd = "\\r\\n?";
  // The lookbehind makes the engine try a run of spaces once, not once from each space.
  const spaceAfter = "(?<![ \\t])[ \\t]+(?=[\\r\\n]|$)";
  const spaceBefore = "(?<=^|[\\r\\n])[ \\t]+";
  const createFold = (...parts: string[]): Fold => {
    const pattern = new RegExp(parts.join("|") + alsoFolded, "g");
    return (text) => foldText(text, pattern, foldPiece);
  };
  return {
    lineEnds: createFold(lineEnd),
    trimEnd: createFold(lineEnd, spaceAfter),
    trim: createFold(lineEnd, spaceBefore, spaceAfter),
  };
}

function foldPiece(found: string): string {
  if (found[0] === "\r") return "\n";
  return found[0] === " " || found[0] === "\t" ? "" : plainCharacter(found);
}

export const plainFolds = createFolds("");

export const typographicFolds = createFolds(`|[${typographicClass}]`);
