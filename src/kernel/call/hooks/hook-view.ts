import type { Deadline } from "../../../shared/deadline.ts";
import type { Caller } from "../../../tool/caller.ts";
import type { ResolvedCall } from "../call.ts";
import { copyInput } from "../copy-input.ts";
import type { HookCall } from "./hooks.ts";

/** One is made for every hook of every call, so the signal is created only if the hook reads it. */
export class HookView implements HookCall {
  readonly callId: string;
  readonly sessionId: string;
  readonly caller: Caller;
  readonly tool: string;
  readonly name: string;
  readonly input: unknown;
  readonly isExplaining: boolean;
  readonly #deadline: Deadline;
  readonly #written: unknown;

  constructor(call: ResolvedCall, { deadline, isExplaining = false, written }: HookViewOptions) {
    this.callId = call.id;
    this.sessionId = call.host.session.id;
    this.caller = call.caller;
    this.tool = call.resolved.entry.name;
    this.name = call.resolved.spokenName;
    this.input = copyInput(call.input);
    this.isExplaining = isExplaining;
    this.#deadline = deadline;
    this.#written = written ?? call.request.input;
  }

  get written(): unknown {
    return copyInput(this.#written);
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }
}

interface HookViewOptions {
  readonly deadline: Deadline;
  readonly isExplaining?: boolean;
  /** What a hook before it wrote in the place of the caller's input. */
  readonly written: unknown;
}
