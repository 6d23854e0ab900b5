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
export function walkArguments({
  includeIgnored = false,
  onlyName,
  isLinked,
}: {
  includeIgnored?: boolean | undefined;
  onlyName: string | undefined;
  isLinked: boolean;
}): string[] {
  // Found by walking, so that a requested file that has become a link meanwhile is not followed.
  if (onlyName !== undefined) return ["--hidden", "--max-depth=1", `--glob=/${escapeGlob(onlyName)}`];
  if (includeIgnored) return ["--hidden", "--no-ignore"];
  return [
    "--hidden",
    // A .gitignore counts even outside a repository. In a linked worktree the flag is left out, because with it ripgrep
    // does not read the shared `info/exclude`. The user's global gitignore never counts.
    ...(isLinked ? [] : ["--no-require-git"]),
    "--no-ignore-global",
    ...defaultExcludes.map((pattern) => `--glob=!${pattern}`),
  ];
}

function escapeGlob(name: string): string {
  return name.replace(/[*?[\]{}\\!]/g, "\\$&");
}
