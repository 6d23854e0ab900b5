import { basename } from "node:path";
import { relativeInside } from "../../../../shared/relative-inside.ts";
import type { MachineFacts } from "../command-finding.ts";
import { findSettings, isBare } from "./find-settings.ts";
import { type GitSetting, readGitConfig } from "./git-config.ts";

/**
 * The repository that git would use, or why git cannot be trusted to only read here. A repository's configuration can make
 * even `git status` run a program, so only the workspace's own repository, or the one around it, is trusted, and only if
 * all its settings are known to be plain.
 */
export async function findTrustedRepository(
  directory: string | undefined,
  world: MachineFacts,
): Promise<{ readonly repository: string } | { readonly problem: string }> {
  const root = world.root ?? world.directory;
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
  for (const path of found.files) {
    const problem = configProblem(await world.kindOf(path), await world.readText(path), basename(path));
    if (problem !== undefined) return { problem };
  }
  return { repository: found.repository };
}

function insideOf(root: string, directory: string): string | undefined {
  return directory.split("/").includes("..") ? undefined : relativeInside(root, directory);
}

/** Every folder between the root and the directory, without the root. */
function foldersBelow(root: string, inside: string): string[] {
  const parts = inside === "." ? [] : inside.split("/");
  return parts.map((_, index) => [root, ...parts.slice(0, index + 1)].join("/"));
}

function configProblem(
  kind: Awaited<ReturnType<MachineFacts["kindOf"]>>,
  text: string | undefined,
  name: string,
): string | undefined {
  // No configuration, no dangerous settings.
  if (kind === undefined) return undefined;
  if (kind !== "file" || text === undefined) return `the repository's ${name} cannot be read`;
  const settings = readGitConfig(text);
  if (settings === undefined) return `the repository's ${name} cannot be parsed`;
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
