import type { EcmaScriptModule } from "oxc-parser";
import type { CodeImport } from "../../tool/services/source-code.ts";
import { isNode, nameIn, nodesIn, type SourceNode } from "./parse-source.ts";

/** All imports of a file, in the order of the text. */
export function collectImports(
  body: readonly SourceNode[],
  { lineOf, module, text }: { lineOf: (offset: number) => number; module: EcmaScriptModule; text: string },
): CodeImport[] {
  const imports = module.staticImports.map(({ start, moduleRequest, entries }): CodeImport => {
    const isTypeOnly = entries.length > 0 && entries.every(({ isType }) => isType);
    const names = entries.map(({ importName }) => nameOf(importName));
    const from = moduleRequest.value;
    return { from, line: lineOf(start), kind: "import", names, ...(isTypeOnly && { isTypeOnly }) };
  });
  const reexports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ start, moduleRequest, importName, isType }): CodeImport[] => {
      if (moduleRequest === null) return [];
      const where = { from: moduleRequest.value, line: lineOf(start) };
      return [
        { ...where, kind: "reexport", names: [nameOf(importName)], ...(isType && { isTypeOnly: isType }) },
      ];
    }),
  );
  const dynamic = module.dynamicImports.map(({ start, moduleRequest }): CodeImport => {
    const written = text.slice(moduleRequest.start, moduleRequest.end);
    const literal = /^(["'`])([^"'`$\\]*)\1$/.exec(written)?.[2];
    const from = literal ?? written.slice(0, maxExpression);
    return { from, line: lineOf(start), kind: "dynamic", names: ["*"] };
  });
  const all = [...imports, ...reexports, ...dynamic, ...body.flatMap((node) => requires(node, lineOf))];
  return all.toSorted((one, other) => one.line - other.line);
}

// An address that is computed is shown as it is written.
const maxExpression = 200;

function nameOf({ kind, name }: { readonly kind: string; readonly name: string | null }): string {
  return specialNames.get(kind) ?? name ?? "";
}

const specialNames: ReadonlyMap<string, string> = new Map([
  ["Default", "default"],
  ["NamespaceObject", "*"],
  ["All", "*"],
  ["AllButDefault", "*"],
]);

/** `require("x")` at the top level, with or without a name. */
function requires(node: SourceNode, lineOf: (offset: number) => number): CodeImport[] {
  const values =
    node.type === "VariableDeclaration"
      ? nodesIn(node.declarations).map(({ init, id }) => ({ value: init, id }))
      : node.type === "ExpressionStatement"
        ? [{ value: node.expression, id: undefined }]
        : [];
  return values.flatMap(({ value, id }) => {
    const call = isNode(value) && value.type === "MemberExpression" ? value.object : value;
    if (!isNode(call) || call.type !== "CallExpression" || nameIn(call.callee) !== "require") return [];
    const from = nameIn(nodesIn(call.arguments)[0]);
    if (from === undefined) return [];
    const names = isNode(id) ? namesOf(id) : [];
    return [{ from, line: lineOf(call.start), kind: "require" as const, names }];
  });
}

function namesOf(id: SourceNode): string[] {
  if (id.type !== "ObjectPattern") return ["*"];
  return nodesIn(id.properties).map(({ key }) => nameIn(key) ?? "*");
}
