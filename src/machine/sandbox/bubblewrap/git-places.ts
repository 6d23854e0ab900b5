import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isPlaceholder, type Placeholder } from "../protected/placeholders.ts";

/** The parts of a git folder that can name programs to run; the rest must stay writable for commits. */
export async function findGitPlaces(gitFolder: string): Promise<GitPlaces> {
  const settings = await Promise.all(
    executed.map(async (setting) => {
      const path = join(gitFolder, setting.name);
      const kind = await kindOf(path);
      return { path, setting, kind };
    }),
  );
  // A link cannot be protected from being replaced, so the whole folder becomes read-only.
  if (settings.some(({ kind }) => kind === "link")) return { readOnly: [gitFolder], absent: [], pinned: [] };
  const parts = await Promise.all(
    essential.map(async (name) => {
      const path = join(gitFolder, name);
      return (await kindOf(path)) === "present" ? [path] : [];
    }),
  );
  return {
    pinned: parts.flat(),
    readOnly: [
      ...settings.filter(({ kind }) => kind === "present").map(({ path }) => path),
      ...(await findModuleSettings(join(gitFolder, "modules"))),
    ],
    absent: settings.flatMap(({ path, setting, kind }) =>
      kind === "absent" && setting.whenAbsent ? [{ path, ...setting.whenAbsent }] : [],
    ),
  };
}

export interface GitPlaces {
  readonly readOnly: readonly string[];
  readonly absent: readonly Placeholder[];
  /** Without these, git would take the folder for none of its own and look elsewhere. */
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

/** Submodules keep their git folders inside the parent's, at any depth because their names may contain slashes. */
async function findModuleSettings(modules: string): Promise<string[]> {
  const found: string[] = [];
  const waiting = [modules];
  for (let visited = 0; visited < maxModuleFolders; visited++) {
    const folder = waiting.shift();
    if (folder === undefined) break;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const isGitFolder = entries.some(({ name }) => name === "HEAD");
    for (const entry of entries) {
      const isExecuted = ["config", "hooks"].includes(entry.name);
      if (isGitFolder && isExecuted && !entry.isSymbolicLink()) found.push(join(folder, entry.name));
      const leadsOn = isGitFolder ? entry.name === "modules" : true;
      if (leadsOn && entry.isDirectory()) waiting.push(join(folder, entry.name));
    }
  }
  return found;
}

const maxModuleFolders = 64;

async function kindOf(path: string): Promise<"link" | "present" | "absent"> {
  try {
    if ((await lstat(path)).isSymbolicLink()) return "link";
    return isPlaceholder(path) ? "absent" : "present";
  } catch {
    return "absent";
  }
}
