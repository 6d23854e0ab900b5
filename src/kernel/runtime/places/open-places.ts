import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  existsNow,
  lockFolders,
  openLives,
  openPrivateFolder,
  readdirNow,
} from "../../../machine/locks/index.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { committedFiles, openPaths } from "../../policy/index.ts";
import {
  fileOfStore,
  filesOfStore,
  intentFolderOf,
  isReadOnlyStore,
  openBlobStore,
  openOutputFolder,
  openStore,
  openStoreCopy,
} from "../../store/index.ts";
import type { LeftPlace, RuntimePlaces } from "../opening.ts";
import type { RuntimeOptions } from "../runtime-options.ts";
import { findCodePaths, realFolder } from "./code-paths.ts";
import {
  openStateFolder,
  stateFolderOf,
  stateRoots,
  worktreeAround,
  worktreesFolderOf,
} from "./state-folder.ts";

/** A runtime's workspace and the places where it keeps its state. */
export interface Places extends RuntimePlaces {
  /** Everything of Toolwright that no tool may touch, such as the state of all workspaces; real paths. */
  readonly ownFolders: readonly string[];
  /** Files and folders that this process loads as code, as given and where they really are; absolute. */
  readonly codePaths: readonly string[];
  close(): Promise<void>;
}

export async function openPlaces(
  options: RuntimeOptions,
  /** The folder with the user's own policy. */
  policyFolder?: string,
): Promise<Places> {
  const roots = rootsOf(options);
  // Opened once for its real path, and again with the state that is kept for it.
  const given = await openPaths({ ...roots, publicFiles: committedFiles });
  const { root } = given;
  const isTemporary = options.store === "memory:";
  const projectFolder = stateFolderOf(root);
  const temporaryRoot = join(tmpdir(), `toolwright-state-${process.geteuid?.() ?? 0}`);
  const ownRoots = await Promise.all([...stateRoots(), temporaryRoot].map(realFolder));
  refuseOwn(given.roots.folders, ownRoots);
  const stateFolder = isTemporary ? await makeTemporary(temporaryRoot) : projectFolder;
  const removeTemporary = async () => {
    if (isTemporary) await rm(stateFolder, { recursive: true, force: true });
  };
  const { durability } = options;
  const blobFolder = join(stateFolder, "blobs");
  const storeFile = join(stateFolder, "store.sqlite");
  const intentFolder = intentFolderOf(
    isTemporary ? memoryFile(stateFolder) : fileOfStore(options.store, storeFile),
  );
  try {
    if (!isTemporary) await openStateFolder(stateFolder);
    const [outputs, blobs] = await Promise.all([
      openOutputFolder(join(stateFolder, "outputs")),
      openBlobStore(blobFolder, { quotaBytes: options.retention?.blobBytes, intentFolder, durability }),
    ]);
    const otherFolders = [...lockFolders(), policyFolder].filter((folder) => folder !== undefined);
    const folders = [...ownRoots, ...(await Promise.all(otherFolders.map(realFolder)))];
    // A sandbox can only hide folders that exist, and a command could create the others.
    const isInside = (path: string) =>
      given.roots.folders.some((folder) => relativeInside(folder, path) !== undefined);
    for (const folder of folders.filter(isInside)) await mkdir(folder, { recursive: true, mode: 0o700 });
    const storeFiles = await Promise.all(filesOfStore(options.store).map(realFolder));
    const ownFolders = [...folders, ...storeFiles];
    const codePaths = await findCodePaths(options, root);
    const realState = dirname(outputs.path);
    const worktreesFolder = worktreesFolderOf(realState);
    const kept = { stateFolder: realState, worktreesFolder, outputs, ownFolders, codePaths };
    const workspace = await openPaths({ publicFiles: committedFiles, ...roots, ...ownPlaces(kept, root) });
    const store = await openStore(options.store, { defaultFile: storeFile, durability });
    // No other process uses a store in memory, but files that its process has half changed concern others.
    const ownLives = isTemporary ? openLives(memoryFile(stateFolder)) : undefined;
    const close = async () => {
      await store.close();
      ownLives?.close();
      await removeTemporary();
    };
    return {
      ...kept,
      intentFolder,
      projectFolder,
      workspace,
      blobs,
      store,
      lives: ownLives ?? store.lives,
      findLeft: () => findLeft(temporaryRoot),
      close,
    };
  } catch (error) {
    await removeTemporary();
    throw error;
  }
}

/** Opens only the store, to read the records; also where nothing can be written. */
export async function openRecords(
  options: RuntimeOptions,
): Promise<Pick<Places, "store" | "workspace" | "close">> {
  const workspace = await openPaths({ ...rootsOf(options), publicFiles: committedFiles });
  const storeOptions = { defaultFile: join(stateFolderOf(workspace.root), "store.sqlite") };
  if (!(await isReadOnlyStore(options.store, storeOptions))) return openPlaces(options);
  const store = await openStoreCopy(options.store, storeOptions);
  return { store, workspace, close: () => store.close() };
}

function rootsOf({ workspace = "." }: RuntimeOptions) {
  return typeof workspace === "object" ? workspace : { root: workspace };
}

/** Named like the file of a store that is not in memory. */
function memoryFile(stateFolder: string): string {
  return join(stateFolder, "memory");
}

/** Their stores cannot be opened again, so only their half done changes to files can be recovered. */
function findLeft(temporaryRoot: string): readonly LeftPlace[] {
  if (!existsNow(temporaryRoot)) return [];
  return readdirNow(temporaryRoot).flatMap((name) => {
    const stateFolder = join(temporaryRoot, name);
    const folder = intentFolderOf(memoryFile(stateFolder));
    if (!existsNow(folder)) return [];
    return {
      intentFolder: folder,
      lives: openLives(memoryFile(stateFolder)),
      remove: () => rm(stateFolder, { recursive: true, force: true }),
    };
  });
}

async function makeTemporary(root: string): Promise<string> {
  openPrivateFolder(root);
  return mkdtemp(join(root, "memory-"));
}

/** The places with another workspace. */
export async function moveTo(places: Places, root: string): Promise<Places> {
  const publicFiles = places.workspace.publicFiles.in;
  return { ...places, workspace: await openPaths({ root, ...ownPlaces(places, root), publicFiles }) };
}

/** The places that tools may not touch, and the worktree among them that they may work in. */
function ownPlaces({ ownFolders, codePaths }: Pick<Places, "ownFolders" | "codePaths">, root: string) {
  return { ownFolders, codePaths, lentFolder: worktreeAround(root, ownFolders) };
}

/**
 * Refuses a workspace among Toolwright's records, which tools could change there. A worktree that was left there can be
 * opened.
 */
function refuseOwn(folders: readonly string[], ownRoots: readonly string[]): void {
  for (const folder of folders) {
    const own = ownRoots.find((each) => relativeInside(each, folder) !== undefined);
    if (own === undefined || worktreeAround(folder, ownRoots) !== undefined) continue;
    throw new TypeError(`${folder} cannot be a workspace: it is in ${own}, where Toolwright keeps its state`);
  }
}
