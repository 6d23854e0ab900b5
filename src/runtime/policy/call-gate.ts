import { resolve } from "node:path";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import type { ToolError } from "../../tool/tool-error.ts";
import { type Bounds, boundsOf } from "./bounds.ts";
import { type DecisionInput, decide, decisionOn, type JudgedRequest } from "./decide.ts";
import type { Gate, LocateOptions, SeenFile } from "./gate.ts";
import { atPlace, isScript, type Judgement, judgeRequests, needsInspection } from "./judge-requests.ts";
import type { PathAction } from "./paths/judge-path.ts";
import type { Place } from "./paths/place.ts";
import type { Policy } from "./policy.ts";
import { refusal } from "./refusal.ts";
import {
  type ListTree,
  type RestrictedName,
  restrictedNames,
  type TreeUse,
  treeUsesOf,
} from "./restricted-names.ts";
import type { Verdict } from "./verdict.ts";

/** The call that a gate is for, as far as it matters here. */
export interface GatedCall {
  readonly resolved: {
    readonly entry: { readonly name: string };
    /** As its caller knows it. */
    readonly spokenName: string;
  };
  /** A preview only looks; where it looks is still decided. */
  readonly request: { readonly isDryRun?: boolean };
  readonly deadline: { readonly signal: AbortSignal };
}

/**
 * The gate of one call. What its tool declares is judged before it runs; any other path or command is judged when it is
 * touched, by the same rules, so that a tool which declares nothing gets around nothing. A class, because every call has one.
 */
export class CallGate implements Gate {
  readonly #policy: Policy;
  readonly #call: GatedCall;
  #declared: Judgement | undefined;
  #isApproved = false;
  /** Where the paths led that the tool declared, each for the first who opens it. */
  #recalled: Map<string, Place> | undefined;
  #admitted: Record<PathAction, Admitted> | undefined;
  #script: PermissionRequest | undefined;

  constructor(policy: Policy, call: GatedCall) {
    this.#policy = policy;
    this.#call = call;
  }

  /**
   * The verdict by floor, rules, hook and mode on what the tool says it would touch, and on what lies in the folders that
   * it names: a person is then asked once, about all of it.
   */
  judge(
    requests: readonly PermissionRequest[],
    options: Pick<DecisionInput, "opaque" | "hook">,
  ): MaybePromise<Verdict> {
    this.#script = requests.find(isScript);
    const judging = this.#judge(requests, options);
    // Most calls touch neither a path nor a folder, and are not slowed by those that do.
    if (!(judging instanceof Promise) && !requests.some(({ treesOf }) => treesOf))
      return this.#declare(judging);
    return this.#judgeTrees(requests, { judging, options });
  }

  /** Lets through what was judged: it is allowed, or a person has allowed it. */
  open({ isApproved }: { isApproved: boolean }): void {
    this.#isApproved = isApproved;
    // While somebody was asked, anything may have been put in the place of what was looked at.
    if (isApproved) this.forget();
    for (const request of this.#declared?.requests ?? []) this.#remember(request);
  }

  locate(path: string, options?: LocateOptions): Promise<Place> {
    return this.#policy.paths.resolve(path, options);
  }

  recall(path: string): Place | undefined {
    const place = this.#recalled?.get(path);
    this.#recalled?.delete(path);
    return place;
  }

  forget(): void {
    this.#recalled = undefined;
  }

  read(place: Place): Promise<void> {
    return this.#admit("read", place);
  }

  write(place: Place): Promise<void> {
    return this.#admit("write", place);
  }

  mayRead(place: Place): Promise<boolean> {
    return this.read(place).then(
      () => true,
      () => false,
    );
  }

  async tree(folder: Place, use: Omit<TreeUse, "from">, list: ListTree): Promise<void> {
    for (const { action, path } of await this.#findRestricted(folder, use, list)) {
      await this.#admit(action, await this.locate(path, { followLast: false }));
    }
  }

  visibility(): (file: SeenFile) => boolean {
    const by = this.#by;
    const { deny, ask, allow } = by.rules;
    // Without rules on paths, only what the floor says differs from file to file.
    const speaksOfPaths = [...deny, ...ask, ...allow].some(({ matchesPath }) => matchesPath !== undefined);
    const isReadable = decisionOn({ action: "read" }, by) === "allow";
    return ({ absolute, relative, isInside, floor }) => {
      if (!speaksOfPaths && floor === undefined) return isReadable;
      const written = { absolute, relative };
      return (
        decisionOn({ action: "read", path: { real: written, written, isInside }, floor }, by) === "allow"
      );
    };
  }

  async run(command: string, directory: string | undefined): Promise<Bounds> {
    const declared = this.#declaredBounds(command, directory);
    if (declared !== undefined) return declared;
    const request = { action: "execute", target: command, script: "bash" } as const;
    const requests = [{ ...request, ...(directory !== undefined && { directory }) }];
    const { verdict, requests: judged } = await this.#judge(requests, { opaque: false });
    // Whoever let a tool do anything at all has let it run this too, unless that is forbidden outright.
    const isCovered = this.#isApproved && this.#declared?.verdict.effects.opaque === true;
    if (verdict.decision === "deny" || (verdict.decision === "ask" && !isCovered))
      throw this.#refusal(verdict);
    return boundsOf(verdict, verdict.directory!, judged);
  }

  get #tool(): string {
    return this.#call.resolved.entry.name;
  }

