import { homedir } from "node:os";
import type { ScriptProblem } from "../../../machine/shell-syntax/shell-script.ts";
import type { PermissionRequest } from "../../../tool/permission-request.ts";
import type { Shown } from "../confinement/secrets-in-sight.ts";
import { expandGlob, isPattern, withoutEscapes } from "../paths/expand-glob.ts";
import { type CommandFinding, isHarmless } from "./command-finding.ts";
import { createMachineFacts, type Surroundings } from "./facts/machine-facts.ts";
import type { ReadCommand, ScriptReading } from "./script-reading.ts";

/** What a bash script would do, from its syntax, the tables of known programs and the workspace's files. */
export async function readCommands(script: string, surroundings: Surroundings): Promise<ScriptReading> {
  // Loaded with the first script, because most calls run none.
  const [{ readNested }, { judgeCommands }, { isKnownProgram, mostlyReads }, { readMeaning }] =
    await Promise.all([
      import("./read-nested.ts"),
      import("./judge-commands.ts"),
      import("./tables/index.ts"),
      import("./argument-meaning.ts"),
    ]);
  const { directory, environment } = surroundings;
  const known = { HOME: environment.HOME ?? homedir(), PWD: directory };
  const read = await readNested(script, { known, isKnownProgram });
  // Bash takes longer than everything else, so it is asked at once if the script looks as if it will be allowed.
  const isPromising = read.problems.length === 0 && read.commands.every(({ words }) => mostlyReads(words[0]));
  const early = isPromising ? askBash(read.texts) : undefined;
  const { category, commands } = await judgeCommands(read, createMachineFacts(surroundings));
  const found = await Promise.all(commands.map(toReadCommand));
  // What bash says counts only if the script would otherwise be allowed.
  const isHarmlessSoFar = read.problems.length === 0 && commands.every(({ effects }) => isHarmless(effects));
  const problems = isHarmlessSoFar ? await (early ?? askBash(read.texts)) : read.problems;
  return {
    directory,
    category,
    readMeaning,
    commands: [...found, ...problems.map(asCommand), ...emptyIf(found, problems)],
  };
}

/** What bash itself says about the syntax. */
async function askBash(scripts: readonly string[]): Promise<ScriptProblem[]> {
  const { checkSyntax } = await import("../../../machine/shell-syntax/bash-oracle.ts");
  const opinions = await Promise.all(scripts.map((script) => checkSyntax(script)));
  const opinion = opinions.find((each) => each !== "ok");
  if (opinion === undefined) return [];
  const reason = opinion === "error" ? "bash reports a syntax error" : "bash could not check the syntax";
  return [{ reason, text: "" }];
}

async function toReadCommand(finding: CommandFinding): Promise<ReadCommand> {
  const { text, parsed, category, inside, reason, effects, argv, wrapped, isPlain, isTricky, files } =
    finding;
  const requests = await requestsOf(finding);
  const moves = await expandAll(effects.moves, effects);
  return {
    text,
    parsed,
    category,
    why: reason,
    requests,
    isOpaque: effects.opaque || effects.runs.length > 0,
    showsHistory: effects.showsHistory,
    shows: shownBy(finding),
    fetches: effects.fetches,
    ...(effects.repository !== undefined && { repository: effects.repository }),
    ...(effects.writesRepository && { writesRepository: true }),
    ...(effects.enters?.length && { enters: effects.enters }),
    ...(moves?.length && { moves }),
    isPlain,
    isTricky,
    ...(files && { files }),
    ...(inside !== undefined && { inside }),
    ...(argv && { argv }),
    ...(wrapped && { wrapped }),
  };
}

/** What it shows of a folder that it is given: most programs that take one show what is in its files. */
function shownBy({ name, args, category, isNeutral, effects }: CommandFinding): Shown {
  if (name === "git") {
    const isOfTree = args.some((arg) => /^--(?:un|no-i)/.test(arg));
    if (effects.showsHistory) return isOfTree ? "content" : "history";
    return "names";
  }
  if (category === "silent" && effects.writes.length > 0) return "copies";
  if (isNeutral || category === "list" || category === "silent") return "names";
  const isFinding = name === "find" && !args.some((arg) => /^-(?:exec|ok)/.test(arg));
  return isFinding ? "names" : "content";
}

async function requestsOf({ text, effects }: CommandFinding): Promise<PermissionRequest[]> {
  const [reads, writes] = await Promise.all([
    expandAll(effects.reads, effects),
    expandAll(effects.writes, effects),
  ]);
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
async function expandAll(
  paths: readonly string[],
  { named, patterns }: Pick<CommandFinding["effects"], "named" | "patterns">,
): Promise<string[] | undefined> {
  const wanted = paths.filter((path) => patterns.has(path));
  const expanded = await Promise.all(wanted.map((path) => expandGlob(path)));
  if (!expanded.every((each) => each !== undefined)) return undefined;
  const plain = paths.filter((path) => named.has(path));
  return [...new Set([...plain, ...expanded.flat(), ...wanted.flatMap(listedFolder)])];
}

/** A pattern with `..` also reveals the names in the folder it searches, even if its matches lie elsewhere. */
function listedFolder(path: string): string[] {
  const segments = path.split("/");
  const first = segments.findIndex(isPattern);
  if (first === -1 || !segments.includes("..")) return [];
  return [withoutEscapes(segments.slice(0, first).join("/")) || "/"];
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
    shows: "names",
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
      shows: "names",
      fetches: false,
      isPlain: true,
      isTricky: false,
    },
  ];
}
