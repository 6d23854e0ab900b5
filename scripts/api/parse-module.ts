import { posix } from "node:path";
import { parseAst } from "rolldown/parseAst";

/** Where a name means something. */
export interface Place {
  /** Inside the folder of emitted files. */
  readonly file: string;
  readonly name: string;
}

/** Something that is declared at the top of a file. */
export interface Declaration extends Place {
  readonly isType: boolean;
  /** As emitted, with the comment above it; several where a function can be called in several ways. */
  readonly texts: readonly string[];
  /** The names in it that stand for types, or for what `typeof` is said of, whoever declares them. */
  readonly mentions: readonly Place[];
}

/** What names mean in a file, as far as files of ours are concerned. */
export interface ParsedModule {
  readonly declared: ReadonlyMap<string, Declaration>;
  readonly imported: ReadonlyMap<string, Place>;
  readonly exported: ReadonlyMap<string, Place>;
  /** Files whose exports are all exported again. */
  readonly wholes: readonly string[];
  /** Its additions to the interfaces of other files (`declare module`). */
  readonly added: readonly Declaration[];
}

export function parseModule(file: string, text: string): ParsedModule {
  const declared = new Map<string, Declaration>();
  const imported = new Map<string, Place>();
  const exported = new Map<string, Place>();
  const wholes: string[] = [];
  const added: Declaration[] = [];
  const statements = parseAst(text, { lang: "dts" }, file).body as unknown as Statement[];
  let previousEnd = 0;
  for (const statement of statements) {
    const source = statement.source ? resolveFile(file, statement.source.value) : file;
    if (statement.type === "ExportAllDeclaration" && source !== undefined) wholes.push(source);
    if (statement.type === "TSModuleDeclaration") added.push(...additionsIn(statement, file, text));
    for (const { type, local, imported: theirs, exported: ours } of statement.specifiers ?? []) {
      if (source === undefined) continue;
      if (type === "ImportSpecifier") imported.set(local.name, { file: source, name: theirs!.name });
      if (type === "ExportSpecifier") exported.set(ours!.name, { file: source, name: local.name });
    }
    const node = statement.declaration ?? statement;
    for (const name of declaredNames(node)) {
      const before = declared.get(name);
      const comment =
        /\/\*\*(?:(?!\*\/).)*\*\/\s*$/s.exec(text.slice(previousEnd, statement.start))?.[0] ?? "";
      declared.set(name, {
        file,
        name,
        isType: typeNodes.has(node.type),
        texts: [...(before?.texts ?? []), comment + text.slice(statement.start, statement.end)],
        mentions: [...(before?.mentions ?? []), ...findMentions(file, node)],
      });
      if (statement.type === "ExportNamedDeclaration") exported.set(name, { file, name });
    }
    previousEnd = statement.end;
  }
  return { declared, imported, exported, wholes, added };
}

/** What the names in it mean is said by the file that adds, not by the one that it adds to. */
function additionsIn(module: Statement, file: string, text: string): Declaration[] {
  const { id, body } = module as unknown as { id: { value?: string }; body: { body: Node[] } };
  const target = id.value === undefined ? undefined : resolveFile(file, id.value);
  if (target === undefined) return [];
  return body.body.flatMap((statement) => {
    const node = (statement as Statement).declaration ?? statement;
    return declaredNames(node).map((name) => ({
      ...{ file: target, name, isType: true },
      texts: [text.slice(statement.start, statement.end).replaceAll(/^ {4}/gm, "")],
      mentions: findMentions(file, node),
    }));
  });
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

interface Named extends Node {
  readonly name: string;
}

interface Statement extends Node {
  readonly source?: { readonly value: string } | null;
  readonly declaration?: Node | null;
  readonly specifiers?: readonly {
    readonly type: string;
    readonly local: Named;
    readonly imported?: Named;
    readonly exported?: Named;
  }[];
}

const typeNodes = new Set(["TSInterfaceDeclaration", "TSTypeAliasDeclaration"]);

/** The emitted file that a written path leads to; undefined for a package. */
function resolveFile(from: string, written: string): string | undefined {
  if (!written.startsWith(".")) return undefined;
  return posix.join(posix.dirname(from), written.replace(/\.ts$/, ".d.ts"));
}

function declaredNames(node: Node): string[] {
  if (node.type === "VariableDeclaration")
    return (node.declarations as { id: Named }[]).map(({ id }) => id.name);
  const declares = typeNodes.has(node.type) || /^(?:TSDeclareFunction|ClassDeclaration)$/.test(node.type);
  return declares ? [(node.id as Named).name] : [];
}

function findMentions(file: string, node: unknown): Place[] {
  if (Array.isArray(node)) return node.flatMap((each) => findMentions(file, each));
  if (typeof node !== "object" || node === null) return [];
  const { type, source, qualifier, typeName, exprName, expression, superClass } = node as {
    type?: string;
  } & Record<string, Node | undefined>;
  const inside = Object.values(node).flatMap((each) => findMentions(file, each));
  switch (type) {
    case "TSImportType": {
      const target = resolveFile(file, String(source?.value));
      return target && qualifier ? [{ file: target, name: firstName(qualifier) }, ...inside] : inside;
    }
    case "TSTypeReference":
      return [{ file, name: firstName(typeName!) }, ...inside];
    case "TSTypeQuery":
      return [{ file, name: firstName(exprName!) }, ...inside];
    case "TSInterfaceHeritage":
    case "TSClassImplements":
      return [{ file, name: firstName(expression!) }, ...inside];
    case "ClassDeclaration":
      return superClass ? [{ file, name: firstName(superClass) }, ...inside] : inside;
    default:
      return inside;
  }
}

/** Of `a.b.c` the first. */
function firstName(node: Node): string {
  const left = (node.left ?? node.object) as Node | undefined;
  return left ? firstName(left) : String(node.name);
}
