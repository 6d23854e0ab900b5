import { ToolError } from "../../../../tool/tool-error.ts";
import { splitLines } from "../encoding/line-endings.ts";

/** Written into a file, a placeholder would replace the code that it stands for. */
export function refuseOmission(newText: string, known: string): void {
  const line = findOmission(newText, known);
  if (line === undefined) return;
  throw new ToolError(
    "invalid-input",
    `the new text has the placeholder ${JSON.stringify(line.trim())} instead of the code that was left out`,
    {
      hint: "Write out every line of the new text, or leave the lines that stay out of both texts. Nothing was changed.",
    },
  );
}

/** The first placeholder for omitted code, such as `// ... existing code ...`, that is not in the known text. */
function findOmission(newText: string, known: string): string | undefined {
  if (!omissionSign.test(newText)) return undefined;
  return splitLines(newText).find((line) => isOmission(line) && !known.includes(line.trim()));
}

const omissionSign = /\.\.\.|…/;

/** A comment or a bracketed line with an ellipsis and a word such as "rest" or "existing". */
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
