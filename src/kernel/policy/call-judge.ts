import { resolve } from "node:path";
import type { Place } from "../../machine/paths/index.ts";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import { relativeInside } from "../../shared/relative-inside.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import type { Traits } from "../../tool/traits.ts";
import { type DecisionInput, decide } from "./decide.ts";
import { isScript, type Judgement, judgeRequests, needsInspection } from "./judge-requests.ts";
import { lookAtState, type SeenPlace, type SeenState } from "./paths/seen-state.ts";
import type { Policy, Standing } from "./policy.ts";
import {
  type ListTree,
  type RestrictedName,
  restrictedNames,
  type TreeUse,
  treeUsesOf,
} from "./restricted-names.ts";
import type { JudgedRequest } from "./rules/match-request.ts";
import type { Rules } from "./rules/rule.ts";

/** The part of a call that its gate needs. */
export interface GatedCall {
  readonly resolved: {
    readonly entry: {
      readonly name: string;
      readonly tool?: { readonly traits: Pick<Traits, "openWorld" | "runsCommands"> };
    };
    /** The tool's name in the caller's dialect. */
    readonly spokenName: string;
  };
  /** A dry run only reads, but its reads still need permission. */
  readonly request: { readonly isDryRun?: boolean };
  readonly deadline: { readonly signal: AbortSignal };
}

/** The requests of one call, to be judged together. */
export interface Asked extends Pick<DecisionInput, "opaque" | "hook"> {
  readonly requests: readonly PermissionRequest[];
}

/** A judgement on the requests of a call, with the rules and the mode that it was made by. */
export interface Declared extends Judgement {
  readonly standing: Standing;
  /** The script among the requests, before its commands were read. */
  readonly script?: PermissionRequest | undefined;
  /** Where plain paths led, for the gate to use once more. */
  readonly places?: Map<string, Place>;
  /** Where every path led that was judged. */
  readonly seen?: ReadonlyMap<string, SeenPlace>;
}

/**
 * Judges what one call asks for, by the policy and the files of the moment. A class for speed: every call creates one.
 */
export class CallJudge {
  readonly #policy: Policy;
  readonly #call: GatedCall;
  #isConfined = false;

  constructor(policy: Policy, call: GatedCall) {
    this.#policy = policy;
    this.#call = call;
  }

  get tool(): string {
    return this.#call.resolved.entry.name;
  }

  get isPreview(): boolean {
    return this.#call.request.isDryRun === true;
  }

  /** The rules, the mode and the taint by which every request is judged now. */
  get by(): Omit<DecisionInput, "requests" | "opaque"> {
    return this.#byStanding(this.#policy.current);
  }

