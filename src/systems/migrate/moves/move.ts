import { nameIn, type SourceNode } from "../../../capabilities/code/parse-source.ts";
import type { MigrationFinding } from "../migration.ts";
import { memberNames, ownName, type SourceView, valueAt } from "../source-view.ts";

/**
 * The known facts about moving a project from another system. The names of the entry point are read from it, not
 * written here.
 */
export interface Move {
  /** The system's name, as its users write it. */
  readonly title: string;
  readonly entry: string;
  /** What its users import; each becomes the entry point. */
  readonly packages: readonly string[];
  /** Other packages of the system, and what to do without them. */
  readonly related?: Readonly<Record<string, string>>;
  /** A file with none of these words has nothing to do with the system. A regular expression for ripgrep. */
  readonly words: string;
  /** Which files are searched for them. */
  readonly glob: string;
  /** Files that belong to the system by their place alone. */
  readonly files?: string;
  /** What to do instead of using a name that the entry point does not have. */
  readonly missing: Readonly<Record<string, string>>;
  /** What to do instead of calling a method that its classes do not have here, by class. */
  readonly missingMethods: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Names that are still imported from the system's own package. */
  readonly kept?: readonly string[];
  /** Everything else of the system that a file uses. */
  find(source: UsingSource): readonly FoundUse[];
}

/** A parsed file that may use a system. */
export interface UsingSource extends SourceView {
  readonly path: string;
  readonly text: string;
  /** Whether it imports the system, so that a common word such as `permission` is likely the system's. */
  readonly isImporting: boolean;
  /** Finds the system's name for an expression that the file may name differently: `k.Agent` is `Agent`. */
  apiName(node: unknown): string | undefined;
}

export type FoundUse = Omit<MigrationFinding, "file" | "line"> & { readonly node: Pick<SourceNode, "start"> };

export type Judged = Pick<MigrationFinding, "verdict" | "advice">;

export const runs: Judged = { verdict: "runs" };

export function better(advice: string): Judged {
  return { verdict: "better", advice };
}

export function change(advice: string): Judged {
  return { verdict: "change", advice };
}

/** The same advice on several names, which stand between spaces. */
export function instead<const Advice extends string>(
  advice: Advice,
  names: string,
): Readonly<Record<string, Advice>> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, advice]));
}

/** A part of the system that is written as an object or a class with certain members. */
export function writtenWith(
  members: readonly string[],
  node: SourceNode,
  use: Judged & Pick<FoundUse, "kind">,
): FoundUse[] {
  const keys = memberNames(node);
  if (!members.every((name) => keys.includes(name))) return [];
  return [{ name: ownName(node) ?? nameIn(node.id) ?? unnamed, node, ...use }];
}

/** The options in an object that mean nothing here, each with what to do about it. */
export function optionsIn(
  given: SourceNode | undefined,
  advice: Readonly<Record<string, string>>,
): FoundUse[] {
  return memberNames(given).flatMap((name): FoundUse[] => {
    const node = valueAt(given, name) ?? given;
    const isKnown = Object.hasOwn(advice, name) && node !== undefined;
    return isKnown ? [{ kind: "option", name, node, ...change(advice[name]!) }] : [];
  });
}

/** For a name that is computed. */
export const unnamed = "(named when it runs)";

export const sourceGlob = "*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}";