  get #isPreview(): boolean {
    return this.#call.request.isDryRun === true;
  }

  get #by(): Omit<DecisionInput, "requests" | "opaque"> {
    const { rules, mode } = this.#policy;
    return { tool: this.#tool, rules, mode };
  }

  /** The command that the tool declared was decided on before it ran, word for word. */
  #declaredBounds(command: string, directory: string | undefined): Bounds | undefined {
    const { verdict, requests = [] } = this.#declared ?? {};
    const isDeclared = this.#script?.target === command && this.#script.directory === directory;
    if (!isDeclared || verdict?.directory === undefined) return undefined;
    return boundsOf(verdict, verdict.directory, requests);
  }

  async #judgeTrees(
    requests: readonly PermissionRequest[],
    {
      judging,
      options,
    }: { judging: MaybePromise<LookedAt>; options: Pick<DecisionInput, "opaque" | "hook"> },
  ): Promise<Verdict> {
    const judgement = await judging;
    // Where the folder itself may not be touched, nothing is told of what it holds.
    if (judgement.verdict.decision === "deny") return this.#declare(judgement);
    const inside: PermissionRequest[] = [];
    for (const use of treeUsesOf(requests)) {
      const { paths, listTree } = this.#policy;
      const folder = await paths.resolve(use.from, { followLast: false });
      for (const { action, path } of await this.#findRestricted(folder, use, listTree))
        inside.push({ action, target: path, isLinkItself: true });
    }
    if (inside.length === 0) return this.#declare(judgement);
    return this.#declare(await this.#judge([...requests, ...inside], options));
  }

  #declare(judgement: LookedAt): Verdict {
    this.#declared = judgement;
    this.#recalled = judgement.places;
    return judgement.verdict;
  }

  #judge(
    requests: readonly PermissionRequest[],
    { opaque, hook }: Pick<DecisionInput, "opaque" | "hook">,
  ): MaybePromise<LookedAt> {
    const asked = this.#isPreview ? requests.map(asPreview) : requests;
    const by = { ...this.#by, opaque, ...(hook && { hook }) };
    if (!asked.some(needsInspection)) return { requests: asked, verdict: decide({ ...by, requests: asked }) };
    return this.#lookAt(asked, by);
  }

  async #lookAt(asked: readonly PermissionRequest[], by: Omit<DecisionInput, "requests">): Promise<LookedAt> {
    const { readScript, paths, resolveForVerdict = paths.resolve } = this.#policy;
    const walks = new Map<string, Promise<Place>>();
    const places = new Map<string, Place>();
    const locate = async (path: string, { followLast }: { followLast: boolean }) => {
      // A tool mostly asks to read and to write the same path.
      const key = `${followLast} ${path}`;
      const walk = walks.get(key) ?? resolveForVerdict(path, { followLast });
      walks.set(key, walk);
      const place = await walk;
      if (followLast && place.written === path && isPlain(place)) places.set(path, place);
      return place;
    };
    const { root, floorOf } = paths;
    const judgement = await judgeRequests(asked, {
      by,
      root,
      floorOf,
      locate,
      ...(readScript && { readScript }),
    });
    return { ...judgement, places };
  }

  async #admit(action: PathAction, place: Place): Promise<void> {
    if (this.#isAdmitted(action, place)) return;
    const request = { action: this.#isPreview ? "read" : action, target: place.written } as const;
    const { paths } = this.#policy;
    // What is done to a link that nobody declared is judged by where it leads, too.
    const places = place.kind === "link" ? [place, await paths.resolve(place.written)] : [place];
    const judged = places.map((each) => atPlace(request, each, paths));
    const verdict = decide({ ...this.#by, requests: judged, opaque: false });
    if (verdict.decision !== "allow") {
      throw this.#refusal({ ...verdict, reason: `${place.written}: ${verdict.reason}` });
    }
    this.#remember(judged[0]!);
  }

  /** By both: another way of writing a path may be forbidden, and what it leads to may have been swapped. */
  #isAdmitted(action: PathAction, { written, canonical }: Place): boolean {
    const known = this.#admitted?.[this.#isPreview ? "read" : action];
    return (
      known?.real.has(canonical) === true && known.written.has(resolve(this.#policy.paths.root, written))
    );
  }

  #remember({ action, path, command }: JudgedRequest): void {
    if (path === undefined || command !== undefined || (action !== "read" && action !== "write")) return;
    this.#admitted ??= { read: nothingAdmitted(), write: nothingAdmitted() };
    this.#admitted[action].real.add(path.real.absolute);
    // Where it really leads has been judged as well, however it was written.
    this.#admitted[action].written.add(path.written.absolute).add(path.real.absolute);
  }

  async #findRestricted(
    folder: Place,
    use: Omit<TreeUse, "from">,
    list: ListTree,
  ): Promise<RestrictedName[]> {
    const { paths, rules } = this.#policy;
    // A link that leads to a folder elsewhere goes by itself.
    const names = folder.kind === "directory" ? await list(folder, this.#call.deadline.signal) : [];
    return restrictedNames(
      names,
      { ...use, from: folder.written },
      {
        tool: this.#tool,
        root: paths.root,
        rules,
        isApproved: this.#isApproved,
      },
    );
  }

  #refusal(verdict: Verdict): ToolError {
    return refusal(this.#call.resolved.spokenName, verdict);
  }
}

interface Admitted {
  readonly written: Set<string>;
  readonly real: Set<string>;
}

function nothingAdmitted(): Admitted {
  return { written: new Set(), real: new Set() };
}

function asPreview(request: PermissionRequest): PermissionRequest {
  return isScript(request) ? { action: "read" } : { ...request, action: "read" };
}

/** Whoever opens it finds out if it leads elsewhere by now. Of a link, and of what is not there, nobody would. */
function isPlain({ kind, links }: Place): boolean {
  return links.length === 0 && (kind === "file" || kind === "directory");
}

interface LookedAt extends Judgement {
  /** What can be recalled of the paths. */
  readonly places?: Map<string, Place>;
}
