import type { MaybePromise } from "../../../shared/maybe-promise.ts";
import type { DecisionInput } from "../../policy/index.ts";
import type { Call, ResolvedCall } from "../call.ts";
import type { CallOutcome } from "../call-outcome.ts";

/** What takes part in every call as a hook of the user's does. It names the moments at which it does. */
export interface Stage {
  /** Once the input is as the tool gets it, and before anything is decided. Throwing refuses the call. */
  readonly before?: (call: ResolvedCall) => void;
  /** Asks or denies, where no hook has. */
  readonly rule?: (call: ResolvedCall) => DecisionInput["hook"];
  /** A person wants the call. */
  readonly approved?: (call: ResolvedCall) => void;
  /** The call is allowed, and is about to begin. */
  readonly allowed?: (call: ResolvedCall) => MaybePromise<void>;
  /** Adds to the answer that the caller gets, also for a call that was refused. */
  readonly after?: (call: Call, outcome: CallOutcome) => MaybePromise<CallOutcome>;
}
