import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import type { SandboxProfile, SandboxStatus } from "../../../machine/sandbox/index.ts";
import { isFulfilled } from "../../../shared/maybe-promise.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import type { PathAction } from "../paths/judge-path.ts";
import type { Rule, Rules } from "../rules/rule.ts";
import { literalPaths } from "./literal-paths.ts";
import type { RestrictedFor, RestrictedPath, RestrictedPaths } from "./restricted-paths.ts";

/**
 * Keeps commands from what rules deny, even if nothing is known of what a command does: its sandbox hides what may not be
 * read, and write-protects what may not be changed. Where there is no sandbox, such a command needs approval.
 */
export type Confinement = NonNullable<ReturnType<typeof createConfinement>>;

export interface Doubt {
  readonly decision: "deny" | "ask";
  readonly rule: Rule;
  /** A clause: why it may be violated. */
  readonly why: string;
}

export interface Limits {
  /** Absolute; may not be seen. */
  readonly hidden: readonly string[];
  /** Absolute; may not be changed. */
  readonly readOnly: readonly string[];
  /** Absolute; may not be created. */
  readonly absent: readonly string[];
  /** The widest profile for a command whose effects are not known. */
  readonly profile: SandboxProfile;
  /** The widest profile for any command, even with an approval. */
  readonly widest: SandboxProfile;
  /** Whether all restricted paths were found. */
  readonly isComplete: boolean;
}

export interface ConfinementParts {
  readonly rules: Rules;
  readonly root: string;
  sandbox(): Promise<SandboxStatus>;
  /** Looks for restricted paths on disk. */
  findRestricted(): Promise<RestrictedPaths>;
  /** Finds the paths of which git may keep versions. */
  findTracked(paths: readonly string[]): Promise<readonly string[]>;
}

