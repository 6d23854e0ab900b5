import { basename, dirname, resolve } from "node:path";
import { defined } from "../../../shared/options/defined.ts";
import type { ToolSource } from "../tool-source.ts";
import { type LoadedToolFile, loadToolFile } from "./load-tool-file.ts";
import { type FileProblem, type FolderScan, scanToolFolder } from "./scan-tool-folder.ts";
import { asToolFolder, type ToolFolder } from "./tool-folder.ts";
import { createWatchSet, type WatchSet } from "./watch-set.ts";

/** The tools in `<folder>/<group>/<action>.ts`, and in `.js`, `.mjs` and `.cjs`; reread when a file changes. */
export function createFolderSource(
  given: string | ToolFolder,
): ToolSource & { readonly fileCount: number } & Required<Pick<ToolSource, "start" | "stop">> {
  const folder = asToolFolder(given);
  const { watch = true, toolVersion } = folder;
  const versionOf = toolVersion === undefined ? undefined : () => toolVersion;
  const root = resolve(folder.path);
  const id = `folder ${folder.path}`;
  let loaded: ReadonlyMap<string, LoadedToolFile> = new Map();
  let scanProblems: readonly FileProblem[] = [];
  let watches: WatchSet = createWatchSet(() => {});
  let settling: NodeJS.Timeout | undefined;
  let refreshing: Promise<void> = Promise.resolve();
  let stopped = false;

  const problems = () =>
    [
      ...scanProblems,
      ...[...loaded.values()].flatMap(({ problem }) => problem ?? []),
      ...watches.problems(),
    ].map((problem) => ({ source: id, ...problem }));

  /** Reads the folder again; imports files that are new or changed. */
  const refresh = async (onEvent: () => void): Promise<boolean> => {
    const before = JSON.stringify(problems());
    const nextWatches = createWatchSet(onEvent);
    const scan = await scanWatched(root, watch ? nextWatches : undefined);
    const next = await loadChanged(scan, loaded, folder);
    const hasOther = next.size !== loaded.size || [...next].some(([path, file]) => loaded.get(path) !== file);
    watches.close();
    watches = nextWatches;
    loaded = next;
    scanProblems = scan.problems;
    if (stopped) watches.close();
    return hasOther || JSON.stringify(problems()) !== before;
  };

  return {
    id,
    layer: "folder",
    problems,
    /** How many tool files there are, whether or not they could be loaded. */
    get fileCount() {
      return loaded.size;
    },
    tools: () =>
      [...loaded.values()].flatMap(({ tool, override = false, file: { group } }) =>
        tool === undefined ? [] : { tool, override, ...defined({ versionOf, group }) },
      ),
    async start(onChange) {
      const onEvent = () => {
        if (stopped) return;
        clearTimeout(settling);
        settling = setTimeout(() => {
          refreshing = refreshing.then(refreshAndTell).catch(noteFailure);
        }, settleMs).unref();
      };
      const refreshAndTell = async () => {
        if (stopped) return;
        const changed = await refresh(onEvent);
        if (changed && !stopped) onChange();
      };
      // The work after an event is not awaited, so an error here would end the process.
      const noteFailure = (error: unknown) => {
        scanProblems = [...scanProblems, { subject: root, message: `rereading failed: ${String(error)}` }];
      };
      const first = refresh(onEvent);
      // Queued with the refreshes that events trigger: two at once could end with the older view.
      refreshing = first.then(() => {});
      await first;
    },
    async stop() {
      stopped = true;
      clearTimeout(settling);
      await refreshing;
      watches.close();
    },
  };
}

/** How long a folder must be quiet: an editor's save causes several events, and a half-written file is not a tool. */
const settleMs = 50;

async function scanWatched(root: string, watches: WatchSet | undefined): Promise<FolderScan> {
  let sawRoot = false;
  const scan = () =>
    scanToolFolder(root, (directory) => {
      sawRoot = true;
      watches?.add(directory);
    });
  const first = await scan();
  if (sawRoot) return first;
  // The folder may appear later, so its parent is watched. Check once more, because it may have appeared just now.
  watches?.add(dirname(root), basename(root));
  return scan();
}

async function loadChanged(
  { files }: FolderScan,
  loaded: ReadonlyMap<string, LoadedToolFile>,
  folder: ToolFolder,
): Promise<ReadonlyMap<string, LoadedToolFile>> {
  const next = await Promise.all(
    files.map((file) => {
      const known = loaded.get(file.path);
      return known !== undefined && known.file.fingerprint === file.fingerprint
        ? known
        : loadToolFile(file, folder);
    }),
  );
  return new Map(next.map((each) => [each.file.path, each]));
}
