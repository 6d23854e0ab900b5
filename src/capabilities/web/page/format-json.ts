/**
 * Indents JSON without changing any value: parsing and printing it again would round long numbers and drop repeated
 * keys. Text that is not JSON, or is nested very deeply, stays as it is.
 */
export function formatJson(text: string): string {
  if (!isJson(text)) return text;
  const pieces: string[] = [];
  let depth = 0;
  let opened = "";
  for (const [token] of text.matchAll(tokens)) {
    const isClosing = token === "}" || token === "]";
    if (isClosing) depth -= 1;
    // An empty object or list stays on one line.
    if (opened !== "" && !isClosing) pieces.push(lineBreak(depth));
    else if (opened === "" && isClosing) pieces.push(lineBreak(depth));
    opened = token === "{" || token === "[" ? token : "";
    if (opened !== "") depth += 1;
    if (depth > maxDepth) return text;
    pieces.push(token === ":" ? ": " : token);
    if (token === ",") pieces.push(lineBreak(depth));
  }
  return pieces.join("");
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/** Each level adds two blanks to every line below it. */
const maxDepth = 64;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function lineBreak(depth: number): string {
  return `\n${"  ".repeat(depth)}`;
}
