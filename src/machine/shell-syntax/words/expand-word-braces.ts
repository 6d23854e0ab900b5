import { type Atom, unknown } from "./atom.ts";

type Words = readonly (readonly Atom[])[];

const maxWords = 256;

/** Expands `{a,b}` and `{1..3}` exactly as bash does, oddities included; undefined if that gives too many words. */
export function expandWordBraces(atoms: readonly Atom[]): Words | undefined {
  try {
    return atoms.some((atom) => isPlain(atom, "{")) ? expand(atoms) : [atoms];
  } catch (error) {
    if (error instanceof TooManyWords) return undefined;
    throw error;
  }
}

class TooManyWords extends Error {}

function expand(atoms: readonly Atom[]): Words {
  const open = findOpening(atoms);
  if (open === undefined) return [atoms];
  const close = gobble(atoms, open + 1, "}");
  const amble = atoms.slice(open + 1, close);
  const rest = atoms.slice(close + 1);
  const middle = expandAmble(amble);
  if (middle === undefined && rest.length === 0) return [atoms];
  const start = [atoms.slice(0, open)];
  const group = middle ?? [atoms.slice(open, close + 1)];
  return combine(combine(start, group), rest.length === 0 ? [[]] : expand(rest));
}

/** The first brace that is closed. */
function findOpening(atoms: readonly Atom[]): number | undefined {
  for (let from = 0; ; ) {
    const open = gobble(atoms, from, "{");
    if (open === atoms.length) return undefined;
    if (gobble(atoms, open + 1, "}") < atoms.length) return open;
    from = open + 1;
  }
}

/** The position of the wanted character outside inner braces; a `}` counts only after a comma or two dots. */
function gobble(atoms: readonly Atom[], from: number, wanted: "{" | "}" | ","): number {
  let level = 0;
  let separators = wanted === "}" ? 0 : 1;
  for (let index = from; index < atoms.length; index += 1) {
    const atom = atoms[index]!;
    if (isPlain(atom, wanted) && level === 0 && separators > 0) {
      if (wanted !== "{" || !isLoneOpening(atoms, index)) return index;
      continue;
    }
    if (isPlain(atom, "{")) level += 1;
    else if (isPlain(atom, "}")) level = Math.max(0, level - 1);
    else if (wanted === "}" && level === 0 && isSeparator(atoms, index)) separators += 1;
  }
  return atoms.length;
}

/** A lone `{`, or `{}` at the start, does not open an expansion. */
function isLoneOpening(atoms: readonly Atom[], index: number): boolean {
  const next = atoms[index + 1];
  return index === 0 && (next === undefined || isPlain(next, "}"));
}

function isSeparator(atoms: readonly Atom[], index: number): boolean {
  const [atom, next, after] = [atoms[index], atoms[index + 1], atoms[index + 2]];
  return isPlain(atom, ",") || (isPlain(atom, ".") && isPlain(next, ".") && !isPlain(after, "}"));
}

function expandAmble(amble: readonly Atom[]): Words | undefined {
  if (!amble.some((atom) => isPlain(atom, ","))) {
    // Bash also looks for a comma in quotes and expansions, and removes the braces if it finds one there.
    if (amble.some(mayHideComma)) return [[unknown("a hidden comma between braces", true)]];
    return amble.every((atom) => atom.kind === "plain")
      ? expandSequence(amble.map(({ text }) => text).join(""))
      : undefined;
  }
  const words: (readonly Atom[])[] = [];
  for (let start = 0; start <= amble.length; ) {
    const end = gobble(amble, start, ",");
    words.push(...expand(amble.slice(start, end)));
    if (words.length > maxWords) throw new TooManyWords();
    start = end + 1;
  }
  return words;
}

/** Bash expands braces before variables, so a comma in a variable's value does not count. */
function mayHideComma(atom: Atom): boolean {
  if (atom.kind === "quoted") return !atom.isVariable && atom.text.includes(",");
  return atom.kind === "unknown";
}

function expandSequence(text: string): Words | undefined {
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.([+-]?\d{1,9}))?$/.exec(text);
  const numbers = /^([+-]?\d{1,15})\.\.([+-]?\d{1,15})(?:\.\.([+-]?\d{1,9}))?$/.exec(text);
  const [, first, last, step] = letters ?? numbers ?? [];
  if (first === undefined || last === undefined) return undefined;
  const from = letters ? first.charCodeAt(0) : Number(first);
  const to = letters ? last.charCodeAt(0) : Number(last);
  const stride = Math.abs(Number(step ?? 1)) || 1;
  if (Math.abs(to - from) / stride >= maxWords) throw new TooManyWords();
  const width = [first, last].some((each) => /^-?0\d/.test(each)) ? Math.max(first.length, last.length) : 0;
  const words: Atom[][] = [];
  for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? stride : -stride) {
    words.push(
      letters ? letter(value) : [...padNumber(value, width)].map((each) => ({ kind: "plain", text: each })),
    );
  }
  return words;
}

/** `{A..z}` also contains the ASCII characters between Z and a, such as a backslash or backquote, which are special. */
function letter(code: number): Atom[] {
  const text = String.fromCharCode(code);
  if (/[A-Za-z]/.test(text)) return [{ kind: "plain", text }];
  return [unknown("a sequence from capitals to small letters", true)];
}

function padNumber(value: number, width: number): string {
  const sign = value < 0 ? "-" : "";
  return sign + String(Math.abs(value)).padStart(width - sign.length, "0");
}

function combine(starts: Words, ends: Words): Words {
  if (starts.length * ends.length > maxWords) throw new TooManyWords();
  return starts.flatMap((start) => ends.map((end) => [...start, ...end]));
}

function isPlain(atom: Atom | undefined, text: string): boolean {
  return atom?.kind === "plain" && atom.text === text;
}
