import { escapeLine } from "./escape-controls.ts";

/** Text of unknown origin as one line of limited length: it cannot pass for several lines, nor hide anything. */
export function oneLine(text: string, maxCharacters: number): string {
  const maxRead = maxCharacters * 4;
  // Text that will be cut off anyway is not processed, however long it is.
  const beginning = text.slice(0, maxRead).replace(/\s+/g, " ").trim();
  const line = escapeLine(beginning);
  if (line.length <= maxCharacters && text.length <= maxRead) return line;
  const cut = line.slice(0, maxCharacters - 3).replace(/[\ud800-\udbff]$/, "");
  return `${cut.trimEnd()}...`;
}
