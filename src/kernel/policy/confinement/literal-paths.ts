import { homedir } from "node:os";
import { resolve } from "node:path";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { trimEndOf } from "../../../shared/text/trim-end-of.ts";
import type { Rule } from "../rules/rule.ts";

/** The paths that a rule names outright, without wildcards, whether or not anything is there. */
export function literalPaths({ source, matchesPath }: Rule, root: string): readonly string[] {
  const text = source.trim();
  const written = text.includes("(") && text.endsWith(")") ? text.slice(text.indexOf("(") + 1, -1) : "";
  const names = written.split(",").map((each) => trimEndOf(each.trim(), "/").replace(/\/\*\*$/, ""));
  const paths = names
    .filter((name) => name !== "" && !/[*?[\]{}\\]/.test(name))
    .flatMap((name) => readingsOf(name, root));
  // Whatever the pattern means, only a path that the rule itself matches counts.
  return paths.filter((absolute) => matchesPath?.({ absolute, relative: relativeInside(root, absolute) }));
}

function readingsOf(name: string, root: string): readonly string[] {
  if (name.startsWith("~/")) return [resolve(homedir(), name.slice(2))];
  const inside = resolve(root, name.replace(/^\/+/, ""));
  return name.startsWith("/") ? [resolve(name), inside] : [inside];
}
