import { basename, dirname, resolve } from "node:path";
import { relativeInside } from "../../../shared/relative-inside.ts";
import type { MachineFacts } from "../facts/machine-facts.ts";
import { findSettings, findSubmoduleSettings, isBare } from "./find-settings.ts";
import { type GitSetting, readGitConfig } from "./git-config.ts";
import { readIndex } from "./read-index.ts";

/**
 * The repository that git would use, or why git cannot be trusted to only read here. A repository's configuration can make
 * even `git status` run a program, so only the workspace's own repository, or the one around it, is trusted, and only if
 * all its settings are known to be plain.
 */
export async function findTrustedRepository(
  directory: string | undefined,
  world: MachineFacts,
): Promise<{ readonly repository: string; readonly index: string } | { readonly problem: string }> {
  const root = world.root;
  const inside = directory === undefined ? undefined : insideOf(root, directory);
  if (inside === undefined) return { problem: "git may run outside the workspace" };
  for (const folder of foldersBelow(root, inside)) {
    // Git looks for a repository from a link's target, not from the link.
    if ((await world.kindOf(folder)) !== "directory") return { problem: `${folder} is not a plain folder` };
    if ((await world.kindOf(`${folder}/.git`)) !== undefined)
      return { problem: `${folder} is a repository of its own` };
    if (await isBare(folder, world)) return { problem: `${folder} looks like a bare repository` };
  }
  const found = await findSettings(root, world);
  if ("problem" in found) return found;
  const { repository, index } = found;
  const read = await readSettings(found.files, world);
  if ("problem" in read) return read;
  const problem = await findLinkProblem(
    { folder: repository, index, modules: dirname(index), ...read },
    world,
  );
  return problem === undefined ? { repository, index } : { problem };
}

interface ReadRepository {
  readonly folder: string;
  readonly index: string;
  /** Where git keeps the repositories of its submodules. */
  readonly modules: string;
  readonly settings: readonly GitSetting[];
}

/** Git also starts in the submodules that are checked out, without the settings that it was given. */
async function findLinkProblem(
  { folder, index, modules, settings }: ReadRepository,
  world: MachineFacts,
  depth = 0,
): Promise<string | undefined> {
  const isWide = settings.some(({ key, value }) => key === "objectformat" && value !== "sha1");
  const entries = await readIndex(index, world, isWide ? 32 : 20);
  if (entries === undefined) return "what the repository tracks cannot be read";
  const links = entries.filter(({ isLink }) => isLink);
  if (links.length > 0 && (depth > maxDepth || links.length > maxLinks))
    return "the repository has too many submodules to look at";
  for (const { path } of links) {
    const place = `${folder}/${path}`;
    const found = await findSubmoduleSettings(place, { modules: `${modules}/modules`, world });
    if (found === undefined) continue;
    if ("problem" in found) return found.problem;
    const read = await readSettings(found.files, world, (setting) =>
      isOwnFolder(setting, found.gitFolder, place),
    );
    if ("problem" in read) return `${read.problem} (in the submodule ${path})`;
    const inner = { folder: place, index: found.index, modules: dirname(found.index), ...read };
    const problem = await findLinkProblem(inner, world, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const maxDepth = 4;
const maxLinks = 50;

/** Git tells the repository of a submodule where its files are. */
function isOwnFolder(
  { section, key, value }: GitSetting,
  gitFolder: string | undefined,
  place: string,
): boolean {
  return section === "core" && key === "worktree" && resolve(gitFolder ?? "/", value) === place;
}

async function readSettings(
  files: readonly string[],
  world: MachineFacts,
  isExpected?: (setting: GitSetting) => boolean,
): Promise<{ readonly settings: readonly GitSetting[] } | { readonly problem: string }> {
  const settings: GitSetting[] = [];
  for (const path of files) {
    const read = readFile(await world.kindOf(path), await world.readText(path), basename(path));
    if (typeof read === "string") return { problem: read };
    settings.push(...read);
  }
  const found = settings.find((setting) => !isPlain(setting) && !isExpected?.(setting));
  if (found === undefined) return { settings };
  const name = [found.section, found.subsection, found.key].filter((part) => part !== "").join(".");
  return { problem: `the repository's setting ${name} may make git run a program` };
}

function insideOf(root: string, directory: string): string | undefined {
  return directory.split("/").includes("..") ? undefined : relativeInside(root, directory);
}

/** Every folder between the root and the directory, without the root. */
function foldersBelow(root: string, inside: string): string[] {
  const parts = inside === "." ? [] : inside.split("/");
  return parts.map((_, index) => [root, ...parts.slice(0, index + 1)].join("/"));
}

function readFile(
  kind: Awaited<ReturnType<MachineFacts["kindOf"]>>,
  text: string | undefined,
  name: string,
): readonly GitSetting[] | string {
  // No configuration, no dangerous settings.
  if (kind === undefined) return [];
  if (kind !== "file" || text === undefined) return `the repository's ${name} cannot be read`;
  return readGitConfig(text) ?? `the repository's ${name} cannot be parsed`;
}

function isPlain({ section, subsection, key }: GitSetting): boolean {
  if (!plainSections.has(section)) return false;
  const dangerous = dangerousKeys.get(section);
  if (dangerous?.has(key)) return false;
  // Drivers for file types name commands to run.
  return !(subsection !== "" && driverSections.has(section) && driverKeys.has(key));
}

const plainSections: ReadonlySet<string> = new Set(
  "core remote branch user author committer init pull push fetch color column commit tag rerere gc advice status log format diff merge rebase stash index feature pack lfs submodule worktree maintenance extensions apply blame grep i18n notes transfer receive versionsort gui checkout clone am rebase http showbranch pretty repack sendemail github gitlab hub svn-remote vscode-merge-base".split(
    " ",
  ),
);

const dangerousKeys: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    core: "fsmonitor pager editor sshcommand hookspath askpass gitproxy alternaterefscommand worktree attributesfile excludesfile fsmonitorhookversion virtualfilesystem",
    diff: "external submodule orderfile",
    status: "submodulesummary",
    log: "showsignature mailmap diffmerges",
    remote: "uploadpack receivepack vcs promisor partialclonefilter proxy",
    submodule: "update",
    extensions: "partialclone worktreeconfig",
    http: "proxy sslcert sslkey cookiefile",
    blame: "ignorerevsfile",
    commit: "template",
    format: "signaturefile pretty",
    pretty: "",
  }).map(([section, keys]) => [section, new Set(keys.split(" "))]),
);

const driverSections: ReadonlySet<string> = new Set(["diff", "merge"]);
const driverKeys: ReadonlySet<string> = new Set([
  "command",
  "textconv",
  "driver",
  "trustexitcode",
  "cachetextconv",
]);
