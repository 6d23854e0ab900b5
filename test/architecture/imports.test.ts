import { expect, test } from "vitest";
import { findCycle } from "./find-cycle.ts";
import { readFolderTable } from "./folder-table.ts";
import { folderOf, readSourceFiles } from "./source-files.ts";

const files = await readSourceFiles();
const table = await readFolderTable();
const ownImports = files.flatMap(({ path, folder, imports }) =>
  imports
    .filter(({ isOwn }) => isOwn)
    .map(({ target }) => ({ path, target, from: folder, to: folderOf(target) })),
);
const foreignImports = files.flatMap(({ path, folder, imports }) =>
  imports.filter(({ isOwn }) => !isOwn).map(({ target, kind }) => ({ path, folder, target, kind })),
);

test("every folder has its row in the table, and every row its folder", () => {
  const folders = new Set(files.map(({ folder }) => rowOf(folder)));
  expect([...table.keys()].sort()).toEqual([...folders].sort());
});

/** One row is for all capabilities, so that a new one needs no row. */
function rowOf(folder: string): string {
  return isRoom(folder) ? "capabilities" : folder;
}

function isRoom(folder: string): boolean {
  return folder.startsWith("capabilities/");
}

/** The names by which a row may allow a folder: its own, or that of the layer it is in. */
function namesOf(folder: string): readonly string[] {
  return folder.includes("/") ? [folder, folder.split("/")[0]!] : [folder];
}

// They lie below all others; what they themselves may import is held below.
const openToAll = ["tool", "shared"];

test("every folder imports only what its row allows", () => {
  const strays = ownImports.filter(
    ({ from, to }) =>
      from !== to &&
      !openToAll.includes(to) &&
      !(isRoom(from) && isRoom(to)) &&
      !namesOf(to).some((name) => table.get(rowOf(from))?.includes(name)),
  );
  expect(strays.map(describe)).toEqual([]);
});

test("every import that a row of the table allows is made by some file", () => {
  const needed = new Set(
    ownImports.flatMap(({ from, to }) => namesOf(to).map((name) => `${rowOf(from)} → ${name}`)),
  );
  const allowed = [...table].flatMap(([folder, targets]) => targets.map((target) => `${folder} → ${target}`));
  expect(allowed.filter((pair) => !needed.has(pair))).toEqual([]);
});

test("the layers hold, even where the table would allow more", () => {
  const mayImport = (from: string, to: string) => {
    if (to === "faces/cli" || from === "shared") return false;
    if (from === "tool") return to === "shared";
    if (from === "tools") return to === "tool" || to === "shared";
    if (from.startsWith("machine/")) return isBelow(to, ["machine"]);
    if (!/^(?:formats|kernel|capabilities)(?:\/|$)/.test(from)) return true;
    // The options of a call are declared beside it; the runtime joins it with all else, and agents and interop make calls.
    if (to === "kernel/call") return mayImportCalls.includes(from);
    if (from === "formats") return isBelow(to, ["kernel"]);
    return isBelow(
      to,
      from.startsWith("kernel/")
        ? ["kernel", "machine"]
        : ["formats", "kernel", "capabilities", "machine", "tools"],
    );
  };
  const strays = ownImports.filter(({ from, to }) => from !== to && !mayImport(from, to));
  expect(strays.map(describe)).toEqual([]);
});

test("a room of the kernel, the machine and the formats is imported through its door, or by a file that is loaded later", () => {
  const withDoors = files.filter(({ path }) => /^(?:kernel|machine|formats)\b.*\/index\.ts$/.test(path));
  const doors = new Map(withDoors.map(({ path, folder }) => [folder, path]));
  // The only file of its room that others use.
  for (const [folder, door] of singleDoors) doors.set(folder, door);
  const layers = /^(?:kernel|machine|formats)\b/;
  const strays = files.flatMap(({ path, folder, imports }) =>
    imports
      .filter(({ isOwn, kind, target }) => isOwn && kind !== "lazy" && layers.test(target))
      .filter(({ target }) => folderOf(target) !== folder && doors.get(folderOf(target)) !== target)
      .map(({ target }) => describe({ path, target })),
  );
  expect(strays).toEqual([]);
});

const singleDoors = [
  ["machine/command-reading", "machine/command-reading/read-command.ts"],
  ["machine/images", "machine/images/prepare-image.ts"],
  ["machine/ripgrep", "machine/ripgrep/run-ripgrep.ts"],
] as const;

const mayImportCalls = [
  "formats",
  "kernel/options",
  "kernel/runtime",
  "capabilities/agents",
  "capabilities/interop",
];

