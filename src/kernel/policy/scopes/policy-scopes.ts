import { dirname } from "node:path";
import { statNow } from "../../../machine/locks/index.ts";
import { createLock } from "../../../shared/lock.ts";
import { type Mode, narrowerMode } from "../decide.ts";
import { bindLinkTargets, moveRules } from "../rules/move-rules.ts";
import { parseRule, parseRules, type RuleNames, type RuleTexts } from "../rules/parse-rules.ts";
import {
  eachList,
  type Rule,
  RuleError,
  type RuleList,
  type RuleLists,
  type RuleScope,
} from "../rules/rule.ts";
import type { problemsOfPolicy } from "../rules/rule-advice.ts";
import { type PolicyFile, PolicyFileError, type PolicyRule, readPolicyFile } from "./policy-file.ts";
import { ownProjectFile, type PolicyPlaces, projectPolicyFile } from "./policy-places.ts";
import { isTrusted } from "./read-trust.ts";
import type { PolicyNote, PolicyProblem, ScopedPolicy } from "./scoped-policy.ts";

export interface PolicyScopes {
  readonly current: ScopedPolicy;
  /** Files that cannot be used, and rules whose effect differs from their wording. */
  problems(): readonly PolicyProblem[];
  /** Reads files that have changed; a promise only if there are any. */
  refresh(): Promise<void> | undefined;
}

export interface ScopeOptions {
  readonly places: PolicyPlaces;
  /** Real path of the workspace's root. */
  readonly root: string;
  /** The options that the runtime was opened with. */
  readonly given: RuleTexts;
  readonly names: RuleNames;
}

/** Reads the policy of every scope. Throws if a file cannot be used: nothing should run under half a policy. */
export async function openPolicyScopes(options: ScopeOptions): Promise<PolicyScopes> {
  const { places, root, given, names } = options;
  const files = filesOf(places, root);
  const session = await parseRules(given, names);
  const lock = createLock();
  let seen = lookAt(files, places.trust);
  let scopes = await Promise.all(files.map((file) => readScope(file, options)));
  let current = await composeAt(root, scopes, session);
  let problemsOf = await loadAdvice(current);

  const reload = async () => {
    const seenNow = lookAt(files, places.trust);
    const read = await Promise.all(
      files.map((file, index) => readScope(file, options).catch((error) => asBroken(error, scopes[index]!))),
    );
    seen = seenNow;
    scopes = read;
    const composed = await composeAt(root, scopes, session);
    problemsOf = await loadAdvice(composed);
    current = composed;
  };
  return {
    get current() {
      return current;
    },
    problems: () => problemsOf(current, { tools: names.tools(), root }),
    refresh: () => (isAsSeen(seen) ? undefined : lock(reload)),
  };
}

/** Loads the code that advises on rules only if there are rules or problems, to keep the start fast. */
async function loadAdvice({ rules, notes, broken }: ScopedPolicy): Promise<typeof problemsOfPolicy> {
  const isEmpty =
    Object.values(rules).every((list) => typeof list === "function" || list.length === 0) &&
    notes.length === 0;
  if (isEmpty && broken === undefined) return () => [];
  return (await import("../rules/rule-advice.ts")).problemsOfPolicy;
}

function filesOf(places: PolicyPlaces, root: string): readonly ScopeFile[] {
  return [
    { scope: "managed", path: places.managed },
    { scope: "user", path: places.user },
    { scope: "user", path: ownProjectFile(places, root) },
    { scope: "project", path: places.project ?? projectPolicyFile(root) },
  ];
}

interface ScopeFile {
  readonly scope: Exclude<RuleScope, "session">;
  readonly path: string;
}

interface ReadScope extends RuleLists {
  readonly scope: RuleScope;
  readonly mode?: Mode | undefined;
  readonly maxMode?: Mode | undefined;
  readonly isTrusted: boolean;
  readonly broken?: string;
  readonly notes: readonly PolicyNote[];
}

async function readScope({ scope, path }: ScopeFile, options: ScopeOptions): Promise<ReadScope> {
  const file = await readPolicyFile(path);
  if (file === undefined) return { ...noRules, scope, isTrusted: true, notes: [] };
  const { root, places } = options;
  const trusted = scope !== "project" || (await isTrusted(places.trust, { root, hash: file.hash }));
  const notes: PolicyNote[] = trusted ? [] : notesOnDistrust(file);
  const parse = (list: RuleList) =>
    Promise.all(
      file[list].map((rule) => parseScopedRule(rule, { scope, path, list, names: options.names, notes })),
    );
  return {
    scope,
    isTrusted: trusted,
    allow: trusted ? await parse("allow") : [],
    ask: await parse("ask"),
    deny: await parse("deny"),
    mode: file.mode,
    maxMode: file.maxMode,
    notes,
  };
}

const noRules: RuleLists = { allow: [], ask: [], deny: [] };

