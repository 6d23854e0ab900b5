import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import { writeAside } from "../../../shared/files/write-aside.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { sha256 } from "../../../shared/sha256.ts";

/** Credentials from a server's authorization servers, by issuer; tokens are sent to no other. */
export interface Credentials {
  readonly clients: readonly (readonly [issuer: string, StoredOAuthClientInformation])[];
  readonly tokens: readonly (readonly [issuer: string, StoredOAuthTokens])[];
  /** Port of the redirect URL that we registered with. */
  readonly port?: number;
}

export const noCredentials: Credentials = { clients: [], tokens: [] };

/** One file per server and URL. */
export function credentialFileOf(folder: string, server: string, url: string): string {
  return join(folder, `${sha256(`${server}\0${url}`)}.json`);
}

/** A file that cannot be read counts as empty: the person signs in again. */
export async function readCredentials(file: string): Promise<Credentials> {
  try {
    const content: unknown = JSON.parse(await readFile(file, "utf8"));
    if (!isPlainObject(content) || !Array.isArray(content.clients) || !Array.isArray(content.tokens)) {
      return noCredentials;
    }
    return content as unknown as Credentials;
  } catch {
    return noCredentials;
  }
}

export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
  await writeAside(file, JSON.stringify(credentials));
}
