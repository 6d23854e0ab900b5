import type { Redirect } from "../shell-syntax/shell-script.ts";
import { knownText, literalWord } from "./known-words.ts";
import { harmlessDevices, type Report } from "./report.ts";

/** Reports what a redirection reads, writes or connects to. */
export function judgeRedirect({ operator, descriptor, target }: Redirect, report: Report): void {
  const text = knownText(target);
  const socket = /^\/dev\/(?:tcp|udp)(?:\/([^/]*))?/.exec(text ?? "");
  // `{name}>` assigns a variable, possibly one that changes how programs behave.
  if (typeof descriptor === "string") report.ask(`{${descriptor}}${operator} assigns a variable`);
  else if (operator.startsWith("<<") || isDuplication(operator, text)) return;
  else if (text === undefined && operator === "<" && target.kind === "glob") report.read(target);
  else if (text === undefined)
    report.ask(`the target of ${operator} ${target.source} is unknown until it runs`);
  else if (socket !== null) {
    report.connect(socket[1] || "*");
    report.ask(`${operator} ${text} opens a network connection`);
  } else if (operator === "<&") report.ask(`${operator} ${text} does not name a descriptor`);
  else if (!harmlessDevices.has(text)) {
    const file = literalWord(text);
    if (operator === "<" || operator === "<>") report.read(file);
    if (operator !== "<") report.write(file);
  }
}

/** `2>&1`, `>&-`, `3<&0-`. */
function isDuplication(operator: string, text: string | undefined): boolean {
  return (operator === ">&" || operator === "<&") && text !== undefined && /^(?:\d+-?|-)$/.test(text);
}
