import { basename } from "node:path";
import type { AutocompleteItem, AutocompleteProvider } from "@earendil-works/pi-tui";
import { isPlainObject } from "../../../../shared/json.ts";
import { defined } from "../../../../shared/options/defined.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import type { Talk } from "../talk.ts";

/** Completes `/` commands with their arguments, and `@` paths as the model would find them: without those that rules hide. */
export function createTalkCompletion(talkNow: () => Talk | undefined): AutocompleteProvider {
  let paths: { readonly at: number; readonly found: Promise<readonly string[]> } | undefined;
  const pathsNow = (talk: Talk): Promise<readonly string[]> => {
    if (paths === undefined || performance.now() - paths.at > freshMs)
      paths = { at: performance.now(), found: findPaths(talk) };
    return paths.found;
  };
  return {
    triggerCharacters: ["@"],
    async getSuggestions(lines, cursorLine, cursorColumn) {
      const talk = talkNow();
      if (talk === undefined) return null;
      const before = (lines[cursorLine] ?? "").slice(0, cursorColumn);
      const mention = /(?:^|\s)@(\S*)$/.exec(before)?.[1];
      if (mention !== undefined) {
        const found = rank(await pathsNow(talk), mention).map((path) => toItem(`@${path}`, path));
        return found.length === 0 ? null : { items: found, prefix: `@${mention}` };
      }
      if (cursorLine > 0 || !before.startsWith("/")) return null;
      const items = await completeCommand(talk, before);
      return items.length === 0 ? null : { items, prefix: before.slice(before.lastIndexOf(" ") + 1) };
    },
    applyCompletion(lines, cursorLine, cursorColumn, item, prefix) {
      const line = lines[cursorLine] ?? "";
      const start = cursorColumn - prefix.length;
      const value = `${item.value} `;
      const changed = `${line.slice(0, start)}${value}${line.slice(cursorColumn)}`;
      return {
        lines: lines.with(cursorLine, changed),
        cursorLine,
        cursorCol: start + value.length,
      };
    },
  };
}

const freshMs = 5000;
const maxShown = 20;

async function completeCommand(talk: Talk, before: string): Promise<AutocompleteItem[]> {
  const space = before.indexOf(" ");
  if (space === -1) {
    const own = (await talk.fileCommands()).values();
    return [...talk.commands.values(), ...own]
      .filter(({ name }) => `/${name}`.startsWith(before))
      .map(({ name, about }) => toItem(`/${name}`, `/${name}`, about));
  }
  const values = (await talk.commands.get(before.slice(1, space))?.complete?.(talk)) ?? [];
  const typed = before.slice(space + 1);
  return values.filter((value) => value.startsWith(typed)).map((value) => toItem(value, value));
}

function toItem(value: string, label: string, about?: string): AutocompleteItem {
  return { value, label: escapeLine(label), ...defined({ description: about && escapeLine(about) }) };
}

/** Sorts the paths whose names begin with the typed text first, then those that contain it. */
function rank(paths: readonly string[], typed: string): readonly string[] {
  const wanted = typed.toLowerCase();
  const matching = paths.filter((path) => path.toLowerCase().includes(wanted));
  const isNamed = (path: string) => basename(path).toLowerCase().startsWith(wanted);
  return [...matching.filter(isNamed), ...matching.filter((path) => !isNamed(path))].slice(0, maxShown);
}

/** Finds paths by the model's own tool, so that ignored files and those that rules hide are not offered. */
async function findPaths({ session }: Talk): Promise<readonly string[]> {
  const { data } = await session.call(
    "search_glob",
    { pattern: "**" },
    { caller: { kind: "person", name: "completion" } },
  );
  const { matches } = isPlainObject(data) ? data : {};
  if (!Array.isArray(matches)) return [];
  return matches.flatMap((match: unknown) =>
    isPlainObject(match) && typeof match.path === "string" && isPlain(match.path) ? [match.path] : [],
  );
}

/** Whether a name can be offered: the editor shows it unchanged, so it may not have characters that steer the terminal. */
function isPlain(path: string): boolean {
  return escapeLine(path) === path;
}
