import { mayEndInBrackets } from "./open-brackets.ts";

/** Why a sed script may do more than print its input; undefined if it provably does not. */
export function findSedProblem(script: string): string | undefined {
  const reader = createReader(script);
  let depth = 0;
  for (;;) {
    reader.skip(/[\s;]/);
    if (reader.isAtEnd()) return depth === 0 ? undefined : "sed: a { is not closed";
    if (reader.take("#")) {
      reader.skip(/[^\n]/);
      continue;
    }
    const problem = readAddresses(reader);
    if (problem !== undefined) return problem;
    const command = reader.next();
    if (command === "{") depth += 1;
    else if (command === "}") {
      depth -= 1;
      if (depth < 0) return "sed: a } has no matching {";
    } else {
      const found = readCommand(command, reader);
      if (found !== undefined) return found;
    }
  }
}

type Reader = ReturnType<typeof createReader>;

function createReader(text: string) {
  let at = 0;
  return {
    isAtEnd: () => at >= text.length,
    peek: () => text[at] ?? "",
    next: () => text[at++] ?? "",
    take(character: string): boolean {
      if (text[at] !== character) return false;
      at += 1;
      return true;
    },
    /** Consumes and returns all following characters of a class. */
    skip(characters: RegExp): string {
      const start = at;
      while (at < text.length && characters.test(text[at]!)) at += 1;
      return text.slice(start, at);
    },
  };
}

function readAddresses(reader: Reader): string | undefined {
  const problem = readAddress(reader);
  if (problem !== undefined) return problem;
  reader.skip(/[ \t]/);
  if (reader.take(",")) {
    reader.skip(/[ \t]/);
    if (/[+~]/.test(reader.peek())) reader.next();
    const second = readAddress(reader);
    if (second !== undefined) return second;
  }
  reader.skip(/[\s!]/);
  return undefined;
}

function readAddress(reader: Reader): string | undefined {
  if (reader.take("$")) return undefined;
  if (/\d/.test(reader.peek())) {
    reader.skip(/\d/);
    if (reader.take("~")) reader.skip(/\d/);
    return undefined;
  }
  const isPattern = reader.peek() === "/" || reader.peek() === "\\";
  if (!isPattern) return undefined;
  const delimiter = reader.next() === "/" ? "/" : reader.next();
  const problem = readDelimited(reader, delimiter);
  if (problem !== undefined) return problem;
  reader.skip(/[IM]/);
  return undefined;
}

const plainCommands = "=dDgGhHnNpPxzF";
const fileCommands: Record<string, string> = {
  w: "writes a file",
  W: "writes a file",
  r: "reads a file",
  R: "reads a file",
  e: "runs a command",
};

function readCommand(command: string, reader: Reader): string | undefined {
  if (plainCommands.includes(command) && command !== "") return readEnd(reader);
  if ("qQlL".includes(command) && command !== "") {
    reader.skip(/[ \t]/);
    reader.skip(/\d/);
    return readEnd(reader);
  }
  if ("btT:".includes(command) && command !== "") {
    reader.skip(/[ \t]/);
    // Continue right after the label, so that anything that might be a command is checked.
    reader.skip(/[\w.-]/);
    return readEnd(reader);
  }
  if ("aic".includes(command) && command !== "") return readText(reader);
  if (command === "s") return readSubstitution(reader);
  if (command === "y") return readTransliteration(reader);
  if (Object.hasOwn(fileCommands, command)) return `sed ${command} ${fileCommands[command]}`;
  return `sed: the command ${command} is not known to be harmless`;
}

/** Only a separator may follow a command. */
function readEnd(reader: Reader): string | undefined {
  reader.skip(/[ \t]/);
  if (reader.isAtEnd() || /[;\n}#]/.test(reader.peek())) return undefined;
  return `sed: unexpected ${reader.peek()} after a command`;
}

/**
 * Reads to the end of the line; a backslash at the end continues on the next line. The text is on the same line, or starts
 * on the next one after a single backslash; seds disagree about everything else.
 */
function readText(reader: Reader): string | undefined {
  reader.skip(/[ \t]/);
  if (reader.isAtEnd() || reader.peek() === "\n") return "sed: the text to add is missing";
  // A second backslash is text to GNU sed, which then ends with the line.
  if (reader.take("\\") && /[ \t\\]/.test(reader.peek()))
    return "sed: where the text to add starts is ambiguous";
  if (reader.peek() === "\n") reader.next();
  while (!reader.isAtEnd()) {
    const character = reader.next();
    if (character === "\\") reader.next();
    else if (character === "\n") return undefined;
  }
  return undefined;
}

function readSubstitution(reader: Reader): string | undefined {
  const delimiter = reader.next();
  const problem = readDelimited(reader, delimiter) ?? readDelimited(reader, delimiter, "text");
  if (problem !== undefined) return problem;
  const flags = reader.skip(/[a-zA-Z0-9]/);
  if (/[^gpiImM0-9]/.test(flags)) return `sed s with the flag ${flags} may write a file or run a command`;
  return readEnd(reader);
}

function readTransliteration(reader: Reader): string | undefined {
  const delimiter = reader.next();
  return (
    readDelimited(reader, delimiter, "text") ?? readDelimited(reader, delimiter, "text") ?? readEnd(reader)
  );
}

/** Seds disagree on whether a delimiter in brackets ends the pattern, so such a pattern is a problem. */
function readDelimited(
  reader: Reader,
  delimiter: string,
  kind: "pattern" | "text" = "pattern",
): string | undefined {
  if (delimiter === "" || delimiter === "\n" || delimiter === "\\") return "sed: a pattern has no delimiter";
  let text = "";
  while (!reader.isAtEnd()) {
    const character = reader.next();
    if (character === delimiter) {
      const isUnclear = kind === "pattern" && mayEndInBrackets(text);
      return isUnclear ? "sed: the end of a pattern is ambiguous" : undefined;
    }
    // In a replacement, a line break has to follow a backslash; in a pattern it is `\n`.
    if (character === "\n") return "sed: a pattern is not closed on its line";
    text += character;
    if (character === "\\") {
      if (kind === "pattern" && reader.peek() === "\n") return "sed: a pattern is not closed on its line";
      text += reader.next();
    }
  }
  return "sed: a pattern is not closed";
}
