import { posix } from "node:path";
import { relativeInside } from "../../../../shared/relative-inside.ts";
import type { CommandWorld } from "../command-finding.ts";
import { type GitSetting, readGitConfig } from "./git-config.ts";

/**
 * Why git may not be trusted to only read here; undefined where it may. A repository's configuration can make even
 * `git status` run a program, so only the workspace's own repository counts, and only with settings known to be plain.
 */
export async function findGitProblem(
  directory: string | undefined,
  world: CommandWorld,
): Promise<string | undefined> {
  if (directory === undefined) return "it is not known in which directory git runs";
  const root = world.root ?? world.directory;
  const inside = relativeInside(root, posix.normalize(directory));
  if (inside === undefined) return "git runs outside of the workspace";
  for (const folder of foldersBetween(root, inside)) {
    if (folder !== root && (await isRepository(folder, world))) return `${folder} is a repository of its own`;
  }
  const gitFolder = `${root}/.git`;
  if (!(await world.isDirectory(gitFolder))) return "the workspace has no .git folder of its own";
  if (await isBare(root, world)) return "the workspace looks like a bare repository";
  if ((await world.readText(`${gitFolder}/commondir`)) !== undefined) {
    return "the repository's settings lie elsewhere";
  }
  for (const name of ["config", "config.worktree"]) {
    const problem = configProblem(await world.readText(`${gitFolder}/${name}`), name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** From the innermost out, the root last. */
function foldersBetween(root: string, inside: string): string[] {
  const parts = inside === "." ? [] : inside.split("/");
  return Array.from({ length: parts.length + 1 }, (_, index) =>
    [root, ...parts.slice(0, parts.length - index)].join("/"),
  );
}

async function isRepository(folder: string, world: CommandWorld): Promise<boolean> {
  if (await world.isDirectory(`${folder}/.git`)) return true;
  return (await world.readText(`${folder}/.git`)) !== undefined || isBare(folder, world);
}

async function isBare(folder: string, world: CommandWorld): Promise<boolean> {
  const [objects, refs] = await Promise.all([
    world.isDirectory(`${folder}/objects`),
    world.isDirectory(`${folder}/refs`),
  ]);
  return objects && refs;
}

function configProblem(text: string | undefined, name: string): string | undefined {
  // Without a main configuration, or with one that may not be read, git may still find one.
  if (text === undefined)
    return name === "config" ? "the repository has no settings that can be read" : undefined;
  const settings = readGitConfig(text);
  if (settings === undefined) return `the repository's ${name} cannot be understood`;
  const found = settings.find((setting) => !isPlain(setting));
  if (found === undefined) return undefined;
  const { section, subsection, key } = found;
  const path = [section, subsection, key].filter((part) => part !== "").join(".");
  return `the repository's setting ${path} may make git run a program`;
}

function isPlain({ section, subsection, key }: GitSetting): boolean {
  if (!plainSections.has(section)) return false;
  const dangerous = dangerousKeys.get(section);
  if (dangerous?.has(key)) return false;
  // Drivers for a kind of file have commands of their own.
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
    diff: "external",
    log: "showsignature mailmap",
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
