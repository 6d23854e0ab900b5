import { type AST, RegExpParser } from "@eslint-community/regexpp";

type Node = AST.Element | AST.Pattern | AST.Alternative | AST.QuantifiableElement;

/**
 * Texts that are made against an expression: what leads to each of its repetitions, and what is repeated, over and over. A
 * repetition after a fixed word is what the analysis does not judge: it begins again at every such word.
 */
export function attacksOn({ source, flags }: RegExp): readonly string[] {
  const mode = { unicode: flags.includes("u"), unicodeSets: flags.includes("v") };
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, mode);
  const found = [...repetitionsIn(pattern, "", flags)];
  // Single characters are what the analysis does judge.
  return [...new Set(found.flatMap(({ before, unit }) => [before, unit, before + unit]))].filter(
    ({ length }) => length > 1,
  );
}

interface Repetition {
  readonly before: string;
  readonly unit: string;
}

function* repetitionsIn(node: Node, before: string, flags: string): Generator<Repetition> {
  switch (node.type) {
    case "Alternative": {
      let led = before;
      for (const element of node.elements) {
        yield* repetitionsIn(element, led, flags);
        led += exampleOf(element, flags);
      }
      return;
    }
    case "Quantifier":
      if (node.max >= manyTimes) yield { before, unit: exampleOf(node.element, flags) };
      yield* repetitionsIn(node.element, before, flags);
      return;
    default:
      if ("alternatives" in node)
        for (const inner of node.alternatives) yield* repetitionsIn(inner as Node, before, flags);
  }
}

const manyTimes = 50;

/** A text that the node matches, as short as it may be. */
function exampleOf(node: Node, flags: string): string {
  switch (node.type) {
    case "Character":
      return String.fromCodePoint(node.value);
    case "CharacterSet":
    case "CharacterClass":
    case "ExpressionCharacterClass":
      return characterIn(node.raw, flags);
    case "Quantifier":
      return exampleOf(node.element, flags).repeat(Math.min(node.min, 8));
    case "Alternative":
      return node.elements.map((element) => exampleOf(element, flags)).join("");
    case "Pattern":
    case "Group":
    case "CapturingGroup":
      return exampleOf(node.alternatives[0]!, flags);
    default:
      return "";
  }
}

function characterIn(raw: string, flags: string): string {
  const expression = new RegExp(`^(?:${raw})$`, flags.replace(/[gym]/g, ""));
  return characters.find((character) => expression.test(character)) ?? "";
}

const characters = ["a", "0", " ", "-", "_", ".", "/", "\n"].concat(
  Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)),
);
