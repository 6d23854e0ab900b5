import { parseSync } from "oxc-parser";

/** A regular expression in the source. */
interface Expression {
  readonly pattern: string;
  readonly flags: string;
}

export interface FoundExpressions {
  readonly literals: readonly Expression[];
  /** Those that are put together at run time, as they are written. */
  readonly composed: readonly string[];
}

export function findExpressions(file: string, source: string): FoundExpressions {
  const literals: Expression[] = [];
  const composed: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, regex, callee, start, end } = node as Record<string, unknown>;
    if (type === "Literal" && regex !== undefined) literals.push(regex as Expression);
    if ((type === "NewExpression" || type === "CallExpression") && isName(callee, "RegExp")) {
      composed.push(source.slice(start as number, end as number));
    }
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(parseSync(file, source).program.body);
  return { literals, composed };
}

function isName(node: unknown, name: string): boolean {
  return typeof node === "object" && node !== null && "name" in node && node.name === name;
}
