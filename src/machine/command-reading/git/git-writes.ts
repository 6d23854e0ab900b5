import { join } from "node:path";
import type { Word } from "../../shell-syntax/shell-script.ts";
import { knownText } from "../known-words.ts";
import type { CheckContext } from "../program.ts";
import type { Report } from "../report.ts";
import { findSettings } from "./find-settings.ts";

/**
 * Reports the settings that a git command changes, and the repository around the workspace that it writes to. They are
 * protected or out of reach for every command, so that a person is asked about them, and an approved command gets them.
 */
export async function reportGitWrites(
  [nameWord, ...rest]: readonly Word[],
  report: Report,
  { world, directory }: Pick<CheckContext, "world" | "directory">,
): Promise<void> {
  const name = nameWord && knownText(nameWord);
  const words = rest.map((word) => knownText(word) ?? "");
  if (name === "init") {
    const folder = words.find((word) => !word.startsWith("-"));
    if (!words.includes("--bare")) report.write(join(directory ?? ".", folder ?? ".", ".git"));
    return;
  }
  const root = world.root ?? world.directory;
  const found = await findSettings(root, world);
  if ("problem" in found) return;
  const { repository } = found;
  if (repository !== root) report.writeRepository(repository);
  const isWritten = name !== undefined && settingsWriters[name]?.(words);
  if (isWritten) for (const path of isWritten) report.write(join(repository, path));
}

const config = ".git/config";
// The git folders of submodules.
const modules = ".git/modules";

/** What each changes, given the words after it; undefined if it changes no settings. */
const settingsWriters: Readonly<Record<string, (words: readonly string[]) => readonly string[] | undefined>> =
  {
    config: (words) => {
      const isElsewhere = words.some((word) => /^(?:--(?:global|system|file|blob|worktree)\b|-f)/.test(word));
      // After a name, everything is a value.
      const first = words.findIndex((word) => !word.startsWith("-"));
      const operands = first === -1 ? [] : words.slice(first);
      const isChange =
        operands.length > 1 ||
        words.some((word) =>
          /^--(?:add|unset|replace-all|remove-section|rename-section|edit)|^-e$/.test(word),
        );
      const isQuestion = words.some((word) => /^--(?:get|list)|^-l$/.test(word)) || operands[0] === "get";
      return isElsewhere || !isChange || isQuestion ? undefined : [config];
    },
    remote: (words) =>
      /^(?:add|rm|remove|rename|set-url|set-branches|set-head)$/.test(actionOf(words)) ? [config] : undefined,
    submodule: (words) => {
      const action = actionOf(words);
      if (action === "add") return [config, ".gitmodules", modules];
      return /^(?:init|deinit|sync|update|set-url|set-branch)$/.test(action) ? [config, modules] : undefined;
    },
    "sparse-checkout": () => [config, ".git/config.worktree", ".git/info"],
    worktree: (words) =>
      /^(?:add|remove|prune|move|lock|unlock|repair)$/.test(actionOf(words)) ? [".git/worktrees"] : undefined,
  };

/** After options such as `--quiet`. */
function actionOf(words: readonly string[]): string {
  return words.find((word) => !word.startsWith("-")) ?? "";
}
