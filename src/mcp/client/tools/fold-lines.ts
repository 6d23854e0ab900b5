/**
 * JSON with its long strings over several lines, so that a comparison shows what has changed in one and not all of it.
 * Nothing is added but line breaks and indentation, and nothing is cut inside an escape.
 */
export function foldLines(json: string): string {
  return json.split("\n").map(foldLine).join("\n");
}

function foldLine(line: string): string {
  const indent = " ".repeat(line.search(/\S|$/) + 4);
  const lines = line.replace(/\\./g, (found) => (found === "\\n" ? "\\n\n" : found)).split("\n");
  return lines.flatMap((each) => each.match(foldable) ?? []).join(`\n${indent}`);
}

// To the end of the word, unless there is none in sight.
const foldable = /(?:\\u[\da-f]{4}|\\.|[^\\]){100}(?:\\u[\da-f]{4}|\\.|[^\\ ]){0,100} ?|.+/gu;
