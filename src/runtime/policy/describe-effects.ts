import { escapeLine } from "../../shared/text/escape-controls.ts";
import type { Effects } from "./verdict.ts";

/** What a call would touch: a row for each kind, with its name first. */
export function describeEffects({ reads, writes, runs, hosts, opaque }: Effects): [string, string][] {
  const rows = Object.entries({ reads, writes, runs, hosts })
    .filter(([, targets]) => targets.length > 0)
    .map(([kind, targets]): [string, string] => [kind, targets.map(escapeLine).join(", ")]);
  return opaque ? [...rows, ["perhaps more", "not all that it touches can be told before it runs"]] : rows;
}