test("a capability imports no other", () => {
  const strays = ownImports.filter(({ from, to }) => from !== to && isRoom(from) && isRoom(to));
  expect(strays.map(describe)).toEqual([]);
});

test("a capability imports its own tools alone", () => {
  const roomIn = (path: string) => path.split("/")[1];
  const strays = ownImports.filter(
    ({ from, to, path, target }) => isRoom(from) && to === "tools" && roomIn(path) !== roomIn(target),
  );
  expect(strays.map(describe)).toEqual([]);
});

test("tools touch the world through their context alone", () => {
  const forbidden =
    /^(?:node:)?(?:fs|child_process|net|tls|dgram|dns|https?|http2|worker_threads|process)(?:\/|$)/;
  const inTools = foreignImports.filter(({ folder }) => folder === "tools");
  expect(inTools.filter(({ target }) => forbidden.test(target))).toEqual([]);
  expect(
    wordsIn(
      "tools",
      /(?<!\bweb\.)\b(?:fetch|WebSocket|EventSource|process|require|getBuiltinModule)\s*[.(]/g,
    ),
  ).toEqual([]);
});

test("no file imports itself through other files, not even for a type", () => {
  const graph = new Map(
    files.map(({ path, imports }) => [
      path,
      imports.filter(({ isOwn }) => isOwn).map(({ target }) => target),
    ]),
  );
  expect(findCycle(graph)).toBeUndefined();
});

test("a dependency is loaded by one file, and only when it is needed", () => {
  const loaded = foreignImports.filter(({ target, kind }) => kind !== "type" && !target.startsWith("node:"));
  expect(loaded.filter(({ kind }) => kind === "eager")).toEqual([]);
  expect(namedTwice(loaded)).toEqual([]);
});

test("the runtime's own database is opened in one file, which is itself loaded only when it is needed", () => {
  const opener = "kernel/store/sql/sqlite-driver.ts";
  // Databases of users are opened in a process of its own.
  const program = "capabilities/databases/sqlite/sqlite-main.ts";
  const isSqlite = ({ target, kind }: { target: string; kind: string }) =>
    target === "node:sqlite" && kind !== "type";
  expect(foreignImports.filter(isSqlite).map(({ path }) => path)).toEqual([program, opener]);
  const eager = files.filter(({ imports }) =>
    imports.some(({ target, kind }) => target === opener && kind === "eager"),
  );
  expect(eager.map(({ path }) => path)).toEqual([]);
});

test("the source calls files and processes asynchronously, so that nothing holds up the whole process", () => {
  const found = files.flatMap(({ path, code }) =>
    [...code.matchAll(/\b\w+Sync\b/g)].map(([word]) => `${path}: ${word}`),
  );
  // Node's own SQLite has no other interface; the driver keeps its transactions short.
  const driver = /^kernel\/store\/sql\/sqlite-driver\.ts: (?:DatabaseSync|StatementSync)$/;
  // These run in processes of their own, which have nothing else to do.
  const program = /^capabilities\/(?:databases\/sqlite\/sqlite-main|code\/parse-source)\.ts: /;
  // Work under a lock that other processes wait for, by names that say so (`files-now.ts`).
  const locked = /^machine\/locks\//;
  const isMeant = (each: string) => [driver, program, locked].some((one) => one.test(each));
  expect(found.filter((each) => !isMeant(each))).toEqual([]);
});

test("the type any stands in two lines: that of the erased tool, and that of arguments as KODE types them", () => {
  const found = files.flatMap(({ path, code }) =>
    code.split("\n").flatMap((line) => (/(?<!\.)\bany\b/.test(line) ? `${path}: ${line.trim()}` : [])),
  );
  expect(found).toEqual([
    "systems/kode/kode-types.ts: export type KodeUntyped = any;",
    "tool/define-tool.ts: export type AnyTool = Tool<any, any>;",
  ]);
});

function describe({ path, target }: { path: string; target: string }): string {
  return `${path} → ${target}`;
}

function isBelow(folder: string, layers: readonly string[]): boolean {
  return [...layers, "tool", "shared"].includes(folder.split("/")[0]!);
}

function wordsIn(folder: string, pattern: RegExp): string[] {
  return files
    .filter((file) => file.folder === folder)
    .flatMap(({ path, code }) => [...code.matchAll(pattern)].map(([word]) => `${path}: ${word}`));
}

function namedTwice(imports: readonly { path: string; target: string }[]): string[] {
  const importers = Map.groupBy(imports, ({ target }) => target);
  return [...importers]
    .filter(([, importing]) => new Set(importing.map(({ path }) => path)).size > 1)
    .map(([target]) => target);
}
