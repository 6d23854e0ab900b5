import { resolve } from "node:path";
import type { Place, ResolveOptions } from "../../machine/paths/index.ts";
import type { SandboxProfile } from "../../machine/sandbox/index.ts";
import { isFulfilled } from "../../shared/maybe-promise.ts";
import type { PermissionClass, PermissionRequest } from "../../tool/permission-request.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { type Bounds, boundsOf, limitBounds, narrower } from "./bounds.ts";
import {
  asPreview,
  type CallJudge,
  type Declared,
  type GatedCall,
  lookAt,
  pathForPeople,
} from "./call-judge.ts";
import { decide, decisionOn, strictestRuling } from "./decide.ts";
import type { EnterOptions, Gate, Reach, SeenFile, Visibility } from "./gate.ts";
import { isNamedByRule, readHost } from "./hosts/host-matcher.ts";
import { atPlace } from "./judge-requests.ts";
import type { PathAction } from "./paths/judge-path.ts";
import { findChanged, type SeenState } from "./paths/seen-state.ts";
import type { Policy } from "./policy.ts";
import { refusal } from "./refusal.ts";
import type { ListTree, TreeUse } from "./restricted-names.ts";
import type { JudgedRequest } from "./rules/match-request.ts";
import { isAbout, type Rule } from "./rules/rule.ts";
import type { Verdict } from "./verdict.ts";

export interface Opening {
  /** A person or a kept answer has approved the call. */
  readonly isApproved: boolean;
  /** The state of the files when the person was asked. */
  readonly shown?: SeenState | undefined;
}

/**
 * Answers services while a call runs. Paths and commands that were declared are judged already; all others are judged by
 * the same rules when they are used, so declaring nothing bypasses nothing. A class for speed: every call creates one.
 */
export class OpenGate implements Gate {
  readonly #policy: Policy;
  readonly #call: GatedCall;
  readonly #judging: CallJudge;
  #declared: Declared | undefined;
  #isApproved = false;
  /** The state of the files that a person was shown; the next command must find them in it. */
  unconfirmed: SeenState | undefined;
  /** Where the declared paths led when they were judged; each entry is used once. */
  #recalled: Map<string, Place> | undefined;
  #admitted: AdmittedPaths | undefined;
  /** The requests of the commands that the call has declared or run. */
  commandRequests: readonly JudgedRequest[] = [];

  constructor(policy: Policy, call: GatedCall, judging: CallJudge) {
    this.#policy = policy;
    this.#call = call;
    this.#judging = judging;
  }

  /** Admits everything that was judged. Files may have been swapped while a person was deciding. */
  open(declared: Declared | undefined, { isApproved, shown }: Opening): void {
    this.#declared = declared;
    this.#isApproved = isApproved;
    this.unconfirmed = isApproved ? shown : undefined;
    this.#recalled = isApproved ? undefined : declared?.places;
    if (declared?.script !== undefined) this.commandRequests = declared.requests;
    for (const request of declared?.requests ?? []) this.#remember(request);
  }

  locate(path: string, options?: ResolveOptions): Promise<Place> {
    return this.#policy.paths.resolve(path, options);
  }

  async enter(path: string, actions: readonly PathAction[], how: EnterOptions): Promise<Place> {
    const known = how.followLast === false ? undefined : this.#recall(path);
    const place = known !== undefined && how.isWanted(known.kind) ? known : await this.locate(path, how);
    await this.#admit(place, actions);
    return place;
  }

