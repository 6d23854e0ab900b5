import type { ArithmeticBinary, ArithmeticExpression, ArithmeticWord } from "unbash";
import type { Reading, Site } from "../reading.ts";
import { forkState, isFreshName, isInteger, joinStates, type ShellState } from "../shell-state.ts";

interface Context {
  readonly reading: Reading;
  readonly site: Site;
  readonly state: ShellState;
}

/**
 * In arithmetic, bash evaluates a variable's value as an expression and runs commands in it. So only numbers are safe,
 * and variables that this script has set to numbers.
 */
export function checkArithmetic(expression: ArithmeticExpression, context: Context): void {
  const { reading, site, state } = context;
  reading.spend(1);
  switch (expression.type) {
    case "ArithmeticBinary":
      if (/^(?:[-+*/%&^|]|<<|>>)?=$/.test(expression.operator)) {
        checkAssignment(expression, context);
        return;
      }
      checkArithmetic(expression.left, context);
      if (/^(?:&&|\|\|)$/.test(expression.operator)) {
        checkPerhaps(expression.right, context);
        return;
      }
      checkArithmetic(expression.right, context);
      return;
    case "ArithmeticUnary":
      checkArithmetic(expression.operand, context);
      if (/^(?:\+\+|--)$/.test(expression.operator)) assign(expression.operand, context);
      return;
    case "ArithmeticTernary":
      checkArithmetic(expression.test, context);
      checkPerhaps(expression.consequent, context);
      checkPerhaps(expression.alternate, context);
      return;
    case "ArithmeticGroup":
      checkArithmetic(expression.expression, context);
      return;
    case "ArithmeticWord":
      checkWord(expression, context);
      return;
    case "ArithmeticCommandExpansion":
      reading.walkNested(expression.script, site, state);
      reading.addProblem("arithmetic uses the output of a command", expression.text);
      return;
    default:
      reading.addProblem("arithmetic could not be parsed", site.source);
      return;
  }
}

function checkAssignment(expression: ArithmeticBinary, context: Context): void {
  checkArithmetic(expression.right, context);
  if (expression.operator !== "=") checkArithmetic(expression.left, context);
  assign(expression.left, context);
}

function assign(target: ArithmeticExpression, context: Context): void {
  const { reading, state } = context;
  if (target.type === "ArithmeticWord" && isFreshName(target.value)) {
    state.variables.set(target.value, { kind: "integer" });
    return;
  }
  checkArithmetic(target, context);
  reading.addProblem("arithmetic assigns something other than a plain variable", textOf(target, context));
}

/** Checks a part that may or may not be evaluated, and so may or may not assign. */
function checkPerhaps(expression: ArithmeticExpression, context: Context): void {
  const { state } = context;
  const branch = forkState(state);
  checkArithmetic(expression, { ...context, state: branch });
  const joined = joinStates(state, branch).variables;
  state.variables.clear();
  for (const [name, value] of joined) state.variables.set(name, value);
}

function checkWord(word: ArithmeticWord, context: Context): void {
  const { reading, site, state } = context;
  const value = word.value.trim();
  if (/^(?:0[xX][0-9a-fA-F]{1,15}|\d{1,18}|\d{1,2}#[0-9a-zA-Z]{1,12})$/.test(value)) return;
  if (/^\$(?:[?#$!]|\{#[a-z_]\w*\})$/.test(value)) return;
  const name = /^(?:\$?([a-z_]\w*)|\$\{([a-z_]\w*)\})$/.exec(value);
  const variable = name?.[1] ?? name?.[2];
  if (variable !== undefined && isInteger(state.variables.get(variable))) return;
  if (word.parts !== undefined) {
    const { pos, end, parts } = word;
    reading.readAtoms(
      { type: "Word", text: parts.map(({ text }) => text).join(""), value, pos, end, parts },
      site,
      state,
    );
  }
  reading.addProblem("arithmetic uses a value that may not be a number", value);
}

function textOf({ pos, end }: ArithmeticExpression, { site }: Context): string {
  return site.source.slice(pos, end);
}
