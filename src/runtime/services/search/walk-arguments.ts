/** Never looked into unless asked for: what git, package managers, compilers and systems leave behind. */
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

/** Which files ripgrep looks at. It follows no links, and skips pipes and devices, of its own accord. */
export function walkArguments({
  includeIgnored = false,
  onlyName,
  isLinked,
}: {
  includeIgnored?: boolean | undefined;
  onlyName: string | undefined;
  isLinked: boolean;
}): string[] {
  // By walking to it, a named file is treated like all others: not followed if it has become a link meanwhile.
  if (onlyName !== undefined) return ["--hidden", "--max-depth=1", `--glob=/${escapeGlob(onlyName)}`];
  if (includeIgnored) return ["--hidden", "--no-ignore"];
  return [
    "--hidden",
    // A folder need not be a repository for its .gitignore to count, and nobody's home folder matters. A worktree is one,
    // and ripgrep looks into the shared list of what is ignored only where it asked itself whether there is a repository.
    ...(isLinked ? [] : ["--no-require-git"]),
    "--no-ignore-global",
    ...defaultExcludes.map((pattern) => `--glob=!${pattern}`),
  ];
}

function escapeGlob(name: string): string {
  return name.replace(/[*?[\]{}\\!]/g, "\\$&");
}
