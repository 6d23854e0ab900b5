import type { EcmaScriptModule } from "oxc-parser";
import { defined } from "../../shared/options/defined.ts";
import type { CodeSymbol } from "../../tool/services/source-code.ts";
import { isNode, nameIn, nodesIn, type SourceNode } from "./parse-source.ts";

interface SymbolParts {
  readonly lineOf: (offset: number) => number;
  readonly module: Pick<EcmaScriptModule, "staticExports">;
}

/** The declarations at the top level of a file, with the members of classes and namespaces, in the order of the text. */
export function collectSymbols(body: readonly SourceNode[], { lineOf, module }: SymbolParts): CodeSymbol[] {
  const exported = exportedNames(module);
  const symbols: CodeSymbol[] = [];
  const add = ({ name, kind, node, parent, exportedAs = [] }: Found) => {
    const line = lineOf(node.start);
    const endLine = lineOf(Math.max(node.start, node.end - 1));
    const names =
      parent === undefined ? [...new Set([...exportedAs, ...(exported.get(name) ?? [])])] : exportedAs;
    symbols.push({
      ...{ name, kind, line, endLine },
      ...defined({ parent, exportedAs: names.length > 0 ? names : undefined }),
    });
  };
  const visit = (node: SourceNode, parent: string | undefined, exportedAs: readonly string[] = []): void => {
    const scope = { parent, exportedAs };
    if (node.type === "ExportNamedDeclaration" || node.type === "ExportDefaultDeclaration") {
      const isDefault = node.type === "ExportDefaultDeclaration";
      if (isNode(node.declaration))
        visit(node.declaration, parent, isDefault ? ["default"] : ownName(parent, node));
      return;
    }
    if (node.type === "VariableDeclaration") {
      const plain = node.kind === "const" ? "constant" : "variable";
      for (const each of nodesIn(node.declarations)) addVariable(each, plain, scope);
      return;
    }
    const kind = kinds.get(node.type);
    if (kind === undefined) {
      addAssignedExport(node);
      return;
    }
    const name = nameIn(node.id) ?? (exportedAs.includes("default") ? "default" : undefined);
    if (name === undefined) return;
    add({ name, kind, node, ...scope });
    if (kind === "class") addMembers(node, name);
    if (kind === "namespace" && isNode(node.body))
      for (const each of nodesIn(node.body.body)) visit(each, name);
  };
  const addVariable = (node: SourceNode, plain: "constant" | "variable", scope: Scope) => {
    const init = isNode(node.init) ? node.init.type : "";
    const kind = functionTypes.has(init) ? "function" : init === "ClassExpression" ? "class" : plain;
    for (const name of boundNames(node.id)) add({ name, kind, node, ...scope });
  };
  const addMembers = (node: SourceNode, parent: string) => {
    const members = isNode(node.body) ? nodesIn(node.body.body) : [];
    for (const member of members) {
      const name = nameIn(member.key);
      if (name === undefined || member.computed === true) continue;
      const isFunction = isNode(member.value) && functionTypes.has(member.value.type);
      const kind = member.type.includes("Method") || isFunction ? "method" : "field";
      add({ name, kind, node: member, parent });
    }
  };
  /** `exports.name = …` and `module.exports = …`, as CommonJS does it. */
  const addAssignedExport = (node: SourceNode) => {
    const expression = node.type === "ExpressionStatement" ? node.expression : undefined;
    if (!isNode(expression) || expression.type !== "AssignmentExpression") return;
    const { left, right } = expression;
    if (!isNode(left) || left.type !== "MemberExpression") return;
    const [object, property] = [nameIn(left.object), nameIn(left.property)];
    const isOfExports = object === "exports" || isModuleExports(left.object);
    const name = isOfExports ? property : isModuleExports(left) ? "module.exports" : undefined;
    if (name === undefined) return;
    const kind = isNode(right) && functionTypes.has(right.type) ? "function" : "constant";
    add({ name, kind, node, exportedAs: [isOfExports ? name : "default"] });
  };
  for (const node of body) visit(node, undefined);
  return symbols;
}

interface Scope {
  readonly parent?: string | undefined;
  readonly exportedAs?: readonly string[];
}

interface Found extends Scope {
  readonly name: string;
  readonly kind: CodeSymbol["kind"];
  readonly node: SourceNode;
}

/** The name under which a namespace exports a declaration, which the module's list of exports does not have. */
function ownName(parent: string | undefined, { declaration }: SourceNode): readonly string[] {
  if (parent === undefined || !isNode(declaration)) return [];
  const name = nameIn(declaration.id);
  return name === undefined ? [] : [name];
}

function isModuleExports(node: unknown): boolean {
  return (
    isNode(node) &&
    node.type === "MemberExpression" &&
    nameIn(node.object) === "module" &&
    nameIn(node.property) === "exports"
  );
}

/** The names that the module exports each local name by. */
function exportedNames({ staticExports }: SymbolParts["module"]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { entries } of staticExports) {
    for (const { localName, exportName, moduleRequest } of entries) {
      if (moduleRequest !== null || typeof localName.name !== "string") continue;
      const shown = exportName.kind === "Default" ? "default" : (exportName.name ?? localName.name);
      names.set(localName.name, [...(names.get(localName.name) ?? []), shown]);
    }
  }
  return names;
}

/** The names that a declaration binds, also by destructuring. */
function boundNames(pattern: unknown, depth = 0): string[] {
  if (!isNode(pattern) || depth > maxDepth) return [];
  const inside = (value: unknown) => boundNames(value, depth + 1);
  switch (pattern.type) {
    case "Identifier":
      return [String(pattern.name)];
    case "ObjectPattern":
      return nodesIn(pattern.properties).flatMap((each) => inside(each.value ?? each.argument));
    case "ArrayPattern":
      return nodesIn(pattern.elements).flatMap(inside);
    case "AssignmentPattern":
      return inside(pattern.left);
    case "RestElement":
      return inside(pattern.argument);
    default:
      return [];
  }
}

const maxDepth = 50;

const functionTypes = new Set(["FunctionExpression", "ArrowFunctionExpression"]);

const kinds: ReadonlyMap<string, CodeSymbol["kind"]> = new Map([
  ["FunctionDeclaration", "function"],
  ["TSDeclareFunction", "function"],
  ["ClassDeclaration", "class"],
  ["TSInterfaceDeclaration", "interface"],
  ["TSTypeAliasDeclaration", "type"],
  ["TSEnumDeclaration", "enum"],
  ["TSModuleDeclaration", "namespace"],
]);
