import { constants } from "node:fs";
import { link, mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createHash, randomBytes, timingSafeEqual } from "../../../shared/crypto.ts";
import { removeLeftDrafts, writeAside } from "../../../shared/files/write-aside.ts";

export type ClientTokens = Awaited<ReturnType<typeof openClientTokens>>;

/** The bearer tokens of one workspace's clients, stored where only the user can read them. */
export async function openClientTokens(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftDrafts(folder);
  const hashes = new Map<string, Buffer>();
  for (const client of await listClients(folder)) {
    hashes.set(client, hashOf(await readToken(folder, client)));
  }
  return {
    /** The client's token; created on first use and the same ever after. */
    async ensure(client: string): Promise<string> {
      checkClientName(client);
      await makeToken(folder, client);
      const token = await readToken(folder, client);
      hashes.set(client, hashOf(token));
      return token;
    },
    /** The client that has this token. Takes constant time, so that it reveals nothing about similar tokens. */
    identify(token: string): string | undefined {
      const hash = hashOf(token);
      let found: string | undefined;
      for (const [client, known] of hashes) if (timingSafeEqual(hash, known)) found = client;
      return found;
    },
  };
}

function checkClientName(client: string): void {
  if (clientPattern.test(client)) return;
  throw new TypeError(
    `a client's name must be 1 to 64 letters, digits, "_" or "-"; received ${JSON.stringify(client)}`,
  );
}

const clientPattern = /^[A-Za-z0-9_-]{1,64}$/;

async function listClients(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(suffix));
  return names.map((name) => name.slice(0, -suffix.length)).filter((client) => clientPattern.test(client));
}

const suffix = ".token";

/** Hashes have equal length, so they can be compared in constant time. */
function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Writes the token atomically: a server that starts at the same time sees a complete token or none. */
async function makeToken(folder: string, client: string): Promise<void> {
  const file = join(folder, client + suffix);
  const place = (draft: string) =>
    link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  await writeAside(file, `tw_${randomBytes(32).toString("base64url")}\n`, { place });
}

async function readToken(folder: string, client: string): Promise<string> {
  const path = join(folder, client + suffix);
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    // A copied or restored file may be readable by others.
    if (((await handle.stat()).mode & 0o077) !== 0) await handle.chmod(0o600);
    const token = (await handle.readFile("utf8")).trim();
    if (/^tw_[A-Za-z0-9_-]{43}$/.test(token)) return token;
  } finally {
    await handle.close();
  }
  throw new Error(`${path} contains no valid token; delete it to create a new one for the client`);
}
