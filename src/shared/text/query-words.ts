import { splitWords, stemWord } from "./split-words.ts";

/** One word of a query with its weight. */
export interface QueryWord {
  readonly word: string;
  readonly stem: string;
  readonly weight: number;
  /** Stems of near-synonyms in tool names. */
  readonly related: readonly string[];
}

/** The significant words of a query, each once, up to a limit. */
export function queryWords(query: string): QueryWord[] {
  const { words, parts } = splitWords(query.slice(0, maxCharacters));
  const telling = words.filter((word) => !fillers.has(word));
  const found = new Map<string, QueryWord>();
  const add = (word: string, weight: number) => {
    const stem = stemWord(word);
    if (found.size === maxWords || found.has(stem)) return;
    found.set(stem, { word, stem, weight, related: relatedStems.get(stem) ?? [] });
  };
  // A query of stop words alone, such as `use`, is taken at its word, except for the shortest ones, such as `a`.
  for (const word of telling.length > 0 ? telling : words.filter(({ length }) => length > 2)) add(word, 1);
  for (const part of parts) if (!fillers.has(part)) add(part, partWeight);
  return [...found.values()];
}

/** Models have been seen to put a whole file into a query. */
const maxCharacters = 1000;
const maxWords = 24;
const partWeight = 0.5;

const fillers = new Set(
  "a an the in of to for with and or i we you it is are be was were do does done can could want need would like how what which that this these those my me our your some any please use using used from on at by as into onto tool tools let us give".split(
    " ",
  ),
);

const relatedStems = relate([
  "delete remove erase destroy rm unlink drop",
  "create add new make insert generate",
  "update edit modify change alter patch",
  "get fetch retrieve download read load",
  "find search query lookup locate discover",
  "list show enumerate ls display view",
  "run execute start launch invoke",
  "stop kill cancel abort terminate end",
  "send post publish submit",
  "move rename mv relocate",
  "copy duplicate clone cp",
  "email mail",
  "picture image photo",
  "folder directory dir",
  "shell terminal bash command",
  "message chat dm",
  "web internet online website url",
  "calendar event meeting appointment",
  "issue ticket bug",
  "plan todo task",
  "weather forecast temperature",
]);

function relate(groups: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const related = new Map<string, Set<string>>();
  for (const group of groups) {
    const stems = new Set(group.split(" ").map(stemWord));
    for (const stem of stems) {
      const others = related.get(stem) ?? new Set();
      related.set(stem, others);
      for (const other of stems) if (other !== stem) others.add(other);
    }
  }
  return new Map([...related].map(([stem, others]) => [stem, [...others]]));
}
