import type { Category } from "./command-finding.ts";

/** A category, or none of its own: `echo` and `cd` say nothing about what a pipeline is for. */
export type OwnCategory = Category | "neutral";

/**
 * What a whole is for, from what its parts are for: anything unknown or writing makes all of it so, quiet changes go
 * only with their like, and among readers the first one counts.
 */
export function categoryOf(parts: readonly OwnCategory[]): Category {
  const told = parts.filter((part) => part !== "neutral");
  const [first] = told;
  if (first === undefined || told.includes("general")) return "general";
  if (told.includes("write")) return "write";
  if (told.includes("silent")) return told.every((part) => part === "silent") ? "silent" : "general";
  return first;
}
