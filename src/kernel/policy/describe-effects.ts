import { showLine } from "../../shared/text/mark-rows.ts";
import type { Effects } from "./verdict.ts";

/** What a call would touch, as rows of [kind, targets]. */
export function describeEffects({ reads, writes, runs, hosts, opaque }: Effects): [string, string][] {
  const rows = Object.entries({ reads, writes, runs, hosts })
    .filter(([, targets]) => targets.length > 0)
    .map(([kind, targets]): [string, string] => [kind, targets.map(showLine).join(", ")]);
  return opaque ? [...rows, ["maybe more", "not everything it touches is known before it runs"]] : rows;
}

/** What a command of a category does, as a verb; undefined for `general`, which says nothing. */
export function purposeOf(category: string | undefined): string | undefined {
  return category === undefined ? undefined : purposes.get(category);
}

const purposes: ReadonlyMap<string, string> = new Map([
  ["search", "searches"],
  ["read", "reads"],
  ["list", "lists"],
  ["write", "writes"],
  ["silent", "prints nothing"],
]);
