import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type IntentLog, openIntentLog } from "../../../capabilities/files/intents/intent-log.ts";
import { type LostIntents, openLostIntents } from "../../../capabilities/files/intents/lost-intents.ts";
import { openWorkspace, type Workspace } from "../../../capabilities/files/workspace.ts";
import { existsNow, readdirNow } from "../../../machine/locks/files-now.ts";
import { openPrivateFolder } from "../../../machine/locks/lock-folder.ts";
import { openLives } from "../../../machine/locks/process-lives.ts";
import { lockFolders } from "../../../machine/locks/state-base.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { type BlobStore, openBlobStore } from "../../store/blobs/blob-store.ts";
import {
  fileOfStore,
  filesOfStore,
  intentFolderOf,
  isReadOnlyStore,
  openStore,
  openStoreCopy,
} from "../../store/open-store.ts";
import { type OutputFolder, openOutputFolder } from "../../store/output-folder.ts";
import type { Store } from "../../store/store.ts";
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
export interface Places {
  readonly workspace: Workspace;
  readonly stateFolder: string;
  /** Where processes write down what they are about to change. */
  readonly intentFolder: string;
  /** The workspace's permanent state folder, even for a run in memory, whose own state folder is temporary. */
  readonly projectFolder: string;
  /** Where the worktrees of sub-agents are created. */
  readonly worktreesFolder: string;
  /** Everything of Toolwright that no tool may touch, such as the state of all workspaces; real paths. */
  readonly ownFolders: readonly string[];
  /** Files and folders that this process loads as code, as given and where they really are; absolute. */
  readonly codePaths: readonly string[];
  readonly outputs: OutputFolder;
  /** File contents from before they were changed. */
  readonly blobs: BlobStore;
  /** What this process is about to change, and what dead ones have left half changed. */
  readonly intents: IntentLog;
  readonly lostIntents: LostIntents;
  /** Takes back or completes what dead processes with a store in memory have half changed. */
  recoverMemory(): Promise<void>;
  readonly store: Store;
  close(): Promise<void>;
}

export async function openPlaces(
  options: RuntimeOptions,
  /** The folder with the user's own policy. */
  policyFolder?: string,
): Promise<Places> {
  const roots =
    typeof options.workspace === "object" ? options.workspace : { root: options.workspace ?? "." };
  // Opened once for its real path, and again with the state that is kept for it.
  const given = await openWorkspace(roots);
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
  const durability = options.durability === undefined ? {} : { durability: options.durability };
  const blobFolder = join(stateFolder, "blobs");
  const storeFile = join(stateFolder, "store.sqlite");
  const intentFolder = intentFolderOf(
    isTemporary ? memoryFile(stateFolder) : fileOfStore(options.store, storeFile),
  );
  try {
    if (!isTemporary) await openStateFolder(stateFolder);
    const [outputs, blobs] = await Promise.all([
      openOutputFolder(join(stateFolder, "outputs")),
      openBlobStore(blobFolder, { quotaBytes: options.retention?.blobBytes, intentFolder, ...durability }),
    ]);
    const otherFolders = [...lockFolders(), ...(policyFolder === undefined ? [] : [policyFolder])];
    const folders = [...ownRoots, ...(await Promise.all(otherFolders.map(realFolder)))];
    // A sandbox can only hide what is there, and a command could create what is not.
    for (const folder of folders.filter((each) => isInside(given, each)))
      await mkdir(folder, { recursive: true, mode: 0o700 });
    const storeFiles = await Promise.all(filesOfStore(options.store).map(realFolder));
    const ownFolders = [...folders, ...storeFiles];
    const codePaths = await findCodePaths(options, root);
    const realState = dirname(outputs.path);
    const worktreesFolder = worktreesFolderOf(realState);
    const kept = { stateFolder: realState, worktreesFolder, outputs, ownFolders, codePaths };
    const workspace = await openWorkspace({ ...roots, ...ownPlaces(kept, root) });
    const store = await openStore(options.store, { defaultFile: storeFile, ...durability });
    // No other process uses a store in memory, but files that its process has half changed concern others.
    const ownLives = isTemporary ? openLives(memoryFile(stateFolder)) : undefined;
    const lives = ownLives ?? store.lives;
    const intents = openIntentLog(intentFolder, { lives, blobs: blobFolder, ...durability });
    const lostIntents = openLostIntents(intentFolder, { lives, log: intents });
    const close = async () => {
      intents.close();
      await store.close();
      ownLives?.close();
      await removeTemporary();
    };
    const recoverMemory = () => recoverLeftInMemory(temporaryRoot, intents);
    return {
      ...kept,
      intentFolder,
      projectFolder,
      workspace,
      blobs,
      intents,
      lostIntents,
      recoverMemory,
      store,
      close,
    };
  } catch (error) {
    await removeTemporary();
    throw error;
  }
}

