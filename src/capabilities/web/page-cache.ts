import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../shared/crypto.ts";
import { writeAside } from "../../shared/files/write-aside.ts";
import { createLock } from "../../shared/lock.ts";

export interface CachedPage {
  /** Where it came from, after redirects. */
  readonly url: string;
  readonly contentType: string;
  /** Headers from the server, with which it can be asked later whether the page has changed. */
  readonly validators: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly fetchedAtMs: number;
  readonly freshUntilMs: number;
  readonly isCut: boolean;
  readonly body: Uint8Array;
}

const maxFolderBytes = 50 * 1024 * 1024;

/** Pages that were fetched before, in a folder of limited size. Losing any of it costs only a request. */
export function openPageCache(folder: string) {
  // Pages are added one at a time, so that the folder is counted only while no other is added.
  const lock = createLock();
  const fileOf = (address: string) => join(folder, sha256(address));
  return {
    async find(address: string): Promise<CachedPage | undefined> {
      const bytes = await readFile(fileOf(address)).catch(() => undefined);
      return bytes && parse(bytes, address);
    },
    keep: (address: string, page: CachedPage): Promise<void> =>
      lock(async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeAside(fileOf(address), format(address, page));
        await removeOldest(folder);
      }).catch(() => {
        // A full disk must not fail a page that was fetched.
      }),
  };
}

/** A file of the cache has one line of JSON, then the body of the page. */
function format(address: string, { body, ...head }: CachedPage): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ address, ...head })}\n`), body]);
}

/** Undefined for a file that is damaged or was made by another version. */
function parse(bytes: Buffer, wanted: string): CachedPage | undefined {
  const end = bytes.indexOf("\n");
  try {
    const { address, ...head } = JSON.parse(bytes.subarray(0, end).toString());
    const isWhole =
      address === wanted && typeof head.url === "string" && typeof head.freshUntilMs === "number";
    return isWhole ? { ...head, body: bytes.subarray(end + 1) } : undefined;
  } catch {
    return undefined;
  }
}

async function removeOldest(folder: string): Promise<void> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      const { size, mtimeMs } = await stat(path);
      return { path, size, mtimeMs };
    }),
  );
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size } of files.sort((left, right) => left.mtimeMs - right.mtimeMs)) {
    if (bytes <= maxFolderBytes) return;
    await rm(path, { force: true });
    bytes -= size;
  }
}
