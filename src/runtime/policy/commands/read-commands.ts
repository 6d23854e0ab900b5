import { constants } from "node:fs";
import { access, lstat, open, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { relativeInside } from "../../../shared/relative-inside.ts";
import type { PermissionRequest } from "../../../tool/permission-request.ts";
import type { ScriptProblem } from "../../shell-syntax/shell-script.ts";
import { expandGlob } from "../paths/expand-glob.ts";
import { type CommandFinding, isHarmless, type MachineFacts } from "./command-finding.ts";
import type { ReadCommand, ScriptReading } from "./script-reading.ts";

export interface ScriptContext {
  /** Absolute; where the script starts. */
  readonly directory: string;
  readonly workspace: string;
  /** Every folder that commands may write in. Default: the workspace. */
  readonly folders?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** What a bash script would do, from its syntax, the tables of known programs and the workspace's files. */
export async function readCommands(script: string, surroundings: ScriptContext): Promise<ScriptReading> {
  // Loaded with the first script, because most calls run none.
  const [{ readNested }, { judgeCommands }, { isKnownProgram }, { readMeaning }] = await Promise.all([
    import("./read-nested.ts"),
    import("./judge-commands.ts"),
    import("./tables/index.ts"),
    import("./argument-meaning.ts"),
  ]);
  const { directory, environment } = surroundings;
  const known = { HOME: environment.HOME ?? homedir(), PWD: directory };
  const read = await readNested(script, { known, isKnownProgram });
  const { category, commands } = await judgeCommands(read, worldOf(surroundings));
  const found = await Promise.all(commands.map(toReadCommand));
  const problems = read.problems.length > 0 ? read.problems : await secondOpinion(read.texts, commands);
  return {
    directory,
    category,
    readMeaning,
    commands: [...found, ...problems.map(asCommand), ...emptyIf(found, problems)],
  };
}

/** Asks bash itself about the syntax, but only if the script would otherwise be allowed. */
async function secondOpinion(
  scripts: readonly string[],
  commands: readonly CommandFinding[],
): Promise<ScriptProblem[]> {
  if (!commands.every(({ effects }) => isHarmless(effects))) return [];
  const { checkSyntax } = await import("../../shell-syntax/bash-oracle.ts");
  const opinions = await Promise.all(scripts.map((script) => checkSyntax(script)));
  const opinion = opinions.find((each) => each !== "ok");
  if (opinion === undefined) return [];
  const reason = opinion === "error" ? "bash reports a syntax error" : "bash could not check the syntax";
  return [{ reason, text: "" }];
}

function worldOf(surroundings: ScriptContext): MachineFacts {
  const { directory, workspace, environment, folders = [workspace] } = surroundings;
  // Workspace folders matter only if they are in PATH.
  const ownFolders = (environment.PATH ?? "")
    .split(delimiter)
    .filter((folder) => relativeInside(workspace, folder) !== undefined);
  return {
    directory,
    root: workspace,
    readText: readSmallText,
    kindOf,
    async holdsHome(folder) {
      const home = environment.HOME ?? homedir();
      return relativeInside(folder, await realpath(home).catch(() => home)) !== undefined;
    },
    hasOwnHome: () => isOutOfReach(environment.HOME ?? homedir(), folders),
    async programPath(name) {
      for (const folder of ownFolders) {
        const path = join(folder, name);
        if (
          await access(path).then(
            () => true,
            () => false,
          )
        )
          return path;
      }
      return undefined;
    },
  };
}

/** Whether a home folder and the files that shells and curl read at their start are outside of all these folders. */
async function isOutOfReach(home: string, folders: readonly string[]): Promise<boolean> {
  const real = await realpath(home).catch(() => undefined);
  if (real === undefined) return false;
  const isOutside = (file: string) => folders.every((folder) => relativeInside(folder, file) === undefined);
  const areOutside = startUpFiles.map(async (name) => {
    const path = join(real, name);
    const target = await realpath(path).catch(() => undefined);
    // A link whose target is missing leads to where a command may create it.
    if (target === undefined) return (await kindOf(path)) === undefined && isOutside(path);
    return isOutside(target);
  });
  return (await Promise.all(areOutside)).every((each) => each);
}

const startUpFiles = [
  ...[".bash_profile", ".bash_login", ".profile", ".bashrc", ".bash_logout"],
  ...[".curlrc", ".config/curlrc"],
];

/** A link counts as `other`, because its target may change. */
async function kindOf(path: string): Promise<"file" | "directory" | "other" | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.isFile()) return "file";
  return found.isDirectory() ? "directory" : "other";
}

