/**
 * The text as a terminal would finally show it: no control sequences, and only the last state of an overwritten line.
 * Takes linear time, whatever the text contains.
 */
export function plainText(text: string): string {
  if (!hasControls.test(text)) return text;
  const visible = text.replace(controlSequences, "").replace(lineEnds, "\n");
  const settled = rewrites.test(visible) ? visible.split("\n").map(lastState).join("\n") : visible;
  return settled.replace(otherControls, "");
}

const hasControls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

// Terminal strings (OSC with titles, links and clipboard; DCS, SOS, PM, APC) end with BEL or ST. One without an end only
// swallows its own line, so that two bytes cannot hide the rest of the output.
const controlStrings = String.raw`(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])(?:[^\x07\x1b\x90-\x9f]*(?:\x07|\x1b\\|\x9c)|[^\x07\x1b\x90-\x9f\n]*)`;
const parameterSequences = String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?`;
const shortSequences = String.raw`\x1b[ -/]*[0-~]?`;
const controlSequences = new RegExp([controlStrings, parameterSequences, shortSequences].join("|"), "g");

// The lookbehind matches a run of CRs only from its first one; otherwise long runs would take quadratic time.
const lineEnds = /(?<!\r)\r+\n/g;
const rewrites = /[\r\x08]/;
const otherControls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

function lastState(line: string): string {
  if (!rewrites.test(line)) return line;
  const states = line.split("\r").filter((state) => state !== "");
  return withoutErased(states.at(-1) ?? "");
}

/** A backspace removes the character before it, as in bold and underlined text of manual pages. */
function withoutErased(line: string): string {
  if (!line.includes("\b")) return line;
  const kept: string[] = [];
  for (const character of line) {
    if (character === "\b") kept.pop();
    else kept.push(character);
  }
  return kept.join("");
}
