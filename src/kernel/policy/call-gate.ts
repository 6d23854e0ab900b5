import { resolve } from "node:path";
import type { SandboxProfile } from "../../machine/sandbox/sandbox.ts";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import { relativeInside } from "../../shared/relative-inside.ts";
import { sha256 } from "../../shared/sha256.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { AdmittedPaths } from "./admitted-paths.ts";
import { type Bounds, boundsOf, limitBounds, narrower } from "./bounds.ts";
import {
  type Asked,
  type AskedOptions,
  asPreview,
  CallJudge,
  type GatedCall,
  type Inspected,
} from "./call-judge.ts";
import { decide, decisionOn, type JudgedRequest, strictestRuling } from "./decide.ts";
import type { Gate, LocateOptions, Reach, SeenFile, Visibility } from "./gate.ts";
import { isNamedByRule } from "./hosts/named-by-rule.ts";
import { readHost } from "./hosts/read-host.ts";
import { atPlace, isScript } from "./judge-requests.ts";
import type { PathAction } from "./paths/judge-path.ts";
import type { Place } from "./paths/place.ts";
import { findChanged, lookAtState, type SeenState } from "./paths/seen-state.ts";
import type { Policy } from "./policy.ts";
import { refusal } from "./refusal.ts";
import type { ListTree, TreeUse } from "./restricted-names.ts";
import { isAbout, type Rule, type Rules } from "./rules/rule.ts";
import type { TaintSource } from "./taint.ts";
import type { Verdict } from "./verdict.ts";

/**
 * The gate of one call. Paths and commands that the tool declares are judged before it runs; all others are judged by the
 * same rules when they are used, so declaring nothing bypasses nothing. A class for speed: every call creates one.
 */
export class CallGate implements Gate {
  readonly #policy: Policy;
  readonly #call: GatedCall;
  readonly #judging: CallJudge;
  #declared: Inspected | undefined;
  /** What was asked for, to be judged again after a wait. */
  #asked: Asked | undefined;
  /** What the declared was judged by. */
  #judgedBy: Pick<Policy, "rules" | "mode" | "broken"> | undefined;
  #isApproved = false;
  /** What was there when a person was asked. */
  #shown: SeenState | undefined;
  /** Where the declared paths led when they were judged; each entry is used once. */
  #recalled: Map<string, Place> | undefined;
  #admitted: AdmittedPaths | undefined;
  #script: PermissionRequest | undefined;
  /** What commands did that were not declared. */
  #ran: readonly JudgedRequest[] | undefined;

  constructor(policy: Policy, call: GatedCall) {
    this.#policy = policy;
    this.#call = call;
    this.#judging = new CallJudge(policy, call);
  }

  /**
   * The verdict of floor, rules, hook and mode on everything the tool declares, including the content of declared
   * folders, so that a person is asked only once.
   */
  judge(declared: readonly PermissionRequest[], options: AskedOptions): MaybePromise<Verdict> {
    const requests = this.#withDatabases(declared);
    this.#script = requests.find(isScript);
    this.#asked = { requests, options };
    const refreshing = this.#policy.refresh?.();
    return refreshing === undefined ? this.#judgeFirst() : refreshing.then(() => this.#judgeFirst());
  }

  /** A tool knows a database by its name only. */
  #withDatabases(requests: readonly PermissionRequest[]): readonly PermissionRequest[] {
    if (!requests.some(({ database }) => database !== undefined)) return requests;
    return requests.flatMap((request) =>
      request.database === undefined
        ? request
        : (this.#policy.databaseRequests?.(request) ?? { action: request.action }),
    );
  }

  /** Whether these rules, in place of those in effect, would let the call run without asking. */
  async wouldAllow(rules: Rules): Promise<boolean> {
    const { verdict } = await this.#judging.under(rules).judgeWithTrees(this.#asked!);
    return verdict.decision === "allow";
  }

  /** Looks at everything that was judged. To be called before a person is asked, so that they approve what is there. */
  async look(): Promise<void> {
    this.#shown = await this.#lookAt(this.#declared!);
  }

