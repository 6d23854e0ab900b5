import { setImmediate as nextTurn } from "node:timers/promises";
import type { AnyTool } from "../../tool/define-tool.ts";
import { descriptionOf } from "../../tool/description-of.ts";
import type { SessionView } from "../../tool/tool-context.ts";
import type { DialectView } from "../dialects/index.ts";
import type { Registry } from "../registry/index.ts";
import type { TextIndex } from "./text-index.ts";

/** Finds tools by all of their names and by their descriptions. One for all sessions. */
export type ToolIndex = ReturnType<typeof createToolIndex>;

/** Reads nothing before the first search; later searches read only new or changed tools. */
export function createToolIndex(
  registry: Pick<Registry, "list" | "findExact" | "revision">,
  dialect: Pick<DialectView, "resolve" | "nameOf">,
) {
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
        // For ranking only: each session shows its own description.
        description: descriptionOf(tool, session),
      });
      indexed.set(name, tool);
      if (performance.now() - turnBegan < maxTurnMs) continue;
      await nextTurn();
      turnBegan = performance.now();
    }
    // Every existing tool is indexed, so any excess is of removed tools.
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
    /** Best first; leaves out results far worse than the best. */
    async search(query: string, { limit, session }: { limit: number; session: SessionView }) {
      // Repeated if an update that began before the last change was under way.
      while (indexedRevision !== registry.revision) await catchUp(session);
      const exact = dialect.resolve(query.trim())?.entry;
      const ranked = texts?.search(query, limit) ?? [];
      const least = (ranked[0]?.score ?? 0) * worthOfBest;
      const found = ranked
        .filter(({ key, score }) => score >= least && key !== exact?.name)
        .flatMap(({ key }) => registry.findExact(key) ?? []);
      return exact === undefined ? found : [exact, ...found].slice(0, limit);
    },
  };
}

/** Reading thousands of tools must not block the event loop. */
const maxTurnMs = 8;

/** A result with less than this share of the best score matches only part of the query. */
const worthOfBest = 0.5;
