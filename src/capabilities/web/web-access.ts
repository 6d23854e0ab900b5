import { join } from "node:path";
import type { GuardedClient } from "../../machine/web-client/guarded-client.ts";
import { createHostLimits, type HostLimits } from "./host-limits.ts";
import { openPageCache, type PageCache } from "./page-cache.ts";
import { addressOf, type SearchSettings } from "./search/search-settings.ts";
import type { WebOptions } from "./web-options.ts";

/** What all sessions of a runtime share when they use the web. */
export interface WebAccess {
  /** Loaded with the first request, to keep the start fast. */
  client(): Promise<GuardedClient>;
  /** A client without the user's own origins, for addresses that only a server has named. */
  publicClient(): Promise<GuardedClient>;
  readonly limits: HostLimits;
  readonly cache: PageCache;
  /** Only searching may reach the search service in a private network, not whatever a model wants to fetch. */
  readonly search?: { readonly settings: SearchSettings; readonly access: WebAccess };
  /** Fetched robots.txt files by address. */
  readonly robots: Map<string, { readonly text: string; readonly untilMs: number }>;
  readonly followsRobots: boolean;
  /** Where a session keeps the beginnings of interrupted downloads. */
  downloadFolder(sessionId: string): string;
}

export function createWebAccess(
  { search, ...options }: WebOptions = {},
  { stateFolder }: { stateFolder: string },
): WebAccess {
  const access = {
    client: openOnce(options),
    publicClient: openOnce({ ...options, origins: [] }),
    limits: createHostLimits(),
    cache: openPageCache(join(stateFolder, "web-pages")),
    robots: new Map(),
    followsRobots: options.robots ?? false,
    downloadFolder: (sessionId: string) => join(stateFolder, "downloads", sessionId),
  };
  if (search === undefined) return access;
  const origin = new URL(addressOf(search)).origin;
  const client = openOnce({ ...options, origins: [...(options.origins ?? []), origin] });
  return { ...access, search: { settings: search, access: { ...access, client } } };
}

function openOnce(options: WebOptions): () => Promise<GuardedClient> {
  let opening: Promise<GuardedClient> | undefined;
  const open = async () => {
    const { createGuardedClient } = await import("../../machine/web-client/guarded-client.ts");
    const { ca } = options;
    return createGuardedClient({ ...options, ca: ca === undefined ? undefined : await authorities(ca) });
  };
  return () => {
    opening ??= open();
    return opening;
  };
}

/** Naming any authority would replace the usual ones, so those are named as well. */
async function authorities(ca: NonNullable<WebOptions["ca"]>): Promise<string[]> {
  const { getCACertificates } = await import("node:tls");
  return [...getCACertificates("default"), ...[ca].flat()];
}
