import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openGit } from "../../machine/git/index.ts";
import type { IgnoredQuery } from "../../tool/services/search.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { SearchPlace } from "./search-place.ts";
import type { SearchRoot } from "./search-root.ts";

interface GitUse {
  readonly signal: AbortSignal;
  /** Folders whose programs are never run. */
  readonly untrusted: readonly string[];
}

/**
 * Writes a file of patterns for ripgrep that exclude exactly what git ignores. Undefined if ripgrep has to read the ignore
 * files itself: outside a repository, and if git cannot tell.
 */
export async function writeIgnoreFile(root: SearchRoot, use: GitUse) {
  const ignored = await listIgnored(root, use);
  if (ignored === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "toolwright-ignored-"));
  const path = join(folder, "patterns");
  await writeFile(path, ignored.map((name) => `/${escapePattern(name)}\n`).join(""));
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** A line break, or a byte that is not text, cannot be written in an ignore file. */
function escapePattern(name: string): string {
  return name.replace(/[*?[\]{}\\! ]/g, "\\$&").replace(/[\p{Cc}\uFFFD]+/gu, "*");
}

/**
 * The paths below the root's folder that git ignores, folders with a trailing slash. Git is asked because ripgrep knows neither the index nor the user's own excludes, and reads some
 * patterns differently: `*.{log,tmp}` has no braces to git.
 */
async function listIgnored(root: SearchRoot, use: GitUse): Promise<readonly string[] | undefined> {
  if (root.repository === "none") return undefined;
  try {
    return await listBelow(root.location, { ...use, depth: 0 });
  } catch (error) {
    use.signal.throwIfAborted();
    // Without git there are still the patterns that ripgrep reads.
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

// Submodules of submodules of submodules; real projects do not nest deeper.
const maxDepth = 4;

async function listBelow(
  folder: string,
  { signal, untrusted, depth }: GitUse & { readonly depth: number },
): Promise<readonly string[] | undefined> {
  const git = openGit({ cwd: folder, untrusted, signal });
  const list = ["ls-files", "-z", "--others", "--exclude-standard"];
  const [ignored, inner] = await Promise.all([
    git.run([...list, "--ignored", "--directory"], { timeoutMs }),
    git.run([...list, "--stage"], { timeoutMs }),
  ]);
  if (ignored.exitCode !== 0 || inner.exitCode !== 0) {
    // Git lists nothing from inside an ignored folder. Its files are wanted, because the caller named it.
    const { exitCode } = await git.run(["check-ignore", "--quiet", "./."], { variables: literally });
    return exitCode === 0 ? [] : undefined;
  }
  const paths = splitNames(ignored.stdout);
  for (const name of depth < maxDepth ? innerRepositories(inner.stdout) : []) {
    const below = await listBelow(`${folder}/${name}`, { signal, untrusted, depth: depth + 1 });
    for (const path of below ?? []) paths.push(`${name}/${path}`);
  }
  return paths.filter((path) => path !== "./");
}

const timeoutMs = 10_000;

/** Git lists a submodule with mode 160000, and any other repository as a folder; it looks into neither. */
function innerRepositories(listed: Buffer): string[] {
  return splitNames(listed).flatMap((entry) => {
    const name = /^160000 \w+ \d\t(.*)$/s.exec(entry)?.[1] ?? entry;
    return name !== entry || entry.endsWith("/") ? [name.replace(/\/$/, "")] : [];
  });
}

/** Whether git ignores one path; undefined if it cannot tell. A tracked file is not ignored. */
export async function askIgnored(
  { name }: IgnoredQuery,
  { root, signal, untrusted }: SearchPlace,
): Promise<boolean | undefined> {
  if (root.repository === "none") return undefined;
  const git = openGit({ cwd: root.location, untrusted, signal });
  try {
    // With `./` in front, because a name may start with a colon or a dash.
    const { exitCode } = await git.run(["check-ignore", "--quiet", `./${name}`], { variables: literally });
    return exitCode > 1 ? undefined : exitCode === 0;
  } catch (error) {
    if (error instanceof ToolError && error.code === "unsupported") return undefined;
    throw error;
  }
}

// This command takes every path literally, and does not accept being told so.
const literally = { GIT_LITERAL_PATHSPECS: "0" };

function splitNames(output: Buffer): string[] {
  return output.toString("utf8").split("\0").slice(0, -1);
}