interface RuleOfFile {
  readonly scope: RuleScope;
  readonly path: string;
  readonly list: RuleList;
  readonly names: RuleNames;
  readonly notes: PolicyNote[];
}

/** A file serves several projects, so it may name tools that this one does not have; they are bound once they come. */
async function parseScopedRule(
  { text, line }: PolicyRule,
  { scope, path, list, names, notes }: RuleOfFile,
): Promise<Rule> {
  const where = `${path}:${line}`;
  const onUnknown = (message: string) => notes.push({ source: where, subject: text, message });
  const rule = await parseRule(text, { where, names, isAllowing: list === "allow", onUnknown });
  return { ...rule, origin: { scope, file: path, line } };
}

function notesOnDistrust({ path, allow, mode }: PolicyFile): PolicyNote[] {
  const ignored = [
    ...allow.map(({ text, line }) => ({ subject: text, source: `${path}:${line}` })),
    ...(mode === undefined ? [] : [{ subject: `mode ${mode}`, source: path }]),
  ];
  const message =
    "not in effect: a project's file can only forbid until you trust it with `toolwright trust`";
  return ignored.map((each) => ({ ...each, message }));
}

/** The scope of a broken file: its earlier denials still hold, its earlier permissions do not. */
function asBroken(error: unknown, { scope, deny, ask, maxMode, mode }: ReadScope): ReadScope {
  if (!(error instanceof PolicyFileError || error instanceof RuleError)) throw error;
  const { message: broken } = error;
  return { ...{ scope, ask, deny, mode, maxMode, broken }, isTrusted: false, allow: [], notes: [] };
}

async function composeAt(
  root: string,
  scopes: readonly ReadScope[],
  session: RuleLists,
): Promise<ScopedPolicy> {
  const join = (list: RuleList) => [...scopes.flatMap((scope) => scope[list]), ...session[list]];
  const maxModes = scopes.flatMap(({ maxMode }) => maxMode ?? []);
  const broken = scopes.flatMap((scope) => scope.broken ?? []);
  return {
    rules: await bindLinkTargets(eachList(join), root),
    mode: scopes.reduce(modeAfter, "ask"),
    maxMode: maxModes.length > 0 ? maxModes.reduce(narrowerMode) : undefined,
    broken: broken.length > 0 ? broken.join("; ") : undefined,
    notes: scopes.flatMap(({ notes }) => notes),
  };
}

/** A file's mode replaces that of the wider scope; without trust it may only be a narrower one. */
function modeAfter(before: Mode, { mode, isTrusted: mayWiden }: ReadScope): Mode {
  if (mode === undefined) return before;
  return mayWiden ? mode : narrowerMode(before, mode);
}

/** A text that changes when a file changes; undefined if the file may change and leave the text as it is. */
type Stamp = string | undefined;

/**
 * Looks at the files of all scopes, and at the list of trusted files, which matters only if the project has a file. A file
 * that is missing together with its folder is seen by the folder, which several files may have in common.
 */
function lookAt(files: readonly ScopeFile[], trust: string): ReadonlyMap<string, Stamp> {
  const seen = new Map<string, Stamp>();
  const look = (path: string) => {
    const stamp = stampOf(path);
    seen.set(stamp === "" ? firstMissing(path) : path, stamp);
    return stamp !== "";
  };
  const found = files.filter(({ path }) => look(path));
  if (found.some(({ scope }) => scope === "project")) look(trust);
  return seen;
}

/** The outermost folder that would have to be made before the file. */
function firstMissing(path: string): string {
  const folder = dirname(path);
  return stampOf(folder) === "" ? firstMissing(folder) : path;
}

function isAsSeen(seen: ReadonlyMap<string, Stamp>): boolean {
  for (const [path, stamp] of seen) if (stamp === undefined || stampOf(path) !== stamp) return false;
  return true;
}

/** Reads a stamp without waiting, because every call needs it, and handing it to a thread takes as long as ten calls. */
function stampOf(path: string): Stamp {
  try {
    const stats = statNow(path, { throwIfNoEntry: false });
    if (stats === undefined) return "";
    const { ino, size, mtimeMs, ctimeMs } = stats;
    // Two changes within one tick of the file system's clock leave the same times.
    return Date.now() - ctimeMs < tickMs ? undefined : `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "";
  }
}

const tickMs = 50;

/** The policy for a copy of the workspace, in which its rules hold as well. */
export function movePolicy(source: PolicyScopes, workspace: string): PolicyScopes {
  let from: ScopedPolicy | undefined;
  let moved: ScopedPolicy | undefined;
  return {
    get current() {
      if (moved === undefined || from !== source.current) {
        from = source.current;
        moved = { ...from, rules: moveRules(from.rules, workspace) };
      }
      return moved;
    },
    problems: source.problems,
    refresh: source.refresh,
  };
}