/** Creates the confinement; undefined if no rule is about effects that a command line does not show. */
export function createConfinement(parts: ConfinementParts) {
  const { rules, root, sandbox, findRestricted, findTracked } = parts;
  const restricting = (["deny", "ask"] as const).flatMap((decision) =>
    rules[decision].filter(isUnseen).map((rule) => ({ decision, rule })),
  );
  const [first] = restricting;
  if (first === undefined) return undefined;
  const pathRules = restricting.filter(({ rule }) => rule.matchesPath !== undefined);
  let last: RestrictedPaths | undefined;
  const findNow = async () => {
    last = await findRestricted();
    return last;
  };
  const isSandboxed = async () => (await sandbox()).kind !== "none";

  const strictest = (restricted: RestrictedFor, isMeant: (path: RestrictedPath) => boolean) => {
    for (const decision of ["deny", "ask"] as const) {
      const found = restricted[decision].find(isMeant);
      if (found !== undefined) return { decision, ...found };
    }
    return undefined;
  };

  return {
    /** The rule that a command which could do anything may violate, if nothing would stop it. */
    async doubtAboutAnything(): Promise<Doubt | undefined> {
      if (!(await isSandboxed())) return { ...first, why: "there is no sandbox to enforce it" };
      const everything = restricting.find(
        ({ rule }) => rule.action === "read" && rule.matchesPath === undefined,
      );
      if (everything !== undefined) return { ...everything, why: "every program reads files" };
      if (pathRules.length === 0 || (last ?? (await findNow())).isComplete) return undefined;
      return { ...pathRules[0]!, why: "it covers more than the sandbox can hide" };
    },

    /**
     * The rule that acting on a folder may violate by its content, if nothing would stop it. A sandbox keeps commands from
     * paths, and a file that was moved has another path for the next command.
     */
    async doubtAboutFolder(
      action: PathAction,
      folder: string,
      { isMoved } = { isMoved: false },
    ): Promise<Doubt | undefined> {
      if (pathRules.length === 0) return undefined;
      const isInside = ({ path }: RestrictedPath) => relativeInside(folder, path) !== undefined;
      if (!isMoved && (await isSandboxed()) && (last ?? (await findNow())).isComplete) return undefined;
      const restricted = await findNow();
      const found = strictest(restricted[action], isInside);
      if (found !== undefined) return { ...found, why: `it is about ${found.path}, which is in ${folder}` };
      const rule = pathRules.find((each) => each.rule.action === action);
      if (restricted.isComplete || rule === undefined) return undefined;
      return { ...rule, why: `${folder} holds too much to be looked through` };
    },

    /**
     * The rule that showing the content of past versions may violate; git keeps them where no sandbox can hide them. They may
     * be of files in a repository around the workspace.
     */
    async doubtAboutHistory(repository?: string): Promise<Doubt | undefined> {
      const readRules = pathRules.filter(({ rule }) => rule.action === "read");
      if (readRules.length === 0) return undefined;
      const elsewhere = repository && readRules.find(({ rule }) => namesPlacesOutside(rule));
      if (elsewhere) return { ...elsewhere, why: `git keeps versions of everything in ${repository}` };
      const { read } = await findNow();
      const tracked = new Set(await findTracked([...read.deny, ...read.ask].map(({ path }) => path)));
      const found = strictest(read, ({ path }) => tracked.has(path));
      return found && { ...found, why: `git keeps versions of ${found.path}` };
    },

    /**
     * The limits that the sandbox has to enforce; undefined without a sandbox. `isApproved`: a person has seen the
     * command, which answers the rules that ask.
     */
    async limits({ isApproved }: { isApproved: boolean }): Promise<Limits | undefined> {
      if (!(await isSandboxed())) return undefined;
      const decisions = isApproved ? (["deny"] as const) : (["deny", "ask"] as const);
      const binding = decisions.flatMap((decision) => rules[decision].filter(isUnseen));
      const restricted = await findNow();
      const found = (action: PathAction) =>
        decisions.flatMap((decision) => restricted[action][decision].map(({ path }) => path));
      const named = (action: PathAction) =>
        binding.filter((rule) => rule.action === action).flatMap((rule) => literalPaths(rule, root));
      const outside = named("read").filter((path) => relativeInside(root, path) === undefined);
      return {
        hidden: [...found("read"), ...outside],
        readOnly: found("write"),
        absent: await findAbsent(named("write"), root),
        profile: profileFor(binding),
        widest: profileFor(rules.deny.filter(isUnseen)),
        isComplete: restricted.isComplete,
      };
    },
  };
}

/** A rule on effects that a program can have without showing it in its command line. */
function isUnseen({ action }: Rule): boolean {
  return action === "read" || action === "write" || action === "network";
}

/**
 * Whether a rule has a pattern that begins at the root of the disk or in the home folder; others are about the
 * workspace.
 */
function namesPlacesOutside({ source }: Rule): boolean {
  return /[(,]\s*(?:\/\/|~)/.test(source);
}

/**
 * The widest profile that keeps the rules: no network if a rule is about a part of it, no writing if one is about all
 * paths.
 */
function profileFor(rules: readonly Rule[]): SandboxProfile {
  if (rules.some(({ action, matchesPath }) => action === "write" && matchesPath === undefined))
    return "read-only";
  return rules.some(({ action }) => action === "network") ? "workspace-write" : "network";
}

/** The first missing part of each path: a command that cannot create that part cannot create the path. */
async function findAbsent(paths: readonly string[], root: string): Promise<readonly string[]> {
  const missing = await Promise.all(paths.map((path) => firstMissing(path, root)));
  return [...new Set(missing.filter((path) => path !== undefined))];
}

async function firstMissing(path: string, root: string): Promise<string | undefined> {
  if (relativeInside(root, path) === undefined || path === root) return undefined;
  if (await isFulfilled(lstat(path))) return undefined;
  const parent = dirname(path);
  return (await isFulfilled(lstat(parent))) ? path : firstMissing(parent, root);
}
