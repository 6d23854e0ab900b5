import type { Search } from "../../../tool/services/search.ts";
import type { SearchOptions } from "./search.ts";
import type { StatThread } from "./stat-thread.ts";

/** The searches of one session. */
export interface SessionSearch {
  forCall(call: Pick<SearchOptions, "signal" | "mayShow" | "admit">): Search;
  close(): Promise<void>;
}

/** What searching takes, processes and a thread, is loaded with the first search: most sessions start without one. */
export function openSearch(shared: Pick<SearchOptions, "workspace" | "hiddenFolders">): SessionSearch {
  let loading: Promise<(options: SearchOptions) => Search> | undefined;
  let statThread: StatThread | undefined;
  const load = async () => {
    const [{ createSearch }, { createStatThread }] = await Promise.all([
      import("./search.ts"),
      import("./stat-thread.ts"),
    ]);
    const thread = createStatThread();
    statThread = thread;
    return (options: SearchOptions) => createSearch({ ...options, statThread: thread });
  };
  return {
    forCall(call) {
      const search = async () => {
        loading ??= load();
        return (await loading)({ ...shared, ...call });
      };
      return {
        glob: async (query) => (await search()).glob(query),
        grep: async (query) => (await search()).grep(query),
        grepFiles: async (query) => (await search()).grepFiles(query),
        grepCounts: async (query) => (await search()).grepCounts(query),
      };
    },
    async close() {
      await statThread?.close();
    },
  };
}
