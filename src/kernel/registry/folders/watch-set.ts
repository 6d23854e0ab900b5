import { type FSWatcher, watch } from "node:fs";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import type { FileProblem } from "./scan-tool-folder.ts";

/** Directory watches that are opened one by one and closed together. */
export type WatchSet = ReturnType<typeof createWatchSet>;

// One watch per directory: on Linux the recursive mode watches every single file and misses new folders.
export function createWatchSet(onEvent: () => void) {
  const watchers: FSWatcher[] = [];
  const problems: FileProblem[] = [];
  const report = (subject: string, error: unknown) => {
    const message = `changes here are no longer noticed: ${describeThrown(error)}`;
    problems.push({ subject, message, severity: "warning" });
  };
  return {
    /** With `only`, events about other entries of the directory are not passed on. */
    add(directory: string, only?: string) {
      try {
        const watcher = watch(directory, { persistent: false }, (_event, name) => {
          if (only === undefined || name === null || name === only) onEvent();
        });
        // Without a listener the error would end the process.
        watcher.on("error", (error) => {
          report(directory, error);
          watcher.close();
        });
        watchers.push(watcher);
      } catch (error) {
        report(directory, error);
      }
    },
    problems: (): readonly FileProblem[] => problems,
    close() {
      for (const watcher of watchers) watcher.close();
    },
  };
}
