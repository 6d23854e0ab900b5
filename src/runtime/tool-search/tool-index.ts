import { setImmediate as nextTurn } from "node:timers/promises";
import type { AnyTool } from "../../tool/define-tool.ts";
import { descriptionOf } from "../../tool/description-of.ts";
import type { SessionView } from "../../tool/tool-context.ts";
import type { DialectView } from "../dialects/dialect-view.ts";
import type { RegisteredTool, Registry } from "../registry/registry.ts";
import type { TextIndex } from "./text-index.ts";

/** Finds tools by what they are called in any way and by what they are said to do. One for all sessions. */
export interface ToolIndex {
  /** Best first, and nothing that is far worse than the best. */
  search(query: string, options: ToolQuery): Promise<readonly RegisteredTool[]>;
}

interface ToolQuery {
  readonly limit: number;
  readonly session: SessionView;
}

/** Nothing is read before the first search; later ones read only what came or changed. */
export function createToolIndex(
  registry: Pick<Registry, "list" | "findExact" | "revision">,
  dialect: Pick<DialectView, "resolve" | "nameOf">,
): ToolIndex {
  let texts: TextIndex | undefined;
  const indexed = new Map<string, AnyTool>();
  let indexedRevision: number | undefined;
  let updating: Promise<void> | undefined;

  const openTexts = async () => {
    const { createTextIndex } = await import("./text-index.ts");
    texts ??= createTextIndex();
    return texts;
  };
  const dropGone = (from: TextIndex) => {
    for (const name of indexed.keys()) {
      if (registry.findExact(name) !== undefined) continue;
      from.remove(name);
      indexed.delete(name);
    }
  };
  const update = async (session: SessionView) => {
    const index = texts ?? (await openTexts());
    const { revision } = registry;
    let turnBegan = performance.now();
    for (const { name, tool } of registry.list()) {
      if (indexed.get(name) === tool) continue;
      index.set(name, {
        names: [name, dialect.nameOf(name), ...tool.aliases],
        hint: tool.searchHint ?? "",
        // Only for ranking: what a session is shown, it is shown in its own words.
        description: descriptionOf(tool, session),
      });
      indexed.set(name, tool);
      if (performance.now() - turnBegan < maxTurnMs) continue;
      await nextTurn();
      turnBegan = performance.now();
    }
    // All that there are have been read, so any more are gone.
    if (indexed.size > registry.list().length) dropGone(index);
    indexedRevision = revision;
  };
  const catchUp = (session: SessionView) => {
    updating ??= update(session).finally(() => {
      updating = undefined;
    });
    return updating;
  };

  return {
    async search(query, { limit, session }) {
      // More than once where an update was under way that had begun before the last change.
      while (indexedRevision !== registry.revision) await catchUp(session);
      const exact = dialect.resolve(query.trim())?.entry;
      const ranked = texts?.search(query, limit) ?? [];
      const least = (ranked[0]?.score ?? 0) * worthOfBest;
      const found = ranked
        .filter(({ score }) => score >= least)
        .map(({ key }) => registry.findExact(key))
        .filter((entry) => entry !== undefined && entry.name !== exact?.name) as RegisteredTool[];
      return exact === undefined ? found : [exact, ...found].slice(0, limit);
    },
  };
}

/** Reading thousands of tools must not hold up everything else. */
const maxTurnMs = 8;

/** What scores less than this share of the best has only a part of what was asked for. */
const worthOfBest = 0.5;
