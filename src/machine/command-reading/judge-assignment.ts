import type { Assignment } from "../shell-syntax/shell-script.ts";
import { isFreshName } from "../shell-syntax/shell-state.ts";
import { knownText } from "./known-words.ts";
import type { Program } from "./program.ts";
import type { Report } from "./report.ts";

/** A variable set for one command: only a few names are known to affect nothing but the output's format. */
export function judgePrefixAssignment(
  { name, value, isCompound }: Assignment,
  report: Report,
  program?: Program,
): void {
  const isAllowed = shownNames.has(name) || /^LC_[A-Z]+$/.test(name);
  const text = knownText(value);
  if (program?.variables?.includes(name) && text !== undefined && !isCompound) return;
  if (!isAllowed) report.askAround(`the variable ${name} may change what the command does`);
  else if (isCompound || text === undefined)
    report.askAround(`the value of ${name} is unknown until it runs`);
  // A time zone or locale may also be a file path.
  else if (!/^[\w.@+\-/]*$/.test(text) || text.startsWith("/") || text.includes("..")) {
    report.askAround(`${name}=${text} is an unusual value`);
  }
}

const shownNames: ReadonlySet<string> = new Set([
  "LANG",
  "TZ",
  "NO_COLOR",
  "COLUMNS",
  "DEBUG",
  "CI",
  "FORCE_COLOR",
]);

/** A variable of the script itself: fine unless shells or programs use that name. */
export function judgeBareAssignment({ name }: Assignment, report: Report): void {
  if (!isFreshName(name)) report.ask(`the variable ${name} may change what later commands do`);
}
