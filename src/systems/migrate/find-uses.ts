import { isNode, nameIn, type SourceNode } from "../../capabilities/code/parse-source.ts";
import { orMeant } from "../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
import { change, type FoundUse, type Move, type UsingSource } from "./moves/move.ts";
import type { EntryExports } from "./open-source-reader.ts";
import { calledMethod, type ModuleUse, type SourceView, textOf } from "./source-view.ts";

export interface FoundUses {
  /** Modules to name differently, with the place of the name. */
  readonly modules: readonly ModuleUse[];
  readonly found: readonly FoundUse[];
}

/** Everything of a system that a file uses, and what becomes of it. */
export function findUses(view: SourceView, { path, text, move, exports, aliases }: FileOfSystem): FoundUses {
  const packages = new Set([...move.packages, ...aliases]);
  const own = view.modules.filter(({ from }) => packages.has(from));
  const source: UsingSource = { ...view, path, text, isImporting: own.length > 0, apiName: namesHere(own) };
  const stays = own.filter((use) => staysThere(use, { move, exports }));
  return {
    modules: own.filter((use) => !stays.includes(use)),
    found: [
      ...own.flatMap((use) => importedNames(use, { source, move, exports, isKept: stays.includes(use) })),
      ...unknownParts(view, move),
      ...mentions(view, packages),
      ...typesUsedAsValues(source, { move, exports }),
      ...missingMethods(source, move),
      ...move.find(source),
    ],
  };
}

export interface FileOfSystem {
  readonly path: string;
  readonly text: string;
  readonly move: Move;
  readonly exports: EntryExports;
  /** Names that the project has for the system's package. */
  readonly aliases: readonly string[];
}

/** Resolves an expression to the system's own name for it. */
function namesHere(own: readonly ModuleUse[]): UsingSource["apiName"] {
  const names = new Map<string, string>();
  const namespaces = new Set<string>();
  for (const { name, local } of own.flatMap(({ bindings }) => bindings)) {
    if (local === undefined) continue;
    if (name === "*") namespaces.add(local);
    else names.set(local, name);
  }
  return (node) => {
    if (!isNode(node)) return undefined;
    if (node.type === "Identifier") return names.get(nameIn(node) ?? "");
    const isOfNamespace = node.type === "MemberExpression" && namespaces.has(nameIn(node.object) ?? "");
    return isOfNamespace && node.computed !== true ? nameIn(node.property) : undefined;
  };
}

interface Known {
  readonly move: Move;
  readonly exports: EntryExports;
}

/** An import of names alone that are still taken from the system's own package. */
function staysThere({ bindings }: ModuleUse, { move: { kept = [] } }: Known): boolean {
  return bindings.length > 0 && bindings.every(({ name }) => kept.includes(name));
}

function importedNames(
  use: ModuleUse,
  { source, move, exports, isKept }: Known & { source: UsingSource; isKept: boolean },
): FoundUse[] {
  const { kept = [] } = move;
  if (isKept) return use.bindings.map(({ name, node }) => ({ kind: "name", name, node, verdict: "runs" }));
  return namesTaken(use, source).flatMap(({ name, node }): FoundUse[] => {
    if (name === "*" || Object.hasOwn(exports.names, name)) return [];
    const advice = kept.includes(name)
      ? `import it in a separate line, still from ${JSON.stringify(use.from)}`
      : adviceOn(name, { move, exports });
    return [{ kind: "name", name, node, ...change(advice) }];
  });
}

/** The names that are imported, and those that are read from a namespace. */
function namesTaken(
  { bindings }: ModuleUse,
  { accesses }: UsingSource,
): { name: string; node: SourceNode }[] {
  const namespaces = new Set(bindings.flatMap(({ name, local }) => (name === "*" && local ? [local] : [])));
  const read = accesses.flatMap((access) => {
    const isRead = namespaces.has(nameIn(access.object) ?? "") && access.computed !== true;
    const name = nameIn(access.property);
    return isRead && name !== undefined ? [{ name, node: access }] : [];
  });
  return [...bindings, ...read];
}

function adviceOn(name: string, { move, exports }: Known): string {
  if (Object.hasOwn(move.missing, name)) return move.missing[name]!;
  if (name === "default") return `import it by its name: import { … } from ${JSON.stringify(move.entry)}`;
  const nearest = nearestNames(name, Object.keys(exports.names));
  return `${move.entry} has no ${name}${orMeant(nearest, "leave it out, or write it yourself")}`;
}

/** `@shareai-lab/kode-sdk/dist/x`: a part of the package that its users are not meant to import; and other packages. */
function unknownParts({ modules }: SourceView, { packages, related = {}, entry }: Move): FoundUse[] {
  return modules.flatMap(({ from, literal }): FoundUse[] => {
    if (Object.hasOwn(related, from))
      return [{ kind: "name", name: from, node: literal, ...change(related[from] ?? "") }];
    const isPart = !packages.includes(from) && packages.some((name) => from.startsWith(`${name}/`));
    const advice = `import what you need from ${JSON.stringify(entry)}, which has no parts`;
    return isPart ? [{ kind: "name", name: from, node: literal, ...change(advice) }] : [];
  });
}

/** The package's name in a text that is not an import: a computed import, or a setting. */
function mentions({ texts }: SourceView, packages: ReadonlySet<string>): FoundUse[] {
  return texts.flatMap((node): FoundUse[] => {
    const text = textOf(node) ?? "";
    if (!packages.has(text)) return [];
    return [
      { kind: "name", name: text, node, ...change("see whether this text has to name toolwright instead") },
    ];
  });
}

function typesUsedAsValues({ instances, apiName }: UsingSource, { move, exports }: Known): FoundUse[] {
  return instances.flatMap((node): FoundUse[] => {
    const name = apiName(node.callee);
    if (name === undefined || !Object.hasOwn(exports.names, name) || exports.names[name] !== "type")
      return [];
    const advice = move.missing[name] ?? `${name} is only a type in ${move.entry}: leave the instance out`;
    return [{ kind: "name", name, node, ...change(advice) }];
  });
}

function missingMethods(
  { calls, modules, isImporting }: UsingSource,
  { missingMethods: known }: Move,
): FoundUse[] {
  if (!isImporting) return [];
  const imported = new Set(modules.flatMap(({ bindings }) => bindings.map(({ name }) => name)));
  const methods = Object.entries(known).flatMap(([name, each]) =>
    imported.has(name) || imported.has("*") || imported.has("default") ? Object.entries(each) : [],
  );
  const advice = new Map(methods);
  return calls.flatMap((call): FoundUse[] => {
    const name = calledMethod(call);
    const text = name === undefined ? undefined : advice.get(name);
    return text === undefined ? [] : [{ kind: "method", name: name!, node: call, ...change(text) }];
  });
}
