import { constants, type Dirent, type Stats } from "node:fs";
import { access, lstat, open, readdir, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { relativeInside } from "../../../shared/relative-inside.ts";

export interface Surroundings {
  /** Absolute; where the script starts. */
  readonly directory: string;
  readonly workspace: string;
  /** Every folder that commands may write in. Default: the workspace. */
  readonly folders?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Whether a file of this name must not be changed without approval. */
  isProtectedName(name: string): boolean;
  /** Absolute paths of submodules that commands have made. Default: none. */
  newSubmodules?(): Promise<readonly string[]>;
}

export interface FoundEntry {
  /** Relative to the folder that was listed. */
  readonly path: string;
  readonly kind: "file" | "directory" | "other";
}

export type MachineFacts = ReturnType<typeof createMachineFacts>;

/**
 * The facts of this machine, as far as a script in these surroundings is concerned. They are found quickly, and without
 * following links.
 */
export function createMachineFacts(surroundings: Surroundings) {
  const { directory, workspace, environment, folders = [workspace] } = surroundings;
  // Workspace folders matter only if they are in PATH.
  const ownFolders = (environment.PATH ?? "")
    .split(delimiter)
    .filter((folder) => relativeInside(workspace, folder) !== undefined);
  return {
    directory,
    /** The system whose programs run, where that matters. */
    platform: process.platform,
    /** The workspace folder. */
    root: workspace,
    /** Reads a text; undefined if the path is not a readable regular file. */
    readText: async (path: string) => (await readSmall(path, maxTextBytes))?.toString("utf8"),
    /** Reads any content in the same way; also undefined if it is very large. */
    readBytes: (path: string) => readSmall(path, maxBytes),
    isProtectedName: surroundings.isProtectedName,
    /** Absolute paths of submodules that commands have made, which no person has seen yet. */
    newSubmodules: surroundings.newSubmodules,
    kindOf,
    listBelow,
    leadsOut,
    /** Whether the home folder is in this folder, or is it. */
    async holdsHome(folder: string) {
      const home = environment.HOME ?? homedir();
      return relativeInside(folder, await realpath(home).catch(() => home)) !== undefined;
    },
    isBusybox,
    /** Whether no command can have written the start-up files in the home folder. */
    hasOwnHome: () => isOutOfReach(environment.HOME ?? homedir(), folders),
    /** The file in the workspace that the shell would run for a bare name. */
    async programPath(name: string) {
      for (const path of ownFolders.map((folder) => join(folder, name)))
        if ((await access(path).catch(() => "missing")) === undefined) return path;
      return undefined;
    },
  };
}

/** Whether a home folder and the files that shells and curl read at their start are outside of all these folders. */
async function isOutOfReach(home: string, folders: readonly string[]): Promise<boolean> {
  const real = await realpath(home).catch(() => undefined);
  if (real === undefined) return false;
  const isOutside = (file: string) => folders.every((folder) => relativeInside(folder, file) === undefined);
  const areOutside = startUpFiles.map(async (name) => {
    const path = join(real, name);
    const target = await realpath(path).catch(() => undefined);
    // A link whose target is missing leads to where a command may create it.
    if (target === undefined) return (await kindOf(path)) === undefined && isOutside(path);
    return isOutside(target);
  });
  return (await Promise.all(areOutside)).every((each) => each);
}

/** Whether a program is busybox's: on a system such as Alpine, its name is a link to busybox. */
async function isBusybox(name: string): Promise<boolean> {
  for (const folder of ["/usr/local/bin", "/usr/bin", "/bin"]) {
    const found = await realpath(join(folder, name)).catch(() => undefined);
    if (found !== undefined) return basename(found) === "busybox";
  }
  return false;
}

const startUpFiles = [
  ...[".bash_profile", ".bash_login", ".profile", ".bashrc", ".bash_logout"],
  ...[".curlrc", ".config/curlrc"],
];

/** A link counts as `other`, because its target may change; undefined if nothing is there. */
async function kindOf(path: string): Promise<FoundEntry["kind"] | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found && kindOfEntry(found);
}

function kindOfEntry(entry: Stats | Dirent): FoundEntry["kind"] {
  if (entry.isDirectory()) return "directory";
  return entry.isFile() ? "file" : "other";
}

// Far larger than any hand-written configuration.
const maxTextBytes = 256 * 1024;
// Git's list of half a million files.
const maxBytes = 64 * 1024 * 1024;

async function readSmall(path: string, most: number): Promise<Buffer | undefined> {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const found = await handle.stat();
    return found.isFile() && found.size <= most ? await handle.readFile() : undefined;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

/**
 * Everything beneath a folder, or only the entries directly in it, without following links; undefined if there are more
 * than that, or a folder cannot be read. Anything but a folder has nothing beneath it.
 */
async function listBelow(
  folder: string,
  { most, isFlat = false }: { readonly most: number; readonly isFlat?: boolean },
): Promise<readonly FoundEntry[] | undefined> {
  const found: FoundEntry[] = [];
  const folders = [""];
  for (let inside = folders.pop(); inside !== undefined; inside = folders.pop()) {
    const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(none);
    if (entries === undefined || found.length + entries.length > most) return undefined;
    for (const entry of entries) {
      const path = inside === "" ? entry.name : `${inside}/${entry.name}`;
      const kind = kindOfEntry(entry);
      found.push({ path, kind });
      if (kind === "directory" && !isFlat) folders.push(path);
    }
  }
  return found;
}

/** A file, or nothing at all, is like an empty folder. */
function none(error: NodeJS.ErrnoException): [] | undefined {
  return error.code === "ENOTDIR" || error.code === "ENOENT" ? [] : undefined;
}

/** Whether a link beneath a folder, of such a name, leads out of it; also true if there is too much to look at. */
async function leadsOut(
  folder: string,
  mayBeNamed: (name: string) => boolean = () => true,
): Promise<boolean> {
  const found = await listBelow(folder, { most: 50_000 });
  if (found === undefined) return true;
  const links = found.filter(({ kind, path }) => kind === "other" && mayBeNamed(basename(path)));
  if (links.length === 0) return false;
  const home = await realpath(folder).catch(() => folder);
  for (const { path } of links) {
    // A link without a target leads nowhere.
    const target = await realpath(join(folder, path)).catch(() => undefined);
    if (target !== undefined && relativeInside(home, target) === undefined) return true;
  }
  return false;
}
