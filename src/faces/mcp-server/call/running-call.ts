import type { InputRequest, InputRequests } from "@modelcontextprotocol/server";
import type { CallResult } from "../../../kernel/call/index.ts";
import type { CallOptions } from "../../../kernel/runtime/index.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { ElicitationForm } from "./elicitation-form.ts";

export type RunningCall = ReturnType<typeof startCall>;

type Listener = { readonly [Name in "onProgress" | "onLog"]?: CallOptions[Name] | undefined };

export type Step =
  | { readonly kind: "ended"; readonly result: CallResult }
  | { readonly kind: "asks"; readonly inputRequests: InputRequests };

/** What a call needs from the request that runs it. */
export interface RequestContext extends Required<Pick<CallOptions, "signal" | "onProgress" | "onLog">> {
  ask<Answer>(form: ElicitationForm<Answer>, signal: AbortSignal): Promise<Answer>;
}

/** Starts a call that may ask questions: each step ends with its result or with questions to answer first. */
export function startCall(
  perform: (requestContext: RequestContext) => Promise<CallResult>,
  answersAhead: Readonly<Record<string, unknown>>,
) {
  const ending = new AbortController();
  const waiting = new Map<string, WaitingForm>();
  const ahead = new Map(Object.entries(answersAhead));
  let asked = Promise.withResolvers<undefined>();
  let ended: CallResult | undefined;
  let listener: Listener = {};

  const ask = <Answer>(form: ElicitationForm<Answer>, signal: AbortSignal): Promise<Answer> => {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (ended !== undefined) return Promise.reject(nobodyLeft());
    const answered = Promise.withResolvers<Answer>();
    const key = unusedKey(form.key, waiting);
    const show = (problem?: string) => waiting.set(key, { request: form.request(problem), take, giveUp });
    const take = (response: unknown) => {
      const reading = form.read(response);
      if (reading === undefined) return;
      // Without a valid answer, the question stays open; it then names the problem, or shows its next page.
      if ("problem" in reading || "readsOn" in reading) {
        show("problem" in reading ? reading.problem : undefined);
        return;
      }
      remove();
      if ("answer" in reading) answered.resolve(reading.answer);
      else answered.reject(reading.refusal);
    };
    const remove = () => {
      waiting.delete(key);
      signal.removeEventListener("abort", withdraw);
    };
    const giveUp = (reason: unknown = nobodyLeft()) => {
      remove();
      answered.reject(reason);
    };
    const withdraw = () => giveUp(signal.reason);
    signal.addEventListener("abort", withdraw, { once: true });
    show();
    if (form.mayBeAnsweredAhead) take(takeOut(ahead, key));
    asked.resolve(undefined);
    return answered.promise;
  };

  const result = perform({
    signal: ending.signal,
    onProgress: (update) => listener.onProgress?.(update),
    onLog: (entry) => listener.onLog?.(entry),
    ask,
  });
  // Errors are reported by `next`.
  result.then(
    (final) => {
      ended = final;
      for (const { giveUp } of [...waiting.values()]) giveUp();
    },
    () => {},
  );

  return {
    result,
    async next(): Promise<Step> {
      for (;;) {
        if (ended !== undefined) return { kind: "ended", result: ended };
        if (waiting.size > 0) {
          const requests = [...waiting].map(([key, { request }]) => [key, request]);
          return { kind: "asks", inputRequests: Object.fromEntries(requests) };
        }
        asked = Promise.withResolvers();
        await Promise.race([result, asked.promise]);
      }
    },
    /** Answers by the keys of the questions; other keys are ignored. */
    answer(responses: Readonly<Record<string, unknown>>): void {
      for (const [key, { take }] of [...waiting]) {
        if (Object.hasOwn(responses, key)) take(responses[key]);
      }
    },
    /** Cancels the call when the signal aborts. Returns a function that stops this. */
    follow(signal: AbortSignal): () => void {
      const cancel = () => ending.abort(signal.reason);
      if (signal.aborted) cancel();
      signal.addEventListener("abort", cancel, { once: true });
      return () => signal.removeEventListener("abort", cancel);
    },
    /** Replaces the listener for progress and log messages. */
    listen(next: Listener): void {
      listener = next;
    },
    cancel: (reason: Error) => ending.abort(reason),
  };
}

interface WaitingForm {
  readonly request: InputRequest;
  take(response: unknown): void;
  giveUp(): void;
}

/** A background sub-agent outlives the call that spawned it, but can ask no person after that. */
function nobodyLeft(): ToolError {
  return new ToolError("nobody-to-ask", "no person can be asked: the call that started this has ended");
}

/** An answer given in advance is used for only one question. */
function takeOut(answers: Map<string, unknown>, key: string): unknown {
  const answer = answers.get(key);
  answers.delete(key);
  return answer;
}

function unusedKey(wanted: string, used: ReadonlyMap<string, unknown>): string {
  let key = wanted;
  for (let count = 2; used.has(key); count++) key = `${wanted}_${count}`;
  return key;
}
