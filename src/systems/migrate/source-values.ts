import { isNode, nameIn, nodesIn, type SourceNode } from "../../capabilities/code/source-node.ts";
import { textOf } from "./source-view.ts";

/** The value of a property of an object, or of a field of a class. */
export function valueAt(node: SourceNode | undefined, key: string): SourceNode | undefined {
  const property = membersOf(node).find((each) => each.computed !== true && nameIn(each.key) === key);
  return isNode(property?.value) ? property.value : undefined;
}

export function memberNames(node: SourceNode | undefined): string[] {
  return membersOf(node).flatMap((each) => nameIn(each.key) ?? []);
}

/** The properties of an object, or the members of a class. */
export function membersOf(node: SourceNode | undefined): readonly SourceNode[] {
  if (node === undefined) return [];
  if (node.type === "ObjectExpression") return nodesIn(node.properties);
  return isNode(node.body) ? nodesIn(node.body.body) : [];
}

/** The name that an object or a class gives itself; a class may set it in its constructor. */
export function ownName(node: SourceNode): string | undefined {
  return textOf(valueAt(node, "name")) ?? nameSetInConstructor(node);
}

function nameSetInConstructor(node: SourceNode): string | undefined {
  const maker = valueAt(node, "constructor");
  const statements = isNode(maker?.body) ? nodesIn(maker.body.body) : [];
  for (const { expression } of statements) {
    if (!isNode(expression) || expression.type !== "AssignmentExpression" || !isNode(expression.left))
      continue;
    const { object, property } = expression.left;
    if (isNode(object) && object.type === "ThisExpression" && nameIn(property) === "name")
      return textOf(expression.right);
  }
  return undefined;
}

/** What a call or a `new` is given first, without its type. */
export function firstArgument(node: SourceNode): SourceNode | undefined {
  return withoutType(nodesIn(node.arguments)[0]);
}

/** `{ … } as T` and `{ … } satisfies T` are the object. */
export function withoutType(node: unknown): SourceNode | undefined {
  if (!isNode(node)) return undefined;
  const isTyped = ["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"].includes(node.type);
  return isTyped ? withoutType(node.expression) : node;
}

/** `a.b.c` for an access by names alone. */
export function dottedName(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === "ChainExpression") return dottedName(node.expression);
  if (node.type === "ThisExpression") return "this";
  if (node.type === "Identifier") return nameIn(node);
  if (node.type !== "MemberExpression" || node.computed === true) return undefined;
  const [object, property] = [dottedName(node.object), nameIn(node.property)];
  return object === undefined || property === undefined ? undefined : `${object}.${property}`;
}

/** The method that a call calls, such as `on` of `agent.on(…)`. */
export function calledMethod({ callee }: SourceNode): string | undefined {
  if (!isNode(callee)) return undefined;
  if (callee.type === "ChainExpression") return calledMethod({ ...callee, callee: callee.expression });
  return callee.type === "MemberExpression" && callee.computed !== true ? nameIn(callee.property) : undefined;
}

/** The names that a class extends and implements. */
export function parentsOf(node: SourceNode): string[] {
  const interfaces = nodesIn(node.implements).map(({ expression }) => dottedName(expression));
  return [dottedName(node.superClass), ...interfaces].flatMap((name) => name ?? []);
}
