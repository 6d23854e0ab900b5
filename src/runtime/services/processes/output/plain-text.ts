/**
 * What a terminal would leave to read: no control sequences, and of a line that was written over again and again only
 * its last state. Takes time in proportion to the text, whatever is in it.
 */
export function plainText(text: string): string {
  if (!hasControls.test(text)) return text;
  const visible = text.replace(controlSequences, "").replace(lineEnds, "\n");
  const settled = rewrites.test(visible) ? visible.split("\n").map(lastState).join("\n") : visible;
  return settled.replace(otherControls, "");
}

const hasControls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

// Strings for the terminal (OSC with its titles, links and clipboard, DCS, SOS, PM, APC) end with BEL or ST. One that
// never ends takes its line only: the rest of the output must not be hidden by two bytes.
const controlStrings = String.raw`(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])(?:[^\x07\x1b\x90-\x9f]*(?:\x07|\x1b\\|\x9c)|[^\x07\x1b\x90-\x9f\n]*)`;
const parameterSequences = String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?`;
const shortSequences = String.raw`\x1b[ -/]*[0-~]?`;
const controlSequences = new RegExp([controlStrings, parameterSequences, shortSequences].join("|"), "g");

// Looked for from the first of several only, or many without a line end would be looked at again and again.
const lineEnds = /(?<!\r)\r+\n/g;
const rewrites = /[\r\x08]/;
const otherControls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

function lastState(line: string): string {
  if (!rewrites.test(line)) return line;
  const states = line.split("\r").filter((state) => state !== "");
  return withoutErased(states.at(-1) ?? "");
}

/** A backspace takes the character before it away, as in the bold and underlined text of manual pages. */
function withoutErased(line: string): string {
  if (!line.includes("\b")) return line;
  const kept: string[] = [];
  for (const character of line) {
    if (character === "\b") kept.pop();
    else kept.push(character);
  }
  return kept.join("");
}
