import { once } from "../once.ts";
import { writeOut } from "./escape-controls.ts";

/** Scripts that cannot be mistaken for Latin; most are written next to it without a blank, as in `AとB` and `git을`. */
const unlike = [
  "Han Hiragana Katakana Hangul Bopomofo Yi Thai Lao Khmer Myanmar Tibetan Mongolian Arabic Hebrew Syriac Thaana",
  "Ethiopic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala",
]
  .flatMap((names) => names.split(" "))
  .map((script) => `\\p{Script=${script}}`)
  .join("");

/** Full-width, mathematical and other forms of Latin letters and digits, Roman numerals, ligatures, and two of phonetics. */
const styled =
  "\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a\\u{1d400}-\\u{1d7ff}\\u2102\\u210a-\\u2113\\u2115\\u2119-\\u211d\\u2124\\u2128\\u212a\\u212c\\u212d\\u212f-\\u2134\\u2145-\\u2149\\u2160-\\u217f\\ufb00-\\ufb06ɑɡ";

/**
 * Letters that are read as Latin ones: of Cyrillic, Greek and Armenian, and of Cherokee, Lisu and Coptic, whose capitals are
 * like ours.
 */
const twins = [
  styled,
  "АВЕЅІЈКМНОРСТУХҮԌԚԜҺӀаегкѕіјорсухьүһӏԁԛԝѵ",
  "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυιγκχϲϳ",
  "ՕՏՍԼօոսհզցյք",
  "ᎠᎡᎢᎩᎪᎫᎬᎳᎷᎻᏀᏃᏎᏒᏔᏙᏚᏞᏟᏢᏦᏮᏴ",
  "ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ",
  "ⲀⲎⲒⲔⲘⲚⲞⲢⲤⲦⲬⲓⲟⲣⲥⲭ",
].join("");

/**
 * Writes out letters that pass for others, as in `p\u{430}ypal.com`: those of another alphabet in a word with Latin ones,
 * and words that are made of nothing else, unless the text around them is plainly written in their alphabet. Ordinary text
 * of any language stays as it is.
 */
export function showLookAlikes(line: string): string {
  if (!beyondAscii.test(line)) return line;
  const isInProse = findProse(line);
  return line
    .replace(expressions().token, (text: string, start: number) =>
      showToken(text, (word, at) => isInProse(word, start + at)),
    )
    .replace(between, writeOut);
}

const beyondAscii = /[^\x00-\x7f]/;
const asciiLetter = /[a-z]/i;

/** `isInProse` is asked about words from left to right. */
function showToken(text: string, isInProse: (word: string, at: number) => boolean): string {
  if (!beyondAscii.test(text)) return text;
  const isAmongAscii = asciiLetter.test(text);
  const { word, hasLatin, foreign, onlyTwins, twin } = expressions();
  return text.replace(word, (letters: string, at: number) => {
    if (hasLatin.test(letters)) return letters.replace(foreign, writeOut);
    if (!onlyTwins.test(letters) || symbol.test(letters)) return letters;
    return !isAmongAscii && isInProse(letters, at) ? letters : letters.replace(twin, writeOut);
  });
}

/** Whether a word is in a phrase with a letter that no Latin one resembles; for one of a single letter, in such a line. */
function findProse(line: string): (word: string, at: number) => boolean {
  const { telling } = expressions();
  const phrases = [...line.matchAll(phrase)].filter(([text]) => telling.test(text));
  let next = 0;
  return (letters, at) => {
    while (next < phrases.length && endOf(phrases[next]!) <= at) next += 1;
    const isInside = next < phrases.length && phrases[next]!.index <= at;
    return isInside || ([...letters].length === 1 && phrases.length > 0);
  };
}

function endOf({ 0: text, index }: RegExpExecArray): number {
  return index + text.length;
}

/** Made with the first text that needs them: an engine takes milliseconds to make expressions of so many scripts. */
const expressions = once(() => {
  const letter = `(?![${unlike}])[\\p{L}\\p{M}\\p{N}]`;
  const latinOrShared = "\\p{Script=Latin}\\p{Script=Common}\\p{Script=Inherited}";
  return {
    word: new RegExp(`(?:${letter})+`, "gu"),
    /** Letters and signs that form the name of one host, file or program. */
    token: new RegExp(`(?:[._~@%+/\\\\-]|${letter})+`, "gu"),
    telling: new RegExp(`(?![${twins}${latinOrShared}])\\p{L}`, "u"),
    hasLatin: new RegExp(`(?![${styled}])\\p{Script=Latin}`, "u"),
    onlyTwins: new RegExp(`^(?:[${twins}\\p{M}\\d])+$`, "u"),
    twin: new RegExp(`[${twins}]`, "gu"),
    /** Δt and μm are not words of two alphabets: of Greek, only letters that look like Latin ones count. */
    foreign: new RegExp(`[${twins}]|(?![${latinOrShared}\\p{Script=Greek}])\\p{L}|(?!\\d)\\p{Nd}`, "gu"),
  };
});
/** What may stand in a sentence: neither Latin letters nor what separates commands, values and names. */
const phrase = /[^a-z;|&$<>="'`\\{}[\]#*~^@]+/gi;
/** In formulas, a small Greek letter stands by itself; an omicron does not. */
const symbol = /^[ανρυιγκχ]$/;
/** Rings and strokes of the scripts above, digits of any, and what looks like a slash, a dot or a colon. */
const between =
  /(?<=[a-z\d])(?:[\u101d\u0d20\u0b20\u05e1\u05d5\u05df\u0647\u0627\u4e28\u3007\u2044\u2215\u2571\u29f8\u2024\ua4f8\u2236\ua789\u02d0\u02f8]|(?!\d)\p{Nd})(?=[a-z])/giu;