  /** What was there at the last look, to be compared with what another process has seen. */
  get shownState(): string {
    return sha256(JSON.stringify([...(this.#shown ?? [])].map(([key, { state }]) => [key, state])));
  }

  /**
   * The verdict by the rules and files of now, after a wait in which they may have changed. If what was shown has not, the
   * gate admits what was judged before; otherwise `changed` names a path, and from now on the gate is about what is there.
   */
  async judgeAgain(): Promise<{ readonly verdict: Verdict; readonly changed?: string }> {
    await this.#policy.refresh?.();
    const judgedBy = this.#policyNow;
    const judgement = await this.#judging.judgeWithTrees(this.#asked!);
    const { verdict } = judgement;
    if (verdict.decision === "deny") return { verdict };
    this.#judgedBy = judgedBy;
    const changed = findChanged(this.#shown ?? new Map(), await this.#lookAt(judgement));
    if (changed === undefined) return { verdict };
    this.#declare(judgement);
    return { verdict, changed: this.#nameOf(changed) };
  }

  #lookAt({ requests, seen: places = new Map(), verdict: { directory } }: Inspected): Promise<SeenState> {
    return lookAtState(requests, { places, directory });
  }

  #nameOf(path: string): string {
    return relativeInside(this.#policy.paths.root, resolve(this.#policy.paths.root, path)) ?? path;
  }

  #judgeFirst(): MaybePromise<Verdict> {
    this.#judgedBy = this.#policyNow;
    const judging = this.#judging.judgeWithTrees(this.#asked!);
    return judging instanceof Promise
      ? judging.then((judgement) => this.#declare(judgement))
      : this.#declare(judging);
  }

  /** Opens the gate for everything that was judged, once it is allowed or approved. */
  open({ isApproved }: { isApproved: boolean }): void {
    this.#isApproved = isApproved;
    // Files may have been swapped while a person was deciding.
    if (isApproved) this.forget();
    else this.#shown = undefined;
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

  ruleNaming({ canonical: absolute, relative }: Place): string | undefined {
    const isNaming = (rule: Rule) =>
      isAbout(rule, this.#judging.tool, "write") &&
      rule.matchesPath?.names?.({ absolute, relative }) === true;
    return this.#policy.rules.allow.find(isNaming)?.source;
  }

  mayRead(place: Place): Promise<boolean> {
    return this.read(place).then(
      () => true,
      () => false,
    );
  }

  async tree(folder: Place, use: Omit<TreeUse, "from">, list: ListTree): Promise<void> {
    const options = { list, isApproved: this.#isApproved };
    for (const { action, path } of await this.#judging.findRestricted(folder, use, options)) {
      await this.#admit(action, await this.locate(path, { followLast: false }));
    }
  }

  visibility(): (file: SeenFile) => Visibility {
    const by = this.#judging.by;
    const { deny, ask, allow } = by.rules;
    // Without path rules, only the floor's verdict differs from file to file.
    const speaksOfPaths = [...deny, ...ask, ...allow].some(({ matchesPath }) => matchesPath !== undefined);
    const ordinary = visibilities[decisionOn({ action: "read" }, by)];
    return ({ absolute, relative, isInside, floor }) => {
      if (!speaksOfPaths && floor === undefined) return ordinary;
      const written = { absolute, relative };
      return visibilities[
        decisionOn({ action: "read", path: { real: written, written, isInside }, floor }, by)
      ];
    };
  }

  async reach(host: string, { sends } = { sends: false }): Promise<Reach> {
    const isDeclared = this.#declared?.requests.some(
      ({ action, target = "*", sends: maySend = false }) =>
        action === "network" && isSameHost(target, host) && (maySend || !sends),
    );
    const isUnnamed = this.#declared?.requests.some(
      ({ action, target }) => action === "network" && target === undefined,
    );
    if (!isDeclared || !this.#isCurrent)
      this.#permit(
        { action: "network", target: host, sends },
        { isPartOfIt: isDeclared || (isUnnamed && !sends) },
      );
    return { isNamed: isNamedByRule(host, this.#policy.rules) };
  }

  async spawn(kind = ""): Promise<void> {
    const isDeclared = this.#declared?.requests.some(
      ({ action, target }) => action === "interact" && target === kind,
    );
    if (!isDeclared || !this.#isCurrent)
      this.#permit({ action: "interact", target: kind }, { isPartOfIt: isDeclared });
  }

  async run(command: string, directory: string | undefined): Promise<Bounds> {
    const declared = this.#declaredBounds(command, directory);
    if (declared !== undefined) {
      await this.#refuseMoved();
      await this.#refuseChanged();
    }
    if (declared !== undefined && this.#isCurrent) return this.#limit(declared, this.#declared!.verdict);
    const request = { action: "execute", target: command, script: "bash" } as const;
    const requests = [{ ...request, ...(directory !== undefined && { directory }) }];
    const { verdict, requests: judged } = await this.#judging.judge(requests, { opaque: false });
    // A tool that runs a program of the project cannot name the command before it has looked for it.
    const isUnnamed = this.#declared?.requests.some(
      ({ action, target }) => action === "execute" && target === undefined,
    );
    this.#enforce(verdict, { isPartOfIt: declared !== undefined || isUnnamed });
    // What was approved were the paths as they were then.
    if (declared !== undefined) return this.#limit(declared, this.#declared!.verdict);
    this.#ran = [...(this.#ran ?? []), ...judged];
    return this.#limit(this.#boundsOf(verdict, judged), verdict);
  }

  /**
   * The bounds for a program that the user's options name for this, or a ToolError. Where a sandbox confines it, only the
   * floor and rules are asked, and not the mode: naming it was the permission. No approval of the call covers it.
   */
  async runConfigured(command: string, directory: string, widest: SandboxProfile): Promise<Bounds> {
    await this.#policy.refresh?.();
    const script = { action: "execute", target: command, script: "bash", directory } as const;
    const judgement = await this.#judging.judge([script], { opaque: false });
    const isConfined = (await this.#policy.isConfined?.()) ?? false;
    const asConfigured = (request: JudgedRequest) =>
      request.action === "execute" ? { ...request, isConfigured: true } : request;
    const requests = isConfined ? judgement.requests.map(asConfigured) : judgement.requests;
    const verdict = { ...judgement.verdict, ...decide({ ...this.#judging.by, requests, opaque: false }) };
    if (verdict.decision !== "allow") throw refusal(command, verdict);
    const bounds = await this.#limit(this.#boundsOf(verdict, requests), verdict);
    return { ...bounds, profile: narrower(bounds.profile, widest), widest };
  }

  /** A command opens its paths itself: if one leads elsewhere than when it was judged, the verdict was about another. */
  async #refuseMoved(): Promise<void> {
    const { paths, resolveForVerdict = paths.resolve } = this.#policy;
    for (const { written: path, followLast, ...before } of this.#declared?.seen?.values() ?? []) {
      const now = await resolveForVerdict(path, { followLast }).catch(() => undefined);
      const isSame = now?.canonical === before.canonical && isSameList(now.links, before.links);
      if (!isSame) throw this.#changedSince(path);
    }
  }

  /**
   * What a person was shown is what starts, also if a secret had to be fetched first, or the command is to run once more.
   * Compared once: then the command itself may have changed it.
   */
  async #refuseChanged(): Promise<void> {
    const shown = this.#shown;
    if (shown === undefined) return;
    this.#shown = undefined;
    const changed = findChanged(shown, await this.#lookAt(this.#declared!));
    if (changed !== undefined) throw this.#changedSince(changed);
  }

  #changedSince(path: string): ToolError {
    return new ToolError("conflict", `${this.#nameOf(path)} changed after the command was checked`, {
      hint: "Run the command again; it is then judged by what is there now.",
      retryable: true,
    });
  }

  /** Judges something undeclared that is about to be done, and that is no path or command. */
  #permit(request: PermissionRequest, options?: { isPartOfIt: boolean | undefined }): void {
    const requests = [this.#judging.isPreview ? asPreview(request) : request];
    this.#enforce(decide({ ...this.#judging.by, requests, opaque: false }), options);
  }

  /**
   * Approving an opaque tool, or a connection or command that is not named, also approves what it turns out to do, except
   * what is denied.
   */
  #enforce(verdict: Verdict, { isPartOfIt = false }: { isPartOfIt?: boolean | undefined } = {}): void {
    const isOpaque = this.#declared?.verdict.effects.opaque === true;
    const isCovered = this.#isApproved && (isOpaque || isPartOfIt);
    if (verdict.decision === "deny" || (verdict.decision === "ask" && !isCovered))
      throw this.#refusal(verdict);
  }

  /** Where the call's commands got content from that a stranger may have written: the network, and files beyond the roots. */
  untrustedSources(): readonly TaintSource[] {
    if (this.#ran === undefined && this.#script === undefined) return [];
    const requests = [...(this.#declared?.requests ?? []), ...(this.#ran ?? [])];
    return requests.flatMap(({ action, target, path, command }): TaintSource[] => {
      if (command === undefined) return [];
      if (action === "network") return [{ kind: "command", name: target ?? "the network" }];
      if (action !== "read" || path === undefined || path.isInside) return [];
      const { absolute } = path.real;
      // Only an administrator writes to the system's own folders, and an administrator needs no trick.
      const isSystems = systemFolders.test(absolute) && !sharedFolders.test(absolute);
      return isSystems ? [] : [{ kind: "outside", name: absolute }];
    });
  }

  /** A command that only the mode allows stays off the network once untrusted content is in the session. */
  #boundsOf(verdict: Verdict, requests: readonly JudgedRequest[]): Bounds {
    const by = this.#judging.by;
    const isOffline =
      by.taint !== undefined &&
      !this.#isApproved &&
      requests.some(
        (request) =>
          request.action === "execute" && strictestRuling([request], by).decidedBy.startsWith("mode "),
      );
    const bounds = boundsOf(verdict, verdict.directory!, requests, { isOffline });
    return this.#isApproved ? { ...bounds, isApproved: true } : bounds;
  }

  /** The bounds from the verdict on the declared command, if this is exactly that command. */
  #declaredBounds(command: string, directory: string | undefined): Bounds | undefined {
    const { verdict, requests = [] } = this.#declared ?? {};
    const isDeclared = this.#script?.target === command && this.#script.directory === directory;
    if (!isDeclared || verdict?.directory === undefined) return undefined;
    return this.#boundsOf(verdict, requests);
  }

  /** Adds what rules keep from the command, as it is on disk now. */
  async #limit(bounds: Bounds, verdict: Verdict): Promise<Bounds> {
    const confinement = await this.#policy.confinement?.();
    const limits = await confinement?.limits({ isApproved: this.#isApproved });
    if (limits === undefined) return bounds;
    if (limits.isComplete || this.#isApproved || !verdict.effects.opaque)
      return limitBounds(bounds, limits, verdict);
    throw new ToolError("conflict", "more files than the sandbox can hide have become subject to a rule", {
      hint: "Run the command again; it is then judged by what is there now.",
      retryable: true,
    });
  }

  #declare(judgement: Inspected): Verdict {
    this.#declared = judgement;
    this.#recalled = judgement.places;
    return judgement.verdict;
  }

  get #policyNow(): Pick<Policy, "rules" | "mode" | "broken"> {
    const { rules, mode, broken } = this.#policy;
    return { rules, mode, broken };
  }

  /** Whether the call would still be judged by the same policy; if not, what it declared is judged again when it is used. */
  get #isCurrent(): boolean {
    const { rules, mode, broken } = this.#policy;
    const by = this.#judgedBy;
    return by?.rules === rules && by.mode === mode && by.broken === broken;
  }

  async #admit(action: PathAction, place: Place): Promise<void> {
    const isAdmitted = this.#isAdmitted(action, place);
    if (isAdmitted && this.#isCurrent) return;
    const request = this.#judging.isPreview
      ? ({ action: "read", target: place.written, previewOf: action } as const)
      : { action, target: place.written };
    const { paths } = this.#policy;
    // An action on an undeclared link is judged by the link's target as well.
    const places = place.kind === "link" ? [place, await paths.resolve(place.written)] : [place];
    const judged = places.map((each) => atPlace(request, each, paths));
    const verdict = decide({ ...this.#judging.by, requests: judged, opaque: false });
    const isCovered = verdict.decision === "ask" && this.#isApproved && isAdmitted;
    if (verdict.decision !== "allow" && !isCovered) {
      // The floor's reasons name the path themselves.
      const about = verdict.decidedBy === "floor" ? "" : `${place.written}: `;
      throw this.#refusal({ ...verdict, reason: `${about}${verdict.reason}` });
    }
    this.#remember(judged[0]!);
  }

  #isAdmitted(action: PathAction, { written, canonical: real }: Place): boolean {
    const known = { written: resolve(this.#policy.paths.root, written), real };
    return this.#admitted?.has(this.#judging.isPreview ? "read" : action, known) === true;
  }

  #remember(request: JudgedRequest): void {
    if (request.path === undefined) return;
    this.#admitted ??= new AdmittedPaths();
    this.#admitted.add(request);
  }

  #refusal(verdict: Verdict): ToolError {
    return refusal(this.#call.resolved.spokenName, verdict);
  }
}

const systemFolders =
  /^\/(?:bin|sbin|lib|lib32|lib64|usr|etc|opt|dev|proc|sys|run|nix|System|Library)(?:\/|$)/;
// What lies below them, and anybody may write to.
const sharedFolders = /^\/(?:dev\/(?:shm|mqueue)|run\/(?:user|lock|shm))\//;

const visibilities: Record<Verdict["decision"], Visibility> = {
  allow: "shown",
  ask: "withheld",
  deny: "hidden",
};

function isSameHost(declared: string, host: string): boolean {
  const [one, other] = [readHost(declared), readHost(host)];
  return declared !== "*" && one !== undefined && one.name === other?.name && one.port === other.port;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}