/** Opens only the store, to read what is recorded; also where nothing can be written. */
export async function openRecords(
  options: RuntimeOptions,
): Promise<Pick<Places, "store" | "workspace" | "close">> {
  const roots =
    typeof options.workspace === "object" ? options.workspace : { root: options.workspace ?? "." };
  const workspace = await openWorkspace(roots);
  const storeOptions = { defaultFile: join(stateFolderOf(workspace.root), "store.sqlite") };
  if (!(await isReadOnlyStore(options.store, storeOptions))) return openPlaces(options);
  const store = await openStoreCopy(options.store, storeOptions);
  return { store, workspace, close: () => store.close() };
}

/** Named like the file of a store that is not in memory. */
function memoryFile(stateFolder: string): string {
  return join(stateFolder, "memory");
}

/** Their stores cannot be opened again, so only their half-made changes are recovered. */
async function recoverLeftInMemory(temporaryRoot: string, log: IntentLog): Promise<void> {
  if (!existsNow(temporaryRoot)) return;
  for (const name of readdirNow(temporaryRoot)) {
    const stateFolder = join(temporaryRoot, name);
    const folder = intentFolderOf(memoryFile(stateFolder));
    if (!existsNow(folder)) continue;
    const lives = openLives(memoryFile(stateFolder));
    const lost = openLostIntents(folder, { lives, log });
    if (!lost.isOver()) continue;
    await lost.recover();
    await rm(stateFolder, { recursive: true, force: true });
  }
}

async function makeTemporary(root: string): Promise<string> {
  openPrivateFolder(root);
  return mkdtemp(join(root, "memory-"));
}

/** The same places with another workspace. */
export async function moveTo(places: Places, root: string): Promise<Places> {
  const publicFiles = places.workspace.publicFiles.in;
  return { ...places, workspace: await openWorkspace({ root, ...ownPlaces(places, root), publicFiles }) };
}

/** Tools may touch nothing of ours, except the worktree that they work in. */
function ownPlaces({ ownFolders, codePaths }: Pick<Places, "ownFolders" | "codePaths">, root: string) {
  const worktree = worktreeAround(root, ownFolders);
  return { ownFolders, codePaths, ...(worktree !== undefined && { lentFolder: worktree }) };
}

/** A workspace of our records would be one in which they can be changed. A worktree that was left there can be opened. */
function refuseOwn(folders: readonly string[], ownRoots: readonly string[]): void {
  for (const folder of folders) {
    const own = ownRoots.find((each) => relativeInside(each, folder) !== undefined);
    if (own === undefined || worktreeAround(folder, ownRoots) !== undefined) continue;
    throw new TypeError(`${folder} cannot be a workspace: it is in ${own}, where Toolwright keeps its state`);
  }
}

function isInside({ roots }: Pick<Workspace, "roots">, path: string): boolean {
  return roots.folders.some((folder) => relativeInside(folder, path) !== undefined);
}
