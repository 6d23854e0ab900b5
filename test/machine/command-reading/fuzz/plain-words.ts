export interface PlainWord {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The words of a command line that are plain letters, digits and the like, outside of quotes, expansions, comments and
 * whatever else could give them another meaning. Rather too few than a wrong one: a text in which it is hard to tell has none.
 */
export function findPlainWords(command: string): PlainWord[] {
  if (/<<|\(\(|`|\\\n|[^\n\t -~]/.test(command)) return [];
  const words: PlainWord[] = [];
  let at = 0;
  while (at < command.length) {
    const character = command[at]!;
    if (/[\s;&|<>()]/.test(character)) at += 1;
    else if (character === "#") at = endOr(command.indexOf("\n", at), command);
    else {
      const end = endOfWord(command, at);
      const text = command.slice(at, end);
      if (/^[\w./:=,+@%-]+$/.test(text)) words.push({ start: at, end, text });
      at = end;
    }
  }
  return words;
}

function endOfWord(command: string, start: number): number {
  let at = start;
  while (at < command.length && !/[\s;&|<>()]/.test(command[at]!)) {
    const character = command[at]!;
    if (character === "\\") at += 2;
    else if (character === "'") at = endOr(command.indexOf("'", at + 1), command) + 1;
    else if (character === '"') at = endOfQuotes(command, at + 1);
    else if (character === "$" && /[({]/.test(command[at + 1] ?? "")) at = endOfBrackets(command, at + 1);
    else at += 1;
  }
  return Math.min(at, command.length);
}

function endOfQuotes(command: string, start: number): number {
  let at = start;
  while (at < command.length && command[at] !== '"') {
    if (command[at] === "\\") at += 2;
    else if (command[at] === "$" && /[({]/.test(command[at + 1] ?? "")) at = endOfBrackets(command, at + 1);
    else at += 1;
  }
  return at + 1;
}

/** Behind the bracket that closes the one here; quotes between them are looked past. */
function endOfBrackets(command: string, start: number): number {
  const [open, close] = command[start] === "(" ? "()" : "{}";
  let depth = 0;
  for (let at = start; at < command.length; at += 1) {
    const character = command[at];
    if (character === "\\") at += 1;
    else if (character === "'") at = endOr(command.indexOf("'", at + 1), command);
    else if (character === open) depth += 1;
    else if (character === close) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return command.length;
}

function endOr(found: number, command: string): number {
  return found === -1 ? command.length : found;
}
