import { sha256 } from "../../shared/crypto.ts";
import { after, type MaybePromise } from "../../shared/maybe-promise.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import { type Asked, CallJudge, type Declared, type GatedCall, lookAt, pathForPeople } from "./call-judge.ts";
import { OpenGate } from "./open-gate.ts";
import { findChanged, type SeenState } from "./paths/seen-state.ts";
import type { Policy } from "./policy.ts";
import type { Rules } from "./rules/rule.ts";
import type { Verdict } from "./verdict.ts";

/**
 * The gate of one call. What its tool declares is judged, shown to a person if they have to approve it, and let through;
 * from then on services ask `services`. A class for speed: every call creates one.
 */
export class CallGate {
  /** The part of the gate that services ask while the call runs. */
  readonly services: OpenGate;
  readonly #policy: Policy;
  readonly #judging: CallJudge;
  #state: GateState = { is: "closed" };

  constructor(policy: Policy, call: GatedCall) {
    this.#policy = policy;
    this.#judging = new CallJudge(policy, call);
    this.services = new OpenGate(policy, call, this.#judging);
  }

  /**
   * The verdict of floor, rules, hook and mode on everything the tool declares, including the content of declared
   * folders, so that a person is asked only once.
   */
  judge(
    declared: readonly PermissionRequest[],
    { opaque, hook }: Omit<Asked, "requests">,
  ): MaybePromise<Verdict> {
    const asked = { requests: this.#withDatabases(declared), opaque, hook };
    return after(this.#policy.refresh?.(), () => this.#judgeNow(asked));
  }

  /** Replaces requests for a database, which a tool knows by its name only, by requests for its file or host. */
  #withDatabases(requests: readonly PermissionRequest[]): readonly PermissionRequest[] {
    if (!requests.some(({ database }) => database !== undefined)) return requests;
    return requests.flatMap((request) =>
      request.database === undefined
        ? request
        : (this.#policy.databaseRequests?.(request) ?? { action: request.action }),
    );
  }

  #judgeNow(asked: Asked): MaybePromise<Verdict> {
    return after(this.#judging.judgeWithTrees(asked), (declared) => {
      this.#state = { is: "judged", asked, declared };
      return declared.verdict;
    });
  }

  /** Whether these rules, in place of those in effect, would let the call run without asking. */
  async wouldAllow(rules: Rules): Promise<boolean> {
    const { verdict } = await this.#judging.under(rules).judgeWithTrees(this.#judged.asked);
    return verdict.decision === "allow";
  }

  /**
   * Looks at everything that was judged; called before a person is asked, who then approves the files as they are now.
   */
  async look(): Promise<void> {
    const { is, asked, declared } = this.#judged;
    const seen = await lookAt(declared);
    // A call that is running already asks for more.
    if (is === "open") this.services.unconfirmed = seen;
    else this.#state = { is: "shown", asked, declared, seen };
  }

  /** The state of the files at the last look, to be compared with that which another process has seen. */
  get shownState(): string {
    const shown = this.#state;
    const seen = shown.is === "shown" ? shown.seen : this.services.unconfirmed;
    return sha256(JSON.stringify([...(seen ?? [])].map(([key, { state }]) => [key, state])));
  }

  /**
   * Judges the call again after a wait, by the rules and files as they are now. If the files that were shown have not changed,
   * the gate admits the places that were judged before; otherwise `changed` names a path, and from then on the gate is about
   * the files as they are now.
   */
  async judgeAgain(): Promise<{ readonly verdict: Verdict; readonly changed?: string }> {
    await this.#policy.refresh?.();
    const { asked, declared, seen } = this.#shown;
    const now = await this.#judging.judgeWithTrees(asked);
    const { verdict, standing } = now;
    if (verdict.decision === "deny") return { verdict };
    const changed = findChanged(seen, await lookAt(now));
    if (changed === undefined) {
      this.#state = { is: "shown", asked, declared: { ...declared, standing }, seen };
      return { verdict };
    }
    this.#state = { is: "judged", asked, declared: now };
    return { verdict, changed: pathForPeople(this.#policy, changed) };
  }

  /** Opens the gate for everything that was judged, once it is allowed or approved. */
  open({ isApproved }: { isApproved: boolean }): void {
    const state = this.#state;
    const declared = state.is === "closed" ? undefined : state.declared;
    this.services.open(declared, { isApproved, shown: state.is === "shown" ? state.seen : undefined });
    if (state.is !== "closed") this.#state = { is: "open", asked: state.asked, declared: state.declared };
  }

  get #judged(): Exclude<GateState, { is: "closed" }> {
    if (this.#state.is === "closed") throw new Error("the call has not been judged");
    return this.#state;
  }

  get #shown(): Extract<GateState, { is: "shown" }> {
    if (this.#state.is !== "shown") throw new Error("nothing has been shown");
    return this.#state;
  }
}

type GateState =
  | { readonly is: "closed" }
  | { readonly is: "judged"; readonly asked: Asked; readonly declared: Declared }
  | { readonly is: "shown"; readonly asked: Asked; readonly declared: Declared; readonly seen: SeenState }
  | { readonly is: "open"; readonly asked: Asked; readonly declared: Declared };
