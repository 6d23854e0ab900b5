import { mayEndInBrackets } from "./open-brackets.ts";

/** Why an awk program may do more than print; undefined if it provably does not. */
export function findAwkProblem(program: string): string | undefined {
  // Without any of these, the program is harmless however it is parsed.
  if (!hazards.test(program)) return undefined;
  const tokens = readTokens(program);
  if (typeof tokens === "string") return tokens;
  return findHazard(tokens);
}

const dangerousNames: ReadonlyMap<string, string> = new Map([
  ["system", "runs a command"],
  ["getline", "may read a file or run a command"],
  ["extension", "loads a library"],
  ["ENVIRON", "reads the environment"],
  ["ARGV", "may change which files are read"],
  ["ARGC", "may change which files are read"],
  ["ARGIND", "may change which files are read"],
  ["PROCINFO", "may change how awk works"],
  ["SYMTAB", "can access any variable"],
  ["FUNCTAB", "can access any function"],
]);

const hazards = new RegExp(`[>|@\\\\]|${[...dangerousNames.keys()].join("|")}`);

interface Token {
  readonly kind: "name" | "value" | "sign" | "line";
  readonly text: string;
}

function readTokens(program: string): Token[] | string {
  const tokens: Token[] = [];
  let at = 0;
  while (at < program.length) {
    const rest = program.slice(at, at + 256);
    const character = program[at]!;
    const name = /^[A-Za-z_]\w*/.exec(rest)?.[0];
    if (character === "\n") tokens.push({ kind: "line", text: "\n" });
    if (/\s/.test(character)) at += 1;
    else if (character === "\\") return "awk: there is a backslash outside a string";
    else if (character === "#") at = endOfLine(program, at);
    else if (character === '"' || (character === "/" && mayBePattern(tokens.at(-1)))) {
      if (character === "/" && isUnclear(tokens.at(-1)))
        return "awk: a slash could mean a division or a pattern";
      const end = endOfText(program, at, character);
      if (end === -1) return "awk: a string or pattern is not closed";
      tokens.push({ kind: "value", text: program.slice(at, end) });
      at = end;
    } else if (name !== undefined) {
      tokens.push({ kind: "name", text: name });
      at += name.length;
    } else {
      const number = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/.exec(rest)?.[0];
      const sign = number ?? /^(?:&&|\|\||\|&|>>|>=|<=|==|!=|\+\+|--|[-+*/%^]=|\*\*=?|.)/s.exec(rest)![0];
      tokens.push({ kind: number === undefined ? "sign" : "value", text: sign });
      at += sign.length;
    }
  }
  return tokens;
}

function endOfLine(program: string, at: number): number {
  const end = program.indexOf("\n", at);
  return end === -1 ? program.length : end;
}

/** A slash starts a pattern unless it follows a value. */
function mayBePattern(previous: Token | undefined): boolean {
  if (previous === undefined || previous.kind === "line") return true;
  if (previous.kind === "name") return ownNames.has(previous.text);
  if (previous.kind === "value") return previous.text.startsWith("/");
  return previous.text !== "]";
}

/** After these, a slash may be either: `(a) / b`, `if (a) /b/`, `x++ / 2`, and any name that only some awks know. */
function isUnclear(previous: Token | undefined): boolean {
  if (previous === undefined || previous.kind === "line") return false;
  if (previous.kind === "name") return !statementNames.has(previous.text);
  return previous.kind === "value" || [")", "++", "--", "$"].includes(previous.text);
}

/** In every awk an expression follows these. */
const statementNames: ReadonlySet<string> = new Set(["print", "printf", "return", "else", "do", "exit"]);

/** Names that are more than a variable in at least one awk: in gawk, mawk, busybox, or the one of BSD and macOS. */
const ownNames: ReadonlySet<string> = new Set(
  (
    "BEGIN END BEGINFILE ENDFILE if else while for do in break continue next nextfile exit return delete function " +
    "func getline print printf switch case default namespace include load length atan2 cos sin exp log sqrt int rand " +
    "srand substr index split sub gsub gensub match sprintf tolower toupper system close fflush systime strftime " +
    "mktime asort asorti strtonum and or xor lshift rshift compl patsplit typeof isarray mkbool intdiv " +
    "bindtextdomain dcgettext dcngettext extension eval stopme adump"
  ).split(" "),
);

/** Awks disagree on whether a slash in brackets ends a pattern; such a pattern counts as unclosed. */
function endOfText(program: string, start: number, delimiter: string): number {
  for (let at = start + 1; at < program.length; at += 1) {
    const character = program[at];
    if (character === "\\") at += 1;
    else if (character === "\n") return -1;
    else if (character === delimiter) {
      const text = program.slice(start + 1, at);
      return delimiter === "/" && mayEndInBrackets(text) ? -1 : at + 1;
    }
  }
  return -1;
}

function findHazard(tokens: readonly Token[]): string | undefined {
  let parentheses = 0;
  // Number of open parentheses at the current print statement; undefined outside of one.
  let printingAt: number | undefined;
  for (const { kind, text } of tokens) {
    if (kind === "name") {
      if (dangerousNames.has(text)) return `awk ${text} ${dangerousNames.get(text)}`;
      if (text === "print" || text === "printf") printingAt = parentheses;
    }
    if (kind !== "sign") continue;
    if (text === "(") parentheses += 1;
    if (text === ")") parentheses -= 1;
    // A statement may continue on the next line, so only these surely end it.
    if (text === ";" || text === "}") printingAt = undefined;
    if (text === "@") return "awk @ may call any function or load a file";
    if (text === "|" || text === "|&") return "awk | runs a command";
    if (text === ">>") return "awk >> writes a file";
    // In `for (print > file; …)` the open parenthesis is not part of the print statement.
    if (text === ">" && printingAt !== undefined && parentheses <= printingAt) return "awk > writes a file";
  }
  return undefined;
}
