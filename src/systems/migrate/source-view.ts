import { isNode, nameIn, nodesIn, type SourceNode } from "../../capabilities/code/parse-source.ts";
import type { ImportMove } from "./migration.ts";

/** A module that is named, with the place of its name. */
export interface ModuleUse {
  readonly from: string;
  readonly kind: ImportMove["kind"];
  readonly isTypeOnly: boolean;
  /** The name as it is written, with its quotes. */
  readonly literal: SourceNode;
  readonly bindings: readonly Binding[];
}

interface Binding {
  /** The imported name; `*` for the whole module. */
  readonly name: string;
  /** Its name in this file. */
  readonly local?: string | undefined;
  readonly node: SourceNode;
}

export type SourceView = ReturnType<typeof viewSource>;

/** The parts of a source file that matter here, wherever in the file they stand. */
export function viewSource(body: readonly SourceNode[]) {
  const nodes = [...nodesBelow(body)];
  // A module that is named in a declaration or an access has been seen with its bindings before.
  const modules = new Map<SourceNode, ModuleUse>();
  for (const use of nodes.flatMap((node) => moduleUse(node) ?? []))
    if (!modules.has(use.literal)) modules.set(use.literal, use);
  const byType = Map.groupBy(nodes, ({ type }) => type);
  const all = (...types: string[]): readonly SourceNode[] => types.flatMap((type) => byType.get(type) ?? []);
  return {
    modules: [...modules.values()] as readonly ModuleUse[],
    /** Texts that are not part of an import. */
    texts: all("Literal", "TemplateLiteral").filter(
      (node) => textOf(node) !== undefined && !modules.has(node),
    ),
    calls: all("CallExpression"),
    /** `new X()` */
    instances: all("NewExpression"),
    classes: all("ClassDeclaration", "ClassExpression"),
    objects: all("ObjectExpression"),
    /** Properties of objects and members of classes. */
    properties: all("Property", "MethodDefinition", "PropertyDefinition"),
    /** Accesses such as `agent.fork`. */
    accesses: all("MemberExpression"),
  };
}

/** Walks the whole tree, with a list in place of recursion: a file may be nested deeper than the stack. */
function* nodesBelow(body: readonly SourceNode[]): Generator<SourceNode> {
  const waiting = [...body].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    waiting.push(...Object.values(node).flat().filter(isNode).reverse());
  }
}

/** The text of a literal, or of a template without expressions. */
export function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type !== "TemplateLiteral" || nodesIn(node.expressions).length > 0) return undefined;
  const [only] = nodesIn(node.quasis);
  const cooked = (only?.value as { cooked?: unknown } | undefined)?.cooked;
  return typeof cooked === "string" ? cooked : undefined;
}

function moduleUse(node: SourceNode): ModuleUse | undefined {
  switch (node.type) {
    case "ImportDeclaration":
      return use(node.source, "import", {
        isTypeOnly: node.importKind === "type",
        bindings: nodesIn(node.specifiers).map(importBinding),
      });
    case "ExportNamedDeclaration":
      return use(node.source, "reexport", {
        isTypeOnly: node.exportKind === "type",
        bindings: nodesIn(node.specifiers).map((each) => ({ name: nameIn(each.local) ?? "*", node: each })),
      });
    case "ExportAllDeclaration":
      return use(node.source, "reexport", {
        isTypeOnly: node.exportKind === "type",
        bindings: [{ name: "*", node }],
      });
    case "TSImportEqualsDeclaration": {
      const reference = isNode(node.moduleReference) ? node.moduleReference : undefined;
      const bindings = [{ name: "*", node, local: nameIn(node.id) }];
      return use(reference?.expression, "require", { bindings });
    }
    case "TSImportType": {
      const qualifier = isNode(node.qualifier) ? node.qualifier : undefined;
      const name = nameIn(qualifier?.left ?? qualifier);
      const argument = isNode(node.argument) ? (node.argument.literal ?? node.argument) : undefined;
      return use(node.source ?? argument, "type", {
        isTypeOnly: true,
        bindings: name === undefined ? [] : [{ name, node }],
      });
    }
    case "TSModuleDeclaration":
      return use(node.id, "type", { isTypeOnly: true });
    case "VariableDeclarator":
      return loadedModule(node.init, isNode(node.id) ? boundNames(node.id) : []);
    case "MemberExpression": {
      const name = nameIn(node.property);
      const isNamed = node.computed !== true && name !== undefined;
      return loadedModule(node.object, isNamed ? [{ name, node }] : []);
    }
    case "ImportExpression":
    case "CallExpression":
      return loadedModule(node, []) ?? mockedModule(node);
    default:
      return undefined;
  }
}

function use(
  literal: unknown,
  kind: ModuleUse["kind"],
  { isTypeOnly = false, bindings = [] }: { isTypeOnly?: boolean; bindings?: readonly Binding[] } = {},
): ModuleUse | undefined {
  const from = textOf(literal);
  if (from === undefined) return undefined;
  return { from, kind, isTypeOnly, literal: literal as SourceNode, bindings };
}

function importBinding(node: SourceNode): Binding {
  const local = nameIn(node.local) ?? "";
  if (node.type === "ImportDefaultSpecifier") return { name: "default", local, node };
  if (node.type === "ImportNamespaceSpecifier") return { name: "*", local, node };
  return { name: nameIn(node.imported) ?? local, local, node };
}

/** `require("x")` and `import("x")`, also awaited. */
function loadedModule(value: unknown, bindings: readonly Binding[]): ModuleUse | undefined {
  if (!isNode(value)) return undefined;
  if (value.type === "AwaitExpression" || value.type === "ParenthesizedExpression")
    return loadedModule(value.argument ?? value.expression, bindings);
  if (value.type === "ImportExpression") return use(value.source, "dynamic", { bindings });
  if (value.type !== "CallExpression" || nameIn(value.callee) !== "require") return undefined;
  return use(nodesIn(value.arguments)[0], "require", { bindings });
}

function boundNames(id: SourceNode): Binding[] {
  if (id.type === "Identifier") return [{ name: "*", local: nameIn(id) ?? "", node: id }];
  if (id.type !== "ObjectPattern") return [];
  return nodesIn(id.properties).map((property) => {
    const value = isNode(property.value) ? property.value : undefined;
    const local = nameIn(value?.type === "AssignmentPattern" ? value.left : value);
    const name = property.type === "Property" ? (nameIn(property.key) ?? "*") : "*";
    return { name, node: property, local };
  });
}

/** `vi.mock("x")`, `jest.requireActual("x")` and `require.resolve("x")`. */
function mockedModule({ callee, arguments: given }: SourceNode): ModuleUse | undefined {
  if (!isNode(callee) || callee.type !== "MemberExpression") return undefined;
  const [object, method] = [nameIn(callee.object) ?? "", nameIn(callee.property) ?? ""];
  const isMock = ["vi", "jest"].includes(object) && /mock|actual/i.test(method);
  if (!isMock && !(object === "require" && method === "resolve")) return undefined;
  return use(nodesIn(given)[0], "mock");
}

/** The value of a property of an object, or of a field of a class. */
export function valueAt(node: SourceNode | undefined, key: string): SourceNode | undefined {
  const property = membersOf(node).find((each) => each.computed !== true && nameIn(each.key) === key);
  return isNode(property?.value) ? property.value : undefined;
}

export function memberNames(node: SourceNode | undefined): string[] {
  return membersOf(node).flatMap((each) => nameIn(each.key) ?? []);
}

/** The properties of an object, or the members of a class. */
function membersOf(node: SourceNode | undefined): readonly SourceNode[] {
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