  #byStanding({ rules, mode, broken }: Standing): Omit<DecisionInput, "requests" | "opaque"> {
    const { sources } = this.#policy.taint ?? untainted;
    const { traits } = this.#call.resolved.entry.tool ?? {};
    const by = { tool: this.tool, runsCommands: traits?.runsCommands ?? true, rules, mode, broken };
    if (sources.length === 0) return by;
    const isOpenWorld = traits?.openWorld === true;
    return { ...by, taint: { sources, isOpenWorld, isConfined: this.#isConfined } };
  }

  /** The same call under other rules. */
  under(rules: Rules): CallJudge {
    const policy = Object.create(this.#policy, {
      current: { value: { ...this.#policy.current, rules } },
    }) as Policy;
    const judge = new CallJudge(policy, this.#call);
    judge.#isConfined = this.#isConfined;
    return judge;
  }

  /** Judges the requests, and the content of the folders among them. */
  judgeWithTrees(asked: Asked): MaybePromise<Declared> {
    const judging = this.judge(asked);
    // Fast path: most calls declare no folders.
    return asked.requests.some(({ treesOf }) => treesOf) ? this.#judgeTrees(asked, judging) : judging;
  }

  async #judgeTrees(asked: Asked, judging: MaybePromise<Declared>): Promise<Declared> {
    const { requests } = asked;
    const judgement = await judging;
    // A denial of the folder must not reveal its content.
    if (judgement.verdict.decision === "deny") return judgement;
    const inside: PermissionRequest[] = [];
    for (const use of treeUsesOf(requests)) {
      const { paths, listTree } = this.#policy;
      const folder = await paths.resolve(use.from, { followLast: false });
      for (const { action, path } of await this.findRestricted(folder, use, { list: listTree }))
        inside.push({ action, target: path, isLinkItself: true });
    }
    return inside.length === 0 ? judgement : this.judge({ ...asked, requests: [...requests, ...inside] });
  }

  judge({ requests, opaque, hook }: Asked): MaybePromise<Declared> {
    const asked = this.isPreview ? requests.map(asPreview) : requests;
    const standing = this.#policy.current;
    const by = { ...this.#byStanding(standing), opaque, hook };
    if (!asked.some(needsInspection))
      return { requests: asked, verdict: decide({ ...by, requests: asked }), standing };
    return this.#inspect(asked, by, standing);
  }

  async #inspect(
    asked: readonly PermissionRequest[],
    given: Omit<DecisionInput, "requests">,
    standing: Standing,
  ): Promise<Declared> {
    const { paths, resolveForVerdict = paths.resolve } = this.#policy;
    if (given.taint !== undefined) this.#isConfined = (await this.#policy.isConfined?.()) ?? false;
    const by = { ...given, taint: given.taint && { ...given.taint, isConfined: this.#isConfined } };
    const walks = new Map<string, Promise<Place>>();
    const places = new Map<string, Place>();
    const seen = new Map<string, SeenPlace>();
    const locate = async (path: string, { followLast }: { followLast: boolean }) => {
      // Tools often declare both reading and writing the same path.
      const key = `${followLast} ${path}`;
      const walk = walks.get(key) ?? resolveForVerdict(path, { followLast });
      walks.set(key, walk);
      const place = await walk;
      seen.set(key, { ...place, followLast });
      if (followLast && place.written === path && isPlain(place)) places.set(path, place);
      return place;
    };
    const judgement = await judgeRequests(asked, { by, locate, policy: this.#policy });
    return { ...judgement, places, seen, standing, script: asked.find(isScript) };
  }

  /** Finds the entries of a folder that each need a verdict besides the folder's. */
  async findRestricted(
    folder: Place,
    use: Omit<TreeUse, "from">,
    { list, isApproved = false }: { list: ListTree; isApproved?: boolean },
  ): Promise<RestrictedName[]> {
    const { paths, current } = this.#policy;
    // A link to a folder is handled as a single entry.
    const names = folder.kind === "directory" ? await list(folder, this.#call.deadline.signal) : [];
    if (names.length === 0) return [];
    const by = { tool: this.tool, root: paths.root, rules: current.rules, isApproved };
    const to = use.to === undefined ? undefined : await paths.resolve(use.to, { followLast: false });
    return restrictedNames(names, { actions: use.actions, from: folder, to }, by);
  }
}

const untainted: NonNullable<Policy["taint"]> = { sources: [] };

/** Looks at every place that was judged. */
export function lookAt({
  requests,
  seen: places = new Map(),
  verdict: { directory },
}: Declared): Promise<SeenState> {
  return lookAtState(requests, { places, directory });
}

/** A path as people know it: relative to the workspace, if it is inside. */
export function pathForPeople({ paths: { root } }: Pick<Policy, "paths">, path: string): string {
  return relativeInside(root, resolve(root, path)) ?? path;
}

/** The request as a preview makes it, which only reads the paths that the call would change. */
export function asPreview(request: PermissionRequest): JudgedRequest {
  const { action } = request;
  return isScript(request) ? { action: "read" } : { ...request, action: "read", previewOf: action };
}

/** Opening a plain file or folder notices if the path was swapped since; opening a link or a missing path would not. */
function isPlain({ kind, links }: Place): boolean {
  return links.length === 0 && (kind === "file" || kind === "directory");
}
