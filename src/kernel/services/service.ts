import type { SandboxProfile } from "../../machine/sandbox/index.ts";
import type { Deadline } from "../../shared/deadline.ts";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import type { Caller } from "../../tool/caller.ts";
import type { QuestionHandler } from "../../tool/services/question.ts";
import type { ToolServices } from "../../tool/tool-context.ts";
import type { FileChange, Noted } from "../events/index.ts";
import type { ApprovalHandler } from "../people/index.ts";
import type { Gate, SecretTarget } from "../policy/index.ts";
import type { MethodKeys } from "./method-keys.ts";
import type { ServiceName, ServiceViews } from "./service-views.ts";

export { methodKeys } from "./method-keys.ts";

/** All services of a runtime, by their names in a tool's context. */
export type ServiceTable = { readonly [Name in ServiceName]?: AnyService<Name> };

/**
 * Something that calls may use. It is opened once per session and gives each call its own view. `call-services.ts`
 * enforces the rules for all services: an ended call starts nothing, a preview refuses methods that act, and a missing
 * service throws.
 */
export interface Service<Name extends ServiceName, Parts, Opened extends OpenService<Name> | undefined> {
  /** What the service does, for the message "this runtime does not support …". */
  readonly offers: string;
  /** The keys of the objects that its methods take. Absent if they take none. */
  readonly keys?: MethodKeys;
  /**
   * Message when a preview uses a method that acts; `plans` if the service can show what it would do without doing it.
   * Omitted if no method acts.
   */
  readonly inPreview?: "plans" | `a preview ${string}`;
  /** Whether its actions are short: the end of a call waits for them, so that the receipt records every change. */
  readonly isBrief?: boolean;
  /** It confirms itself that the session is still ours, at the moment in which a change takes effect. */
  readonly confirmsOwner?: boolean;
  /** Undefined if the runtime does not have the service. */
  open(parts: Parts): MaybePromise<Opened>;
}

/** Any service, whatever it is opened with. */
export type AnyService<Name extends ServiceName = ServiceName> = Service<
  Name,
  never,
  OpenService<Name> | undefined
>;

export interface OpenService<Name extends ServiceName> {
  /** Returns a plain object of methods; those that change something must be marked with `acting`. */
  forCall(gate: Gate, call: ServiceCall): ServiceViews[Name];
  close?(): Promise<void>;
}

/** What a service knows of the call that uses it. */
export interface ServiceCall {
  readonly id: string;
  readonly sessionId: string;
  readonly caller: Caller;
  /** The call's clock, which is paused while waiting for a person. */
  readonly deadline: Deadline;
  readonly isPreview: boolean;
  /** The caller's tools take only absolute paths, so it is shown no others. */
  readonly showsAbsolutePaths: boolean;
  /** Asked instead of the runtime's own handler. */
  readonly onApproval?: ApprovalHandler | undefined;
  readonly onQuestion?: QuestionHandler | undefined;
  /** The values of the secrets that the call may use here, by name. */
  readonly secrets?: ReadonlyMap<string, string> | undefined;
  /** Throws if the call has a secret that may not be sent there. */
  holdSecrets?(target: SecretTarget): void;
  /** The other services, as the same call uses them. */
  readonly services: ToolServices;
  /** Work that others do for the call while it waits. */
  readonly delegation: Delegation;
  /** Gives up the call's slot for running while it waits for a person. */
  whileSomebodyThinks<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Asks whether a command stopped by its sandbox may run again in a wider one. Returns who approved, if anyone did. */
  requestEscalation(profile: SandboxProfile, why: string): Promise<string | undefined>;
  /**
   * Asks a person whether the call may go on; undefined if no person can be asked. `asking` names the part that asks.
   */
  requestConsent(asking: string, reason: string): Promise<Consent | undefined>;
  progress(update: unknown): void;
  /** The fields of the receipt that capabilities have declared, as far as noted. */
  readonly noted: Noted;
  /** Records a change, or a planned one in a preview, for the receipt and for undo. */
  noteChange(change: FileChange): void;
  /** Records a host that the call has connected to. */
  noteHost(host: string): void;
}

/** A person's answer. */
export interface Consent {
  readonly decision: "allow" | "deny";
  readonly by: string;
  readonly note?: string;
}

export interface Delegation {
  /** Aborted when the call ends, so that no caller waits for the work any more. */
  readonly signal: AbortSignal;
  /** Awaits the work. The call is not charged for this time, because the sub-agents' own calls are. */
  during<Result>(work: Promise<Result>): Promise<Result>;
}

const acts = Symbol("acts");

/** Marks methods that change something. The functions themselves are marked, wherever else they are used. */
export function acting<Methods extends object>(methods: Methods): Methods {
  for (const method of Object.values(methods)) Object.defineProperty(method, acts, { value: true });
  return methods;
}

export function isActing(method: object): boolean {
  return acts in method;
}
