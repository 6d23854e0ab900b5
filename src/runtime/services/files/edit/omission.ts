import { ToolError } from "../../../../tool/tool-error.ts";
import { splitLines } from "../encoding/line-endings.ts";

/** A line that stands for code its writer left out, such as `// ... existing code ...`; undefined where there is none. */
export function findOmission(newText: string, known: string): string | undefined {
  if (!omissionSign.test(newText)) return undefined;
  return splitLines(newText).find((line) => isOmission(line) && !known.includes(line.trim()));
}

/** A placeholder written into a file would take the place of what it stands for. */
export function refuseOmission(newText: string, known: string): void {
  const line = findOmission(newText, known);
  if (line === undefined) return;
  throw new ToolError(
    "invalid-input",
    `the new text has ${JSON.stringify(line.trim())} in place of code that was left out`,
    {
      hint: "Write out every line of the new text, or leave the lines that stay out of both texts. Nothing was changed.",
    },
  );
}

const omissionSign = /\.\.\.|…/;

/** An ellipsis in a comment beside words that speak of the rest, or such words in brackets. */
function isOmission(line: string): boolean {
  const [, comment] =
    /^\s*(?:\/\/|#|--|;|%|\/\*|<!--|\{\/\*|\*)\s*(.*?)\s*(?:\*\/\}?|-->)?\s*$/.exec(line) ?? [];
  const said = comment ?? /^\s*[([<]\s*(.*?)\s*[)\]>]\s*$/.exec(line)?.[1];
  if (said === undefined || !/^(?:\.\.\.|…)|(?:\.\.\.|…)$/.test(said)) return false;
  return (
    /\b(?:existing|rest|remaining|unchanged|previous|other|same|omitted|more|keep|original|etc)\b/i.test(
      said,
    ) || /^(?:\.\.\.|…)$/.test(said)
  );
}
