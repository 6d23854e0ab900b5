import type { Event, ScalarEvent } from "js-yaml";
import { lineNumbersAt } from "../diff/line-numbers.ts";

/** Reads YAML that is a map of fields; plain values stay text, as in `version: 1.0`. */
export type YamlParser = (source: string) => ParsedYaml;

type ParsedYaml =
  | { readonly ok: true; readonly entries: readonly YamlEntry[] }
  | { readonly ok: false; readonly line: number; readonly reason: string };

export interface YamlEntry {
  readonly key: string;
  /** A text, an array or a map. */
  readonly value: unknown;
  /** Counted from 1. */
  readonly line: number;
}

/** Loaded on first use: most calls read no document. */
export async function loadYaml(): Promise<YamlParser> {
  const {
    constructFromEvents,
    EVENT_ID,
    FAILSAFE_SCHEMA,
    getScalarValue,
    parseEvents,
    realMapTag,
    YAMLException,
  } = await import("js-yaml");
  const schema = FAILSAFE_SCHEMA.withTags(realMapTag);

  /** Every second node directly inside the outermost map. */
  const findKeys = (events: readonly Event[]): ScalarEvent[] => {
    const keys: ScalarEvent[] = [];
    let depth = 0;
    let nodes = 0;
    for (const event of events) {
      if (event.type === EVENT_ID.POP) {
        depth -= 1;
        continue;
      }
      if (depth === 2 && nodes++ % 2 === 0 && event.type === EVENT_ID.SCALAR) keys.push(event);
      if (event.type !== EVENT_ID.SCALAR && event.type !== EVENT_ID.ALIAS) depth += 1;
    }
    return keys;
  };

  return (source) => {
    try {
      const events = parseEvents(source, { maxDepth });
      const [document, ...others] = constructFromEvents(events, { source, schema, json: true });
      if (document === undefined) return { ok: true, entries: [] };
      if (!(document instanceof Map) || others.length > 0)
        return { ok: false, line: firstLine(source), reason: 'expected "name: value"' };
      const found = findKeys(events);
      const places = found.map(({ valueStart }) => valueStart);
      const lines = lineNumbersAt(source, places);
      const entries = found.map((event, index) => {
        const key = getScalarValue(source, event);
        return { key, value: document.get(key), line: lines[index]! };
      });
      return { ok: true, entries };
    } catch (error) {
      if (!(error instanceof YAMLException)) throw error;
      return { ok: false, line: (error.mark?.line ?? 0) + 1, reason: error.reason };
    }
  };
}

const maxDepth = 100;

function firstLine(source: string): number {
  return source.slice(0, source.search(/\S/)).split("\n").length;
}