  #recall(path: string): Place | undefined {
    const place = this.#recalled?.get(path);
    this.#recalled?.delete(path);
    return place;
  }

  forget(): void {
    this.#recalled = undefined;
  }

  read(place: Place): Promise<void> {
    return this.#admit(place, ["read"]);
  }

  write(place: Place): Promise<void> {
    return this.#admit(place, ["write"]);
  }

  ruleNaming({ canonical: absolute, relative }: Place): string | undefined {
    const isNaming = (rule: Rule) =>
      isAbout(rule, this.#judging.tool, "write") &&
      rule.matchesPath?.names?.({ absolute, relative }) === true;
    return this.#policy.current.rules.allow.find(isNaming)?.source;
  }

  mayRead(place: Place): Promise<boolean> {
    return isFulfilled(this.read(place));
  }

  async tree(folder: Place, use: Omit<TreeUse, "from">, list: ListTree): Promise<void> {
    const options = { list, isApproved: this.#isApproved };
    for (const { action, path } of await this.#judging.findRestricted(folder, use, options)) {
      await this.#admit(await this.locate(path, { followLast: false }), [action]);
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
    const isDeclared = this.#hasDeclared(
      "network",
      ({ target = "*", sends: maySend = false }) => isSameHost(target, host) && (maySend || !sends),
    );
    const isUnnamed = this.#hasDeclared("network", isWithoutTarget);
    if (!isDeclared || !this.#isCurrent)
      this.#permit(
        { action: "network", target: host, sends },
        { isPartOfIt: isDeclared || (isUnnamed && !sends) },
      );
    return { isNamed: isNamedByRule(host, this.#policy.current.rules) };
  }

  async spawn(kind = ""): Promise<void> {
    const isDeclared = this.#hasDeclared("interact", ({ target }) => target === kind);
    if (!isDeclared || !this.#isCurrent)
      this.#permit({ action: "interact", target: kind }, { isPartOfIt: isDeclared });
  }

  #hasDeclared(action: PermissionClass, isMeant: (request: JudgedRequest) => boolean): boolean {
    return this.#declared?.requests.some((each) => each.action === action && isMeant(each)) ?? false;
  }

  async run(command: string, directory: string | undefined): Promise<Bounds> {
    const declared = this.#declaredBounds(command, directory);
    if (declared !== undefined) {
      await this.#refuseMoved();
      await this.#refuseChanged();
    }
    if (declared !== undefined && this.#isCurrent) return this.#limit(declared, this.#declared!.verdict);
    const request = { action: "execute", target: command, script: "bash" } as const;
    const requests = [directory === undefined ? request : { ...request, directory }];
    const { verdict, requests: judged } = await this.#judging.judge({ requests, opaque: false });
    // A tool that runs a program of the project cannot name the command before it has looked for it.
    const isUnnamed = this.#hasDeclared("execute", isWithoutTarget);
    this.#enforce(verdict, { isPartOfIt: declared !== undefined || isUnnamed });
    // The approval was about the paths as they were then.
    if (declared !== undefined) return this.#limit(declared, this.#declared!.verdict);
    this.commandRequests = [...this.commandRequests, ...judged];
    return this.#limit(this.#boundsOf(verdict, judged), verdict);
  }

  /**
   * The bounds for a program that the user's options name for this, or a ToolError. Where a sandbox confines it, only the
   * floor and rules are asked, and not the mode: naming it was the permission. No approval of the call covers it.
   */
  async runConfigured(command: string, directory: string, widest: SandboxProfile): Promise<Bounds> {
    await this.#policy.refresh?.();
    const script = { action: "execute", target: command, script: "bash", directory } as const;
    const judgement = await this.#judging.judge({ requests: [script], opaque: false });
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
   * Throws if a file is not as a person was shown it, such as after a wait for a secret, or when the command runs once more.
   * Compares the files once: afterwards the command itself may have changed them.
   */
  async #refuseChanged(): Promise<void> {
    const shown = this.unconfirmed;
    if (shown === undefined) return;
    this.unconfirmed = undefined;
    const changed = findChanged(shown, await lookAt(this.#declared!));
    if (changed !== undefined) throw this.#changedSince(changed);
  }

  #changedSince(path: string): ToolError {
    return runAgain(`${pathForPeople(this.#policy, path)} changed after the command was checked`);
  }

  /** Judges an undeclared connection or sub-agent that is about to be started. */
  #permit(request: PermissionRequest, options: { isPartOfIt: boolean }): void {
    const requests = [this.#judging.isPreview ? asPreview(request) : request];
    this.#enforce(decide({ ...this.#judging.by, requests, opaque: false }), options);
  }

  /**
   * Throws unless a verdict lets the call go on. A person who approves an opaque tool, or a connection or command that is not
   * named, also approves all that it turns out to do, unless that is denied.
   */
  #enforce(verdict: Verdict, { isPartOfIt }: { isPartOfIt: boolean }): void {
    const isOpaque = this.#declared?.verdict.effects.opaque === true;
    const isCovered = this.#isApproved && (isOpaque || isPartOfIt);
    if (verdict.decision === "deny" || (verdict.decision === "ask" && !isCovered))
      throw this.#refusal(verdict);
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
    const { verdict, requests = [], script } = this.#declared ?? {};
    const isDeclared = script?.target === command && script.directory === directory;
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
    throw runAgain("more files than the sandbox can hide have become subject to a rule");
  }

  /** Whether the call was judged by the policy of now; if not, its declarations are judged again when they are used. */
  get #isCurrent(): boolean {
    const { standing } = this.#declared ?? {};
    if (standing === undefined) return false;
    const { rules, mode, broken } = this.#policy.current;
    return standing.rules === rules && standing.mode === mode && standing.broken === broken;
  }

  /** Admits all actions on a place by one look at the policy. */
  async #admit(place: Place, actions: readonly PathAction[]): Promise<void> {
    const isCurrent = this.#isCurrent;
    for (const action of actions) {
      const isAdmitted = this.#isAdmitted(action, place);
      if (!isAdmitted || !isCurrent) await this.#admitNow(action, place, isAdmitted);
    }
  }

  async #admitNow(action: PathAction, place: Place, isAdmitted: boolean): Promise<void> {
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

const visibilities: Record<Verdict["decision"], Visibility> = {
  allow: "shown",
  ask: "withheld",
  deny: "hidden",
};

function runAgain(message: string): ToolError {
  const hint = "Run the command again; it is then judged by the files as they are.";
  return new ToolError("conflict", message, { hint, retryable: true });
}

function isWithoutTarget({ target }: JudgedRequest): boolean {
  return target === undefined;
}

function isSameHost(declared: string, host: string): boolean {
  const [one, other] = [readHost(declared), readHost(host)];
  return declared !== "*" && one !== undefined && one.name === other?.name && one.port === other.port;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

/** The paths that a call may read and write. */
class AdmittedPaths {
  readonly #known = {
    read: { written: new Set<string>(), real: new Set<string>() },
    write: { written: new Set<string>(), real: new Set<string>() },
  };

  /** Compares both forms of a path: rules may deny another spelling, and the target may have been swapped. */
  has(action: PathAction, { written, real }: { readonly written: string; readonly real: string }): boolean {
    const known = this.#known[action];
    return known.real.has(real) && known.written.has(written);
  }

  /** Admits the path of a request, but none of a command, which opens its paths itself. */
  add({ action, path, command }: JudgedRequest): void {
    if (path === undefined || command !== undefined || (action !== "read" && action !== "write")) return;
    this.#known[action].real.add(path.real.absolute);
    // The verdict covered the real path too, so that spelling is admitted as well.
    this.#known[action].written.add(path.written.absolute).add(path.real.absolute);
  }
}
