import type { Category } from "./command-finding.ts";

/** A category, or `neutral` for commands such as `echo` and `cd`, which say nothing about a pipeline's purpose. */
export type OwnCategory = Category | "neutral";

/**
 * The category of a script, from those of its commands: one `general` or `write` command decides, `silent` needs all of
 * them to be silent, and among reading commands the first one decides.
 */
export function categoryOf(parts: readonly OwnCategory[]): Category {
  const relevant = parts.filter((part) => part !== "neutral");
  const [first] = relevant;
  if (first === undefined || relevant.includes("general")) return "general";
  if (relevant.includes("write")) return "write";
  if (relevant.includes("silent")) return relevant.every((part) => part === "silent") ? "silent" : "general";
  return first;
}
