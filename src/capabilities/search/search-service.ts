import type { Gate, WorkspacePaths } from "../../kernel/policy/index.ts";
import { methodKeys, type OpenService, type Service } from "../../kernel/services/index.ts";
import { value } from "../../shared/options/known-keys.ts";
import type { SearchScope } from "../../tool/services/search.ts";
import type { SearchPlace } from "./search-place.ts";
import type { StatThread } from "./stat-thread.ts";

export interface SearchParts {
  readonly workspace: Pick<WorkspacePaths, "roots" | "own" | "publicFiles">;
}

type Find<Query, Found> = (query: Query, place: SearchPlace) => Promise<Found>;

const scopeKeys = { path: value, includeIgnored: value };
const grepKeys = {
  ...scopeKeys,
  pattern: value,
  literal: value,
  ignoreCase: value,
  multiline: value,
  glob: value,
  type: value,
};

/** Finds files and text. Its modules and thread are loaded with the first search, because most sessions do not search. */
export const searchService: Service<"search", SearchParts, OpenService<"search">> = {
  offers: "searching files",
  keys: methodKeys<"search">(
    {
      glob: [0, { ...scopeKeys, pattern: value, maxFiles: value }],
      grep: [0, { ...grepKeys, before: value, after: value, maxLines: value }],
      grepFiles: [0, { ...grepKeys, maxFiles: value }],
      grepCounts: [0, { ...grepKeys, maxFiles: value }],
      isIgnored: [0, { ...scopeKeys, name: value }],
    },
    {},
  ),
  open({ workspace: { roots, own, publicFiles } }) {
    let thread: Promise<StatThread> | undefined;
    const startThread = async () => (await import("./stat-thread.ts")).createStatThread();

    /** The gate decides on a search's start as on any read; found files are shown only if they may be read. */
    const searchWith =
      (gate: Gate, signal: AbortSignal, showsAbsolutePaths: boolean) =>
      <Query extends SearchScope, Found>(load: () => Promise<Find<Query, Found>>) =>
      async (query: Query): Promise<Found> => {
        const place = await gate.locate(query.path);
        await gate.read(place);
        thread ??= startThread();
        const [find, { openSearchRoot }, { createVisibility }, { writeIgnoreFile }, statThread] =
          await Promise.all([
            load(),
            import("./search-root.ts"),
            import("./visibility.ts"),
            import("./git-ignores.ts"),
            thread,
          ]);
        const root = await openSearchRoot(place, { roots, showsAbsolutePaths });
        const visibilityOf = createVisibility(root, {
          own,
          look: gate.visibility(),
          publicFiles: await publicFiles.list(),
        });
        const mayShow = (name: string) => visibilityOf(name) === "shown";
        const untrusted = [roots.root, root.folder];
        const isWhole = query.includeIgnored || root.onlyName !== undefined;
        const use = { signal, untrusted };
        try {
          const ignores = isWhole ? undefined : await writeIgnoreFile(root, use);
          const seen = { root, ...use, statThread, visibilityOf, mayShow, ignoreFile: ignores?.path };
          return await find(query, seen).finally(ignores?.remove);
        } finally {
          await root.close();
        }
      };

    return {
      forCall(gate, { deadline, showsAbsolutePaths }) {
        const search = searchWith(gate, deadline.signal, showsAbsolutePaths);
        const askIgnored = search(async () => (await import("./git-ignores.ts")).askIgnored);
        return {
          glob: search(async () => (await import("./glob-files.ts")).globFiles),
          grep: search(async () => (await import("./grep/grep-lines.ts")).grepLines),
          grepFiles: search(async () => (await import("./grep/grep-files.ts")).grepFiles),
          grepCounts: search(async () => (await import("./grep/grep-files.ts")).grepCounts),
          // An ignored path has to be seen to be judged.
          isIgnored: (query) => askIgnored({ ...query, includeIgnored: true }),
        };
      },
      close: async () => (await thread)?.close(),
    };
  },
};
