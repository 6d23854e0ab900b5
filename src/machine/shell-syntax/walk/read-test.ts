import type { TestExpression, Word as WordNode } from "unbash";
import type { ScriptPlace } from "../reading.ts";
import type { Word } from "../shell-script.ts";
import { isIntegerText } from "../shell-state.ts";
import { resolveText } from "../words/resolve-word.ts";

/** The operators and operands of a test in double brackets, in order. */
export function readTest(expression: TestExpression, place: ScriptPlace): Word[] {
  const { reading, site } = place;
  reading.spend(1);
  if (site.depth > maxDepth) {
    reading.addProblem("a test is nested too deeply", site.source);
    return [];
  }
  const inner = { ...place, site: { ...site, depth: site.depth + 1 } };
  switch (expression.type) {
    case "TestUnary":
      return readUnary(expression, place);
    case "TestBinary":
      return readBinary(expression, place);
    case "TestLogical":
      return expression.operands.flatMap((operand, index) => [
        ...(index > 0 ? [operator(expression.operator)] : []),
        ...readTest(operand, inner),
      ]);
    case "TestNot":
      return [operator("!"), ...readTest(expression.operand, inner)];
    case "TestGroup":
      return [operator("("), ...readTest(expression.expression, inner), operator(")")];
    default:
      reading.addProblem("a test could not be parsed", site.source);
      return [];
  }
}

const maxDepth = 64;

function readUnary(test: Extract<TestExpression, { type: "TestUnary" }>, place: ScriptPlace): Word[] {
  const operand = readOperand(test.operand, place);
  // All other operators evaluate the variable that the text names, including an array index in it.
  if (!/^-[a-uwxzA-QSTU]$/.test(test.operator)) {
    place.reading.addProblem("a test may run code hidden in a variable name", test.operand.text);
  }
  return [operator(test.operator), operand];
}

function readBinary(test: Extract<TestExpression, { type: "TestBinary" }>, place: ScriptPlace): Word[] {
  const left = readOperand(test.left, place);
  const right = readOperand(test.right, place);
  if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(test.operator)) {
    for (const word of [left, right]) {
      if (!isNumber(word))
        place.reading.addProblem("a number comparison uses a value that may not be a number", word.source);
    }
  } else if (!/^(?:={1,2}|!=|=~|<|>|-nt|-ot|-ef)$/.test(test.operator)) {
    place.reading.addProblem("a test could not be parsed", test.operator);
  }
  return [left, operator(test.operator), right];
}

function readOperand(node: WordNode, place: ScriptPlace): Word {
  return resolveText(place.reading.readAtoms(node, place), node.text, place);
}

function isNumber(word: Word): boolean {
  if (word.kind === "literal" || word.kind === "variable") return isIntegerText(word.text);
  return word.kind === "dynamic" && word.isInteger === true;
}

function operator(text: string): Word {
  return { kind: "literal", text, source: text };
}
