/**
 * Masks JSON web tokens: three parts with dots between them, of which two begin with `eyJ`. As a regular expression this
 * would try every `eyJ` of a long word up to the end of that word, which takes quadratic time; from the dot on, each
 * part is read a fixed number of times.
 */
export function maskWebTokens(text: string, mask: string): string {
  let masked = "";
  let done = 0;
  for (let dot = text.indexOf(middle); dot !== -1; dot = text.indexOf(middle, dot + 1)) {
    const start = headerStart(text, dot, done);
    const end = start === undefined ? undefined : tokenEnd(text, dot);
    if (start === undefined || end === undefined) continue;
    masked += text.slice(done, start) + mask;
    done = end;
    dot = end - 1;
  }
  return done === 0 ? text : masked + text.slice(done);
}

const opening = "eyJ";
const middle = `.${opening}`;
const minPartCharacters = 10;
const minSignatureCharacters = 5;

/** The first place before the dot where a token may begin: not in the middle of a word. */
function headerStart(text: string, dot: number, after: number): number | undefined {
  let first = dot;
  while (first > after && isPartCharacter(text.charCodeAt(first - 1))) first -= 1;
  const last = dot - minPartCharacters - opening.length;
  for (let at = text.indexOf(opening, first); at !== -1 && at <= last; at = text.indexOf(opening, at + 1)) {
    const isInWord = at > after && text[at - 1] !== "-" && isPartCharacter(text.charCodeAt(at - 1));
    if (!isInWord) return at;
  }
}

function tokenEnd(text: string, dot: number): number | undefined {
  const second = partEnd(text, dot + middle.length);
  if (second - dot - middle.length < minPartCharacters || text[second] !== ".") return undefined;
  const third = partEnd(text, second + 1);
  return third - second - 1 < minSignatureCharacters ? undefined : third;
}

function partEnd(text: string, start: number): number {
  let end = start;
  while (isPartCharacter(text.charCodeAt(end))) end += 1;
  return end;
}

/** A letter, a digit, `-` or `_`. */
function isPartCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2d ||
    code === 0x5f
  );
}