// Far larger than any hand-written configuration.
const maxTextBytes = 256 * 1024;

async function readSmallText(path: string): Promise<string | undefined> {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const found = await handle.stat();
    return found.isFile() && found.size <= maxTextBytes ? await handle.readFile("utf8") : undefined;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

async function toReadCommand(finding: CommandFinding): Promise<ReadCommand> {
  const { text, parsed, category, inside, reason, effects, argv, wrapped, isPlain, isTricky } = finding;
  const requests = await requestsOf(finding);
  return {
    text,
    parsed,
    category,
    why: reason,
    requests,
    isOpaque: effects.opaque || effects.runs.length > 0,
    showsHistory: effects.showsHistory,
    fetches: effects.fetches,
    ...(effects.repository !== undefined && { repository: effects.repository }),
    isPlain,
    isTricky,
    ...(inside !== undefined && { inside }),
    ...(argv && { argv }),
    ...(wrapped && { wrapped }),
  };
}

async function requestsOf({ text, effects }: CommandFinding): Promise<PermissionRequest[]> {
  const [reads, writes] = await Promise.all([expandAll(effects.reads), expandAll(effects.writes)]);
  const isMore = effects.opaque || effects.deletes || effects.runs.length > 0;
  const requests: PermissionRequest[] = [
    ...(reads ?? []).map((target) => ({ action: "read", target }) as const),
    ...(writes ?? []).map((target) => ({ action: "write", target }) as const),
    ...effects.hosts.map((target) => ({ action: "network", target }) as const),
    ...(isMore || reads === undefined || writes === undefined
      ? [{ action: "execute", target: text } as const]
      : []),
  ];
  return requests.length === 0 ? [{ action: "read" }] : requests;
}

/** Undefined if a pattern matches too many paths. */
async function expandAll(paths: readonly string[]): Promise<string[] | undefined> {
  const expanded = await Promise.all(paths.map((path) => expandGlob(path)));
  if (!expanded.every((each) => each !== undefined)) return undefined;
  return [...new Set([...expanded.flat(), ...paths.flatMap(listedFolder)])];
}

/** A pattern with `..` also reveals the names in the folder it searches, even if its matches lie elsewhere. */
function listedFolder(path: string): string[] {
  const segments = path.split("/");
  const first = segments.findIndex((segment) => /[*?[]/.test(segment));
  return first === -1 || !segments.includes("..") ? [] : [segments.slice(0, first).join("/") || "/"];
}

/** A problem counts as a command that may do anything. */
function asCommand({ reason, text }: ScriptProblem): ReadCommand {
  const request = { action: "execute", target: text } as const;
  return {
    text,
    category: "general",
    why: reason,
    requests: [request],
    isOpaque: true,
    showsHistory: false,
    fetches: false,
    isPlain: false,
    isTricky: true,
  };
}

/** A script without commands, such as a comment, still needs a verdict. */
function emptyIf(found: readonly ReadCommand[], problems: readonly ScriptProblem[]): ReadCommand[] {
  if (found.length + problems.length > 0) return [];
  const why = "it does nothing";
  return [
    {
      text: "",
      category: "general",
      why,
      requests: [{ action: "read" }],
      isOpaque: false,
      showsHistory: false,
      fetches: false,
      isPlain: true,
      isTricky: false,
    },
  ];
}
