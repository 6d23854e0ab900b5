import { access, chmod, constants, copyFile, lstat, mkdtemp, realpath, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { createNotedDrafts, openLives, type ProcessLives } from "../../machine/locks/index.ts";
import { removeLeftDrafts } from "../../shared/files/write-aside.ts";
import { isFulfilled } from "../../shared/maybe-promise.ts";
import { newId } from "../../shared/new-id.ts";
import { quoteWord } from "../../shared/text/quote-controls.ts";
import { openLogAnchors } from "./sql/log-anchors.ts";
import type { SqlDriver } from "./sql/sql-driver.ts";
import { createSqlStore } from "./sql/sql-store.ts";
import type { SqliteOptions } from "./sql/sqlite-driver.ts";
import { type Store, StoreError } from "./store.ts";

export interface StoreOptions extends SqliteOptions {
  /** The store's file when no address is given. */
  readonly defaultFile: string;
}

/** Opens the store at an address: `sqlite:<path>`, `memory:`, or undefined for the default file. */
export async function openStore(address: string | undefined, options: StoreOptions): Promise<Store> {
  if (address === "memory:") {
    const { createMemoryStore } = await import("./memory/memory-store.ts");
    return createMemoryStore();
  }
  const file = fileOfStore(address, options.defaultFile);
  try {
    return await openFile(file, options);
  } catch (cause) {
    throw new StoreError(`cannot open the store ${file}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Opens a copy of a store whose folder cannot be written to: even to read, a database in use needs to write there.
 * Changes to the copy are lost with it.
 */
export async function openStoreCopy(address: string | undefined, options: StoreOptions): Promise<Store> {
  const file = fileOfStore(address, options.defaultFile);

  const folder = await mkdtemp(join(tmpdir(), "toolwright-read-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "store.sqlite");
    await copyStore(file, copy);
    const store = await openStore(`sqlite:${copy}`, options);
    return { ...store, close: () => store.close().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Whether the store at an address can be read but not written. */
export async function isReadOnlyStore(address: string | undefined, { defaultFile }: StoreOptions) {
  if (address === "memory:") return false;
  const file = fileOfStore(address, defaultFile);

  const isReadable = await isFulfilled(access(file, constants.R_OK));
  return isReadable && !(await isFulfilled(access(dirname(file), constants.W_OK)));
}

/** The files of a store whose address the options give. */
export function filesOfStore(address: string | undefined): readonly string[] {
  if (address === undefined || address === "memory:") return [];
  return filesOf(fileOfStore(address, ""));
}

function filesOf(file: string): readonly string[] {
  const ends = ["", "-wal", "-shm", "-journal", "-anchors", "-lives", "-drafts"];
  return [...ends.map((end) => file + end), intentFolderOf(file)];
}

/** The folder in which the processes that use a store write down their next changes to files. */
export function intentFolderOf(file: string): string {
  return `${file}-intents`;
}

/** The file of a store that is not in memory. */
export function fileOfStore(address: string | undefined, defaultFile: string): string {
  if (address === undefined) return defaultFile;
  if (address.startsWith("sqlite:") && address.length > "sqlite:".length)
    return resolve(address.slice("sqlite:".length));
  throw new TypeError(`unknown store ${JSON.stringify(address)}: use "sqlite:<path>" or "memory:"`);
}

/** Makes the files of a store private to the user: another user who can write to it could approve calls in it. */
async function makePrivate(file: string): Promise<void> {
  for (const path of filesOf(file)) {
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined || found.isSymbolicLink() || found.uid !== process.geteuid?.()) continue;
    if ((found.mode & 0o077) !== 0) await chmod(path, found.isDirectory() ? 0o700 : 0o600);
  }
}

async function openFile(file: string, options: SqliteOptions): Promise<Store> {
  const { openSqliteDriver } = await import("./sql/sqlite-driver.ts");
  await makePrivate(file);
  const lives = openLives(file);
  const driver = withDrafts(await openSqliteDriver(file, options), { file, lives });
  try {
    return await createSqlStore(driver, { lives, anchors: openLogAnchors(`${file}-anchors`) });
  } catch (error) {
    await driver.close();
    throw error;
  }
}

/** A copy that took the place of a file of the store would be its end: others have the file open, and its other files. */
async function refuseOwnFile(copy: string, file: string): Promise<void> {
  const real = async (path: string) => join(await realpath(dirname(path)), basename(path));
  const own = await Promise.all(filesOf(file).map(real));
  if (own.includes(await real(copy))) throw new StoreError(`${copy} belongs to the store itself`);
}

/** The flags with which a command, started in whichever folder, uses the same store: for commands that people copy. */
export function storeFlags(workspace: string, address: string | undefined): string {
  const flags = `--workspace ${quoteWord(workspace)}`;
  if (address === undefined || address === "memory:") return flags;
  return `${flags} --store ${quoteWord(`sqlite:${fileOfStore(address, "")}`)}`;
}

/** Makes a store's address independent of the current folder. */
export function absoluteStore(address: string, folder: string): string {
  const [, file] = /^sqlite:(.+)$/s.exec(address) ?? [];
  return file === undefined ? address : `sqlite:${resolve(folder, file)}`;
}

/**
 * A driver whose copies get their name once they are whole. It notes every copy in a file beside the store, which can be
 * copied while another process keeps it locked.
 */
function withDrafts(driver: SqlDriver, { file, lives }: { file: string; lives: ProcessLives }): SqlDriver {
  const drafts = createNotedDrafts({ notes: `${file}-drafts`, lives, remove: removeDraft });
  return {
    ...driver,
    async removeDrafts() {
      await drafts.removeLeft();
      await removeLeftDrafts(dirname(file));
    },
    async backUp(copy) {
      await refuseOwnFile(copy, file);
      await drafts.removeLeft();
      const draft = resolve(`${copy}.${newId("draft")}`);
      const forget = await drafts.note(draft);
      try {
        await driver.backUp(draft);
        await rename(draft, copy);
      } finally {
        await removeDraft(draft);
        await forget();
      }
    },
  };
}

async function removeDraft(draft: string): Promise<void> {
  if (!draftName.test(draft)) return;
  for (const file of [draft, `${draft}-journal`]) {
    const found = await lstat(file).catch(() => undefined);
    if (found?.isFile()) await rm(file, { force: true });
  }
}

const draftName = /\.draft_[0-9a-z]{16,}$/;

/** Copies a store from a folder to which this process cannot write, and other processes perhaps can. */
async function copyStore(file: string, copy: string): Promise<void> {
  // First, because an anchor that is newer than the log would tell of a loss.
  await copyIfThere(`${file}-anchors`, `${copy}-anchors`);
  try {
    const { copyDatabase } = await import("./sql/sqlite-driver.ts");
    await copyDatabase(file, copy);
  } catch {
    // No process has the store open, or it is damaged and its readable part is wanted all the same.
    await rm(copy, { force: true });
    await copyFile(file, copy);
    await copyIfThere(`${file}-wal`, `${copy}-wal`);
  }
}

async function copyIfThere(file: string, copy: string): Promise<void> {
  await copyFile(file, copy).catch(() => {});
}
