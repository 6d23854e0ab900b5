import { basename, isAbsolute, relative } from "node:path";
import { isPlainObject } from "../../shared/json.ts";
import { parseCommentedJson } from "../../shared/options/parse-commented-json.ts";
import { countOf } from "../../shared/text/count-of.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { Migration, MigrationFinding, SystemName } from "./migration.ts";
import { change, type Move } from "./moves/move.ts";
import { moves } from "./moves/moves.ts";
import type { SourceReader, SourceUses } from "./open-source-reader.ts";

export interface ProjectOptions {
  readonly system: SystemName;
  /** Absolute. */
  readonly folder: string;
  readonly reader: SourceReader;
  readonly maxMs: number;
}

/** A file of the project with its uses of the system. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
  readonly uses: SourceUses;
}

const maxFiles = 5000;
const maxFileBytes = 1_000_000;
const maxTotalBytes = 100_000_000;

/** Finds the files of a project that speak of a system, and reads their uses of it. */
export async function readProject(
  context: ToolContext,
  { system, folder, reader, maxMs }: ProjectOptions,
): Promise<{ readonly migration: Migration; readonly files: readonly ProjectFile[] }> {
  const { signal } = context;
  const move = moves[system];
  const endMs = performance.now() + maxMs;
  const leftOut: string[] = [];
  // Where the caller's tools take absolute paths, found ones are absolute.
  const shown = (path: string) => (isAbsolute(path) ? relative(folder, path) : path);
  const [exports, settings] = await Promise.all([
    reader.exportsOf(system, signal),
    findSettings(move, context),
  ]);
  const inSettings = await readSettings(settings.map(shown), move, context);
  const names = inSettings.flatMap(({ kind, name }) => (kind === "alias" ? name : []));
  const sources = await findSources(move, { context, names, leftOut });
  const files: ProjectFile[] = [];
  let bytes = 0;
  for (const [index, path] of sources.map(shown).entries()) {
    const isLate = performance.now() > endMs;
    if (isLate || bytes > maxTotalBytes) {
      const why = isLate ? `the time of ${maxMs / 1000} s was up` : "there are more than 100 MB of them";
      leftOut.push(`${countOf(sources.length - index, "file")}, because ${why}`);
      break;
    }
    const text = await readText(path, context, leftOut);
    if (text === undefined) continue;
    bytes += text.length;
    const judgedPath = basename(folder) === "internal-tools" ? `internal-tools/${path}` : path;
    const uses = await reader.uses({ path: judgedPath, text, system, exports, aliases: names }, signal);
    if (uses === undefined) leftOut.push(`${path}, which is too deeply nested to be parsed`);
    else files.push({ path, text, uses });
  }
  const migration: Migration = {
    from: system,
    to: move.entry,
    folder,
    files: files.length,
    imports: files.flatMap(({ path: file, uses }) =>
      uses.imports.map(({ start: _start, end: _end, ...each }) => ({ file, ...each })),
    ),
    findings: [...inSettings, ...files.flatMap(findingsOf)],
    leftOut,
  };
  return { migration, files };
}

function findingsOf({ path: file, uses: { findings, problem } }: ProjectFile): MigrationFinding[] {
  const found = findings.map((finding) => ({ file, ...finding }));
  if (problem === undefined) return found;
  const { message: name, line } = problem;
  return [{ kind: "file", name, file, line, ...change(brokenFile) }, ...found];
}

const brokenFile =
  "it could not be parsed as a whole: correct it and look again, or change its imports by hand";

async function findSources(
  { words, glob, files }: Move,
  use: { context: ToolContext; names: readonly string[]; leftOut: string[] },
): Promise<readonly string[]> {
  const { context, names, leftOut } = use;
  const { search } = context;
  const pattern = [words, ...names.map(escaped)].join("|");
  const [mentioning, belonging] = await Promise.all([
    search.grepFiles({ path: ".", pattern, glob, maxFiles }),
    files === undefined ? undefined : search.glob({ path: ".", pattern: files, maxFiles }),
  ]);
  const found = [mentioning, belonging].filter((each) => each !== undefined);
  for (const each of found) {
    const more = each.totalFiles - each.files.length;
    if (more > 0) leftOut.push(`${countOf(more, "file")}, because there are more than ${maxFiles}`);
    if (each.leftOut > 0) leftOut.push(`${countOf(each.leftOut, "file")} that may not be read`);
    if (each.unreadable > 0) leftOut.push(`${countOf(each.unreadable, "path")} that could not be read`);
  }
  return [...new Set(found.flatMap((each) => each.files.map(({ path }) => path)))].toSorted();
}

/** Settings that speak of the system's packages. */
async function findSettings({ packages }: Move, { search }: ToolContext): Promise<readonly string[]> {
  if (packages.length === 0) return [];
  const pattern = packages.map(escaped).join("|");
  const found = await search.grepFiles({ path: ".", pattern, glob: "{package,tsconfig*}.json", maxFiles });
  return found.files.map(({ path }) => path).toSorted();
}

/** Escapes a text, to be a part of a regular expression. */
function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

async function readText(
  path: string,
  { files, signal }: ToolContext,
  leftOut: string[],
): Promise<string | undefined> {
  try {
    return (await files.readText(path, { maxBytes: maxFileBytes })).text;
  } catch (error) {
    if (!(error instanceof ToolError) || signal.aborted) throw error;
    leftOut.push(`${path}: ${error.message}`);
    return undefined;
  }
}

/** Finds the system's packages in the settings of a project: a package.json depends on them, a tsconfig.json renames them. */
async function readSettings(
  paths: readonly string[],
  { packages, entry }: Move,
  context: ToolContext,
): Promise<readonly MigrationFinding[]> {
  const findings: MigrationFinding[] = [];
  for (const file of paths) {
    const text = (await readText(file, context, [])) ?? "";
    const add = (kind: "alias" | "dependency", name: string, advice: string) => {
      const line = text.slice(0, text.indexOf(JSON.stringify(name))).split("\n").length;
      findings.push({ kind, name, file, line, ...change(advice) });
    };
    if (basename(file) === "package.json") {
      const names = dependenciesIn(text);
      const install = names.has("toolwright") ? "" : "npm install toolwright, and ";
      for (const name of packages.filter((each) => names.has(each)))
        add("dependency", name, `${install}npm uninstall ${name} once nothing imports it`);
    } else {
      for (const name of await aliasesIn(text, packages))
        add("alias", name, `remove it: its package is replaced by ${JSON.stringify(entry)}`);
    }
  }
  return findings;
}

const sections = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

function dependenciesIn(text: string): ReadonlySet<string> {
  try {
    const manifest: unknown = JSON.parse(text);
    return new Set(sections.flatMap((section) => Object.keys(fieldsAt(manifest, section))));
  } catch {
    return new Set();
  }
}

/** The names that `paths` of a tsconfig.json gives to the packages. */
async function aliasesIn(text: string, packages: readonly string[]): Promise<readonly string[]> {
  const settings = await parseCommentedJson(text, { takesLast: true }).catch(() => undefined);
  const isOfSystem = (target: unknown) =>
    packages.some((name) => target === name || String(target).includes(`node_modules/${name}`));
  return Object.entries(fieldsAt(fieldsAt(settings, "compilerOptions"), "paths"))
    .filter(([, targets]) => Array.isArray(targets) && targets.some(isOfSystem))
    .map(([name]) => name);
}

function fieldsAt(value: unknown, name: string): Record<string, unknown> {
  const fields = isPlainObject(value) ? value[name] : undefined;
  return isPlainObject(fields) ? fields : {};
}
