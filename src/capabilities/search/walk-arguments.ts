import type { SearchPlace } from "./search-place.ts";

/** Skipped unless `includeIgnored`: files made by git, package managers, compilers and systems. */
const defaultExcludes = [
  ".git",
  "node_modules/",
  "__pycache__/",
  ".DS_Store",
  "*.pyc",
  "vendor/",
  "dist/",
  "build/",
];

/** Selects the files ripgrep searches. By default it follows no links and skips pipes and devices. */
export function walkArguments(
  { includeIgnored = false }: { readonly includeIgnored?: boolean | undefined },
  { root: { onlyName, repository }, ignoreFile }: Pick<SearchPlace, "root" | "ignoreFile">,
): string[] {
  // Found by walking, so that a requested file that has become a link meanwhile is not followed.
  if (onlyName !== undefined) return ["--hidden", "--max-depth=1", `--glob=/${escapeGlob(onlyName)}`];
  if (includeIgnored) return ["--hidden", "--no-ignore"];
  const excludes = defaultExcludes.map((pattern) => `--glob=!${pattern}`);
  if (ignoreFile !== undefined)
    return ["--hidden", "--no-ignore-vcs", `--ignore-file=${ignoreFile}`, ...excludes];
  return [
    "--hidden",
    // A .gitignore counts even outside a repository. In a linked worktree the flag is left out, because with it ripgrep
    // does not read the shared `info/exclude`.
    ...(repository === "linked" ? [] : ["--no-require-git"]),
    "--no-ignore-global",
    ...excludes,
  ];
}

function escapeGlob(name: string): string {
  return name.replace(/[*?[\]{}\\!]/g, "\\$&");
}

/**
 * Makes ripgrep skip files whose names cannot match. This uses file types, because ripgrep's globs would override
 * .gitignore. File types only know names, so every result still has to be tested for its whole path.
 */
export function nameArguments(glob: string | undefined): string[] {
  const lastName = glob?.split("/").at(-1) ?? "";
  const folders = glob?.slice(0, -lastName.length) ?? "";
  // Braces across a slash, classes and escapes are left to that test.
  const isPlain = /^[\w.*?-]+$|^\*\.\{[\w,.]+\}$/.test(lastName) && !lastName.includes("**");
  // `*` matches every name, so filtering would only cost time.
  if (!isPlain || lastName === "*" || folders.startsWith("!") || /[{}]/.test(folders)) return [];
  return [`--type-add=wanted:${lastName}`, "--type=wanted"];
}
