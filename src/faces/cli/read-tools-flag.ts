import { UsageError } from "./usage-error.ts";

/** The value of `--tools`. */
export function readToolsFlag(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  const given = names.filter((name) => name !== "");
  if (given.length > 0) return given;
  throw new UsageError("--tools needs tool names, separated by commas");
}
