import { lstat, readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isPlaceholder, type Placeholder } from "../protected/placeholders.ts";
import { joinPlaces, noPlaces, type ProtectedPlaces } from "../protected/places.ts";

/** The parts of a git folder that can name programs to run; the rest must stay writable for commits. */
export async function findGitPlaces(gitFolder: string): Promise<ProtectedPlaces> {
  const parts = essential.map((name) => join(gitFolder, name));
  const [settings, modules, kinds] = await Promise.all([
    findSettings(gitFolder),
    findModulePlaces(join(gitFolder, "modules")),
    Promise.all(parts.map(kindOf)),
  ]);
  const pinned = parts.filter((_, index) => kinds[index] === "present");
  return { ...joinPlaces([settings, modules]), pinned };
}

/** Entries without which git would not take the folder for a git folder, and would look elsewhere. */
const essential = ["objects", "refs"];

async function findSettings(gitFolder: string): Promise<ProtectedPlaces> {
  const settings = await Promise.all(
    executed.map(async ({ name, whenAbsent }) => {
      const path = join(gitFolder, name);
      return { path, whenAbsent, kind: await kindOf(path) };
    }),
  );
  // A link cannot be protected from being replaced, so the whole folder becomes read-only.
  if (settings.some(({ kind }) => kind === "link")) return { ...noPlaces, readOnly: [gitFolder] };
  const { present = [], absent = [] } = Object.groupBy(settings, ({ kind }) => kind);
  return {
    ...noPlaces,
    readOnly: present.map(({ path }) => path),
    absent: absent.flatMap(({ path, whenAbsent }) => (whenAbsent ? [{ path, ...whenAbsent }] : [])),
  };
}

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
async function findModulePlaces(modules: string): Promise<ProtectedPlaces> {
  const found: ProtectedPlaces[] = [];
  for (let waiting = [modules]; waiting.length > 0; ) {
    if (found.length + waiting.length > maxModuleFolders) return { ...noPlaces, readOnly: [modules] };
    const looked = await Promise.all(waiting.map(lookIntoModule));
    found.push(...looked.map(({ settings }) => settings));
    waiting = looked.flatMap(({ inner }) => inner);
  }
  return joinPlaces(found);
}

/** Enough for a hundred submodules. */
const maxModuleFolders = 3000;

async function lookIntoModule(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(folder, name));
  if ((await Promise.all(links.map(leadsToFolder))).includes(true))
    return { settings: { ...noPlaces, readOnly: [folder] }, inner: [] };
  const has = (name: string) => entries.some((entry) => entry.name === name && !entry.isDirectory());
  // Its HEAD can be moved away; its settings, which are protected, cannot. In `refs` and `logs`, there is a HEAD too.
  const isGitFolder = has("config") || (has("HEAD") && entries.some(({ name }) => name === "objects"));
  const settings = isGitFolder ? await findSettings(folder) : noPlaces;
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
