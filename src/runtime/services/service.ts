import type { Deadline } from "../../shared/deadline.ts";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import type { Caller } from "../../tool/caller.ts";
import type { QuestionHandler } from "../../tool/services/question.ts";
import type { ToolContext, ToolServices } from "../../tool/tool-context.ts";
import type { FileChange } from "../events/file-change.ts";
import type { ApprovalHandler } from "../policy/approvals/approvals.ts";
import type { Gate } from "../policy/gate.ts";
import type { SandboxProfile } from "../sandbox/sandbox.ts";

/** What a call gets of each: all that its tool's context offers, and the way to ask a person. */
export interface ServiceViews extends ToolServices {
  readonly questions: Pick<ToolContext, "ask">;
}

export type ServiceName = keyof ServiceViews;

/**
 * Something that calls may use. It is opened once for a session and gives each call a view of its own. What holds for all
 * of them is not said here but applied by `call-services.ts`: a call that has ended begins nothing, what acts is refused
 * in a preview, a service that is missing says so.
 */
export interface Service<Name extends ServiceName, Parts, Opened extends OpenService<Name> | undefined> {
  /** What a runtime without it does not offer, for the message. */
  readonly offers: string;
  /**
   * What a preview does not do with it, for the message; `plans` where it can show what it would do, and does nothing.
   * Left out where nothing of it acts.
   */
  readonly inPreview?: "plans" | `a preview ${string}`;
  /** What acts is over soon: a call that has ended waits for it, so that its receipt tells all that was changed. */
  readonly isBrief?: boolean;
  /** Undefined where there is nothing behind it. */
  open(parts: Parts): MaybePromise<Opened>;
}

/** What all of them have in common, whatever they are opened with. */
export type AnyService<Name extends ServiceName = ServiceName> = Service<
  Name,
  never,
  OpenService<Name> | undefined
>;

export interface OpenService<Name extends ServiceName> {
  /** A plain object of methods, which are listed nowhere else; those that change something are marked with `acting`. */
  forCall(gate: Gate, call: ServiceCall): ServiceViews[Name];
  close?(): Promise<void>;
}

/** What a service may know of the call that uses it. */
export interface ServiceCall {
  readonly id: string;
  readonly sessionId: string;
  readonly caller: Caller;
  /** The call's clock, which stands still while a person is waited for. */
  readonly deadline: Deadline;
  readonly isPreview: boolean;
  /** Asked in place of whoever the runtime would ask. */
  readonly onApproval?: ApprovalHandler | undefined;
  readonly onQuestion?: QuestionHandler | undefined;
  /** The other services, as the same call uses them. */
  readonly services: ToolServices;
  /** What others do for the call, and it waits for. */
  readonly delegation: Delegation;
  /** The call's place among those that run at once is another's while a person is waited for. */
  whileSomebodyThinks<Result>(work: () => Promise<Result>): Promise<Result>;
  /** A sandbox stopped a command: asks whether it may run again in a wider one. By whom it was allowed, if anybody did. */
  requestEscalation(profile: SandboxProfile, why: string): Promise<string | undefined>;
  progress(update: unknown): void;
  /** What was changed, or planned in a preview, for the record and for undo. */
  noteChange(change: FileChange): void;
  /** In what bounds a command was started, for the record. */
  noteSandbox(sandbox: string): void;
}

export interface Delegation {
  /** Aborted when the call has ended: nobody waits for it any more. */
  readonly signal: AbortSignal;
  /** Counts the time while the work lasts; it is paid for by those who do it. */
  during<Result>(work: Promise<Result>): Promise<Result>;
}

const acts = Symbol("acts");

/** Marks methods that change something: these very functions, wherever else they may be used. */
export function acting<Methods extends object>(methods: Methods): Methods {
  for (const method of Object.values(methods)) Object.defineProperty(method, acts, { value: true });
  return methods;
}

export function isActing(method: object): boolean {
  return acts in method;
}
