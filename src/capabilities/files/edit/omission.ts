import { ToolError } from "../../../tool/tool-error.ts";
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
  const text = line.trim();
  const said = insideComment(text) ?? insideBrackets(text);
  if (said === undefined || !/^(?:\.\.\.|…)|(?:\.\.\.|…)$/.test(said)) return false;
  return (
    /\b(?:existing|rest|remaining|unchanged|previous|other|same|omitted|more|keep|original|etc)\b/i.test(
      said,
    ) || /^(?:\.\.\.|…)$/.test(said)
  );
}

function insideComment(text: string): string | undefined {
  const mark = commentMarks.find((each) => text.startsWith(each));
  if (mark === undefined) return undefined;
  const rest = text.slice(mark.length).trim();
  const close = ["*/}", "*/", "-->"].find((each) => rest.endsWith(each)) ?? "";
  return rest.slice(0, rest.length - close.length).trimEnd();
}

const commentMarks = ["//", "#", "--", ";", "%", "/*", "<!--", "{/*", "*"];

function insideBrackets(text: string): string | undefined {
  return text.length > 1 && "([<".includes(text[0]!) && ")]>".includes(text.at(-1)!)
    ? text.slice(1, -1).trim()
    : undefined;
}
