import { join } from "node:path";
import type { GuardedClient } from "./client/guarded-client.ts";
import { createHostLimits, type HostLimits } from "./host-limits.ts";
import { openPageCache, type PageCache } from "./page-cache.ts";
import type { WebOptions } from "./web-options.ts";

/** What all sessions of a runtime share when they use the web. */
export interface WebAccess {
  /** Loaded with the first request, to keep the start fast. */
  client(): Promise<GuardedClient>;
  readonly limits: HostLimits;
  readonly cache: PageCache;
}

export function createWebAccess(
  options: WebOptions = {},
  { stateFolder }: { stateFolder: string },
): WebAccess {
  let opening: Promise<GuardedClient> | undefined;
  const open = async () => {
    const { createGuardedClient } = await import("./client/guarded-client.ts");
    const { ca, ...rest } = options;
    return createGuardedClient({ ...rest, ...(ca !== undefined && { ca: await authorities(ca) }) });
  };
  return {
    client: () => {
      opening ??= open();
      return opening;
    },
    limits: createHostLimits(),
    cache: openPageCache(join(stateFolder, "web-pages")),
  };
}

/** Naming any authority would replace the usual ones, so those are named as well. */
async function authorities(ca: NonNullable<WebOptions["ca"]>): Promise<string[]> {
  const { getCACertificates } = await import("node:tls");
  return [...getCACertificates("default"), ...[ca].flat()];
}
