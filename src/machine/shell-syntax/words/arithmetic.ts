import type { ArithmeticBinary, ArithmeticExpression, ArithmeticWord } from "unbash";
import type { ScriptPlace } from "../reading.ts";
import { forkState, isFreshName, isInteger, joinStates } from "../shell-state.ts";

/**
 * In arithmetic, bash evaluates a variable's value as an expression and runs commands in it. So only numbers are safe,
 * and variables that this script has set to numbers.
 */
export function checkArithmetic(expression: ArithmeticExpression | undefined, place: ScriptPlace): void {
  if (expression === undefined) return;
  const { reading, site } = place;
  reading.spend(1);
  if (expression.type === "ArithmeticBinary") checkBinary(expression, place);
  else if (expression.type === "ArithmeticUnary") {
    checkArithmetic(expression.operand, place);
    if (/^(?:\+\+|--)$/.test(expression.operator)) assign(expression.operand, place);
  } else if (expression.type === "ArithmeticTernary") {
    checkArithmetic(expression.test, place);
    checkPerhaps(expression.consequent, place);
    checkPerhaps(expression.alternate, place);
  } else if (expression.type === "ArithmeticGroup") checkArithmetic(expression.expression, place);
  else if (expression.type === "ArithmeticWord") checkWord(expression, place);
  else if (expression.type === "ArithmeticCommandExpansion") {
    reading.walkNested(expression.script, place);
    reading.addProblem("arithmetic uses the output of a command", expression.text);
  } else reading.addProblem("arithmetic could not be parsed", site.source);
}

function checkBinary({ operator, left, right }: ArithmeticBinary, place: ScriptPlace): void {
  const isAssignment = /^(?:[-+*/%&^|]|<<|>>)?=$/.test(operator);
  if (isAssignment) checkArithmetic(right, place);
  if (operator !== "=") checkArithmetic(left, place);
  if (isAssignment) assign(left, place);
  else if (/^(?:&&|\|\|)$/.test(operator)) checkPerhaps(right, place);
  else checkArithmetic(right, place);
}

function assign(target: ArithmeticExpression, place: ScriptPlace): void {
  const { reading, state } = place;
  if (target.type === "ArithmeticWord" && isFreshName(target.value)) {
    state.variables.set(target.value, { kind: "integer" });
    return;
  }
  checkArithmetic(target, place);
  reading.addProblem("arithmetic assigns something other than a plain variable", textOf(target, place));
}

/** Checks a part that may or may not be evaluated, and so may or may not assign. */
function checkPerhaps(expression: ArithmeticExpression, place: ScriptPlace): void {
  const { state } = place;
  const branch = forkState(state);
  checkArithmetic(expression, { ...place, state: branch });
  const joined = joinStates(state, branch).variables;
  state.variables.clear();
  for (const [name, value] of joined) state.variables.set(name, value);
}

function checkWord(word: ArithmeticWord, place: ScriptPlace): void {
  const { reading, state } = place;
  const value = word.value.trim();
  if (/^(?:0[xX][0-9a-fA-F]{1,15}|\d{1,18}|\d{1,2}#[0-9a-zA-Z]{1,12})$/.test(value)) return;
  if (/^\$(?:[?#$!]|\{#[a-z_]\w*\})$/.test(value)) return;
  const name = /^(?:\$?([a-z_]\w*)|\$\{([a-z_]\w*)\})$/.exec(value);
  const variable = name?.[1] ?? name?.[2];
  if (variable !== undefined && isInteger(state.variables.get(variable))) return;
  if (word.parts !== undefined) {
    const { pos, end, parts } = word;
    const text = parts.map((part) => part.text).join("");
    reading.readAtoms({ type: "Word", text, value, pos, end, parts }, place);
  }
  reading.addProblem("arithmetic uses a value that may not be a number", value);
}

function textOf({ pos, end }: ArithmeticExpression, { site }: ScriptPlace): string {
  return site.source.slice(pos, end);
}
