import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Declaration, type ParsedModule, type Place, parseModule } from "./parse-module.ts";

/** Emitted declaration files, read as far as they are asked about. */
export interface Declarations {
  /** What a file exports, by itself and from others, under the names they have there. */
  exportsOf(file: string): Promise<ReadonlyMap<string, Declaration>>;
  /** Every declaration of ours that these mention, and so on, and they themselves. */
  reach(start: Iterable<Declaration>): Promise<ReadonlySet<Declaration>>;
}

export function openDeclarations(folder: string): Declarations {
  const modules = new Map<string, Promise<ParsedModule>>();
  let additions: Promise<readonly Declaration[]> | undefined;
  const module = (file: string): Promise<ParsedModule> => {
    const known = modules.get(file);
    if (known !== undefined) return known;
    additions ??= readAdditions(folder);
    const parsing = readFile(join(folder, file), "utf8").then((text) => parseModule(file, text));
    const reading = Promise.all([parsing, additions]).then(([parsed, added]) =>
      withAdditions(parsed, added, file),
    );
    modules.set(file, reading);
    return reading;
  };

  async function exportsOf(file: string): Promise<ReadonlyMap<string, Declaration>> {
    const { exported, wholes } = await module(file);
    const found = new Map<string, Declaration>();
    for (const whole of wholes)
      for (const [name, declaration] of await exportsOf(whole)) found.set(name, declaration);
    for (const [name, place] of exported) {
      const isHere = place.file === file;
      const declaration = isHere ? await find(place) : (await exportsOf(place.file)).get(place.name);
      if (declaration !== undefined) found.set(name, declaration);
    }
    return found;
  }

  /** Undefined where it belongs to a package or to the language. */
  async function find({ file, name }: Place): Promise<Declaration | undefined> {
    const { declared, imported } = await module(file);
    const from = imported.get(name);
    return declared.get(name) ?? (from && (await exportsOf(from.file)).get(from.name));
  }

  return {
    exportsOf,
    async reach(start) {
      const reached = new Set(start);
      // A set may grow while it is walked.
      for (const { mentions } of reached) {
        const found = await Promise.all(mentions.map(find));
        for (const mentioned of found) if (mentioned !== undefined) reached.add(mentioned);
      }
      return reached;
    },
  };
}

/** The members that files add to interfaces of others. */
async function readAdditions(folder: string): Promise<readonly Declaration[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".d.ts")).sort();
  const found = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8");
      return /^declare module /m.test(text) ? parseModule(name, text).added : [];
    }),
  );
  return found.flat();
}

function withAdditions(module: ParsedModule, additions: readonly Declaration[], file: string): ParsedModule {
  const declared = new Map(module.declared);
  for (const { name, texts, mentions } of additions.filter((each) => each.file === file)) {
    const known = declared.get(name);
    if (known === undefined) continue;
    declared.set(name, {
      ...known,
      texts: [...known.texts, ...texts],
      mentions: [...known.mentions, ...mentions],
    });
  }
  return { ...module, declared };
}
