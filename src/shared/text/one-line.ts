import { escapeLine } from "./escape-controls.ts";

/** A text of unknown origin as one line of bounded length: it cannot pass for several, nor hide anything. */
export function oneLine(text: string, maxCharacters: number): string {
  const maxRead = maxCharacters * 4;
  // What will be cut off anyway is not looked at, however much there is of it.
  const beginning = text.slice(0, maxRead).replace(/\s+/g, " ").trim();
  const line = escapeLine(beginning);
  if (line.length <= maxCharacters && text.length <= maxRead) return line;
  const cut = line.slice(0, maxCharacters - 3).replace(/[\ud800-\udbff]$/, "");
  return `${cut.trimEnd()}...`;
}
