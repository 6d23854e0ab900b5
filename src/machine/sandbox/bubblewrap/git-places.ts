import { lstat, readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isPlaceholder, type Placeholder } from "../protected/placeholders.ts";

/** The parts of a git folder that can name programs to run; the rest must stay writable for commits. */
export async function findGitPlaces(gitFolder: string): Promise<GitPlaces> {
  const [settings, modules, parts] = await Promise.all([
    findSettings(gitFolder),
    findModulePlaces(join(gitFolder, "modules")),
    Promise.all(
      essential.map(async (name) => {
        const path = join(gitFolder, name);
        return (await kindOf(path)) === "present" ? [path] : [];
      }),
    ),
  ]);
  return {
    pinned: parts.flat(),
    readOnly: [...settings.readOnly, ...modules.readOnly],
    absent: [...settings.absent, ...modules.absent],
  };
}

async function findSettings(gitFolder: string): Promise<Settings> {
  const settings = await Promise.all(
    executed.map(async (setting) => {
      const path = join(gitFolder, setting.name);
      const kind = await kindOf(path);
      return { path, setting, kind };
    }),
  );
  // A link cannot be protected from being replaced, so the whole folder becomes read-only.
  if (settings.some(({ kind }) => kind === "link")) return { readOnly: [gitFolder], absent: [] };
  return {
    readOnly: settings.filter(({ kind }) => kind === "present").map(({ path }) => path),
    absent: settings.flatMap(({ path, setting, kind }) =>
      kind === "absent" && setting.whenAbsent ? [{ path, ...setting.whenAbsent }] : [],
    ),
  };
}

type Settings = Omit<GitPlaces, "pinned">;

export interface GitPlaces {
  readonly readOnly: readonly string[];
  readonly absent: readonly Placeholder[];
  /** Entries without which git would not take the folder for a git folder, and would look elsewhere. */
  readonly pinned: readonly string[];
}

const essential = ["objects", "refs"];

const executed: readonly { name: string; whenAbsent?: Omit<Placeholder, "path"> }[] = [
  { name: "config", whenAbsent: { content: "" } },
  { name: "config.worktree", whenAbsent: { content: "" } },
  { name: "hooks", whenAbsent: {} },
  // Redirects git to another folder's configuration; the content `.` redirects it to this folder.
  { name: "commondir", whenAbsent: { content: "." } },
  { name: "worktrees" },
];

/**
 * Submodules keep their git folders inside the parent's, at any depth because their names may contain slashes. An
 * earlier command may have made or moved away their neighbours, so nothing found in a folder ends the search in it.
 */
async function findModulePlaces(modules: string): Promise<Settings> {
  const found: Settings[] = [];
  for (let waiting = [modules]; waiting.length > 0; ) {
    if (found.length + waiting.length > maxModuleFolders) return { readOnly: [modules], absent: [] };
    const looked = await Promise.all(waiting.map(lookIntoModule));
    found.push(...looked.map(({ settings }) => settings));
    waiting = looked.flatMap(({ inner }) => inner);
  }
  return {
    readOnly: found.flatMap(({ readOnly }) => readOnly),
    absent: found.flatMap(({ absent }) => absent),
  };
}

/** Enough for a hundred submodules. */
const maxModuleFolders = 3000;

async function lookIntoModule(folder: string): Promise<{ settings: Settings; inner: readonly string[] }> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(folder, name));
  if ((await Promise.all(links.map(leadsToFolder))).includes(true))
    return { settings: { readOnly: [folder], absent: [] }, inner: [] };
  const has = (name: string) => entries.some((entry) => entry.name === name && !entry.isDirectory());
  // Its HEAD can be moved away; its settings, which are protected, cannot. In `refs` and `logs`, there is a HEAD too.
  const isGitFolder = has("config") || (has("HEAD") && entries.some(({ name }) => name === "objects"));
  const settings = isGitFolder ? await findSettings(folder) : { readOnly: [], absent: [] };
  const isContent = (name: string) => basename(folder) === "objects" && contentFolder.test(name);
  const inner = entries
    .filter((entry) => entry.isDirectory() && !isContent(entry.name))
    .map(({ name }) => join(folder, name))
    .filter((path) => !settings.readOnly.includes(path));
  return { settings, inner: settings.readOnly.includes(folder) ? [] : inner };
}

/** The names that git and its extension for large files give to folders of content; there may be thousands of them. */
const contentFolder = /^(?:[0-9a-f]{2}|pack|info)$/;

async function leadsToFolder(link: string): Promise<boolean> {
  return (await stat(link).catch(() => undefined))?.isDirectory() ?? false;
}

async function kindOf(path: string): Promise<"link" | "present" | "absent"> {
  try {
    if ((await lstat(path)).isSymbolicLink()) return "link";
    return isPlaceholder(path) ? "absent" : "present";
  } catch {
    return "absent";
  }
}
