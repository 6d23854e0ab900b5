import { isNode, nameIn, type SourceNode } from "../../capabilities/code/parse-source.ts";
import { orMeant } from "../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
import { change, type FoundUse, type Judged, type Move, runs, type UsingSource } from "./moves/move.ts";
import type { UsesTask } from "./open-source-reader.ts";
import { calledMethod, type ModuleUse, type SourceView, textOf } from "./source-view.ts";

/** A file to look through for uses of a system. */
type FileOfSystem = Omit<UsesTask, "system"> & { readonly move: Move };

/** Everything of a system that a file uses, and what becomes of it. `modules` are named differently from now on. */
export function findUses(view: SourceView, file: FileOfSystem) {
  const { move } = file;
  const packages = new Set([...move.packages, ...file.aliases]);
  const own = view.modules.filter(({ from }) => packages.has(from));
  const source = { ...view, ...file, isImporting: own.length > 0, apiName: namesHere(own) };
  const modules = own.filter((use) => !staysThere(use, move));
  const found: FoundUse[] = [
    ...own.flatMap((use) => (modules.includes(use) ? unknownNames(use, source) : keptNames(use))),
    ...unknownParts(view, move),
    ...mentions(view, packages),
    ...typesUsedAsValues(source),
    ...missingMethods(source),
    ...move.find(source),
  ];
  return { modules, found };
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

type SourceOfSystem = UsingSource & FileOfSystem;

/** An import of names alone that are still taken from the system's own package. */
function staysThere({ bindings }: ModuleUse, { kept = [] }: Move): boolean {
  return bindings.length > 0 && bindings.every(({ name }) => kept.includes(name));
}

function keptNames({ bindings }: ModuleUse): FoundUse[] {
  return bindings.map(({ name, node }) => nameUse(name, node, runs));
}

function unknownNames(use: ModuleUse, source: SourceOfSystem): FoundUse[] {
  const { kept = [] } = source.move;
  return namesTaken(use, source)
    .filter(({ name }) => name !== "*" && !Object.hasOwn(source.exports, name))
    .map(({ name, node }) => {
      const advice = kept.includes(name)
        ? `import it in a separate line, still from ${JSON.stringify(use.from)}`
        : adviceOn(name, source);
      return nameUse(name, node, change(advice));
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

function adviceOn(name: string, { move: { missing, entry }, exports }: SourceOfSystem): string {
  if (Object.hasOwn(missing, name)) return missing[name]!;
  if (name === "default") return `import it by its name: import { … } from ${JSON.stringify(entry)}`;
  const nearest = nearestNames(name, Object.keys(exports));
  return `${entry} has no ${name}${orMeant(nearest, "leave it out, or write it yourself")}`;
}

/** `@shareai-lab/kode-sdk/dist/x`: a part of the package that its users are not meant to import; and other packages. */
function unknownParts({ modules }: SourceView, { packages, related = {}, entry }: Move): FoundUse[] {
  return modules.flatMap(({ from, literal }) => {
    const isPart = !packages.includes(from) && packages.some((name) => from.startsWith(`${name}/`));
    const ofPart = isPart && `import what you need from ${JSON.stringify(entry)}, which has no parts`;
    const advice = Object.hasOwn(related, from) ? related[from] : ofPart;
    return advice ? [nameUse(from, literal, change(advice))] : [];
  });
}

/** The package's name in a text that is not an import: a computed import, or a setting. */
function mentions({ texts }: SourceView, packages: ReadonlySet<string>): FoundUse[] {
  const judged = change("see whether this text has to name toolwright instead");
  return texts.flatMap((node) => {
    const text = textOf(node) ?? "";
    return packages.has(text) ? [nameUse(text, node, judged)] : [];
  });
}

function typesUsedAsValues({ instances, apiName, move, exports }: SourceOfSystem): FoundUse[] {
  return instances.flatMap((node) => {
    const name = apiName(node.callee);
    if (name === undefined || !Object.hasOwn(exports, name) || exports[name] !== "type") return [];
    const advice = move.missing[name] ?? `${name} is only a type in ${move.entry}: leave the instance out`;
    return [nameUse(name, node, change(advice))];
  });
}

function nameUse(name: string, node: SourceNode, judged: Judged): FoundUse {
  return { kind: "name", name, node, ...judged };
}

function missingMethods({ calls, modules, isImporting, move }: SourceOfSystem): FoundUse[] {
  if (!isImporting) return [];
  const imported = new Set(modules.flatMap(({ bindings }) => bindings.map(({ name }) => name)));
  const methods = Object.entries(move.missingMethods).flatMap(([name, each]) =>
    imported.has(name) || imported.has("*") || imported.has("default") ? Object.entries(each) : [],
  );
  const advice = new Map(methods);
  return calls.flatMap((node): FoundUse[] => {
    const name = calledMethod(node) ?? "";
    const text = advice.get(name);
    return text === undefined ? [] : [{ kind: "method", name, node, ...change(text) }];
  });
}
