import { posix } from "node:path";
import { type Rule, RuleError } from "./rule.ts";

/** Which paths a rule speaks of: a name means the file or the folder with everything in it, `*` stays within one. */
export async function pathMatcher(pattern: string, where: string): Promise<NonNullable<Rule["matchesPath"]>> {
  const globs = globsOf(pattern, where);
  // Loaded only where rules speak of paths, to keep starting up cheap.
  const { default: picomatch } = await import("picomatch");
  // Without the flag, ** would stop at a line break in a name.
  const matches = picomatch(globs, { dot: true, flags: "s" });
  if (posix.isAbsolute(globs[0]!)) return ({ absolute }) => matches(absolute);
  return ({ relative }) => relative !== undefined && matches(relative);
}

function globsOf(pattern: string, where: string): string[] {
  const normal = posix.normalize(pattern.trim());
  if (normal === ".." || normal.startsWith("../")) {
    throw new RuleError(`${where}: ${pattern} leads out of the workspace; write it as an absolute path`);
  }
  const isFolder = normal.endsWith("/");
  const path = normal.replace(/\/+$/, "");
  if (path === ".") return [".", "**"];
  const isName = !/[*?[]/.test(posix.basename(path));
  // To picomatch, `folder/**` is also the folder itself.
  return [isFolder || isName ? `${path}/**` : path];
}
