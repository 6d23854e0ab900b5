import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { maxDelayMs } from "../../shared/max-delay-ms.ts";
import { ModelError } from "../models/model-error.ts";
import type { StepDraft } from "./step-draft.ts";

/** The connection to the model went silent, or its answer broke off or was none; asking again may help. */
export class ModelConnectionLost extends Error {
  override readonly name = "ModelConnectionLost";
}

/**
 * Asks the model and puts what it says into the draft as it comes. Rejects when the model could not be asked, failed on
 * the way, broke off, went silent, or the signal ended it; the draft then has what there was.
 */
export async function streamStep(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions & { readonly abortSignal: AbortSignal },
  { draft, silenceMs }: { draft: StepDraft; silenceMs: number },
): Promise<void> {
  const { abortSignal: caller } = options;
  caller.throwIfAborted();
  const ending = new AbortController();
  const { signal: ended } = ending;
  // Ends what is being waited for, also where the provider does not look at the signal.
  let letGo = () => {};
  const end = (reason: unknown) => {
    ending.abort(reason);
    letGo();
  };
  const onCallerAbort = () => end(caller.reason);
  caller.addEventListener("abort", onCallerAbort, { once: true });
  let contentType = "";
  const timer = setTimeout(() => end(silent(silenceMs)), Math.min(silenceMs, maxDelayMs));
  try {
    const asking = ask(model, { ...options, abortSignal: ended });
    const asked = await new Promise<Awaited<typeof asking>>((resolve, reject) => {
      letGo = () => {
        reject(ended.reason);
        // A stream that comes too late is wanted by nobody.
        asking.then(({ stream }) => stream.cancel()).catch(() => {});
      };
      asking.then(resolve, reject);
    });
    contentType = asked.response?.headers?.["content-type"] ?? "";
    const reader = asked.stream.getReader();
    letGo = () => void reader.cancel(ended.reason).catch(() => {});
    try {
      for (;;) {
        const { done, value } = await reader.read();
        ended.throwIfAborted();
        if (done) break;
        timer.refresh();
        draft.add(value);
        if (draft.isFinished || draft.failure !== undefined) break;
      }
    } finally {
      if (draft.isFinished) void letEnd(reader);
      else letGo();
    }
  } catch (error) {
    ended.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    caller.removeEventListener("abort", onCallerAbort);
  }
  if (draft.isEmpty && !draft.isFinished && otherContent.test(contentType))
    throw new ModelError(
      `what answers there is no model: it sent ${contentType} instead of a stream; is the base URL right?`,
    );
  if (draft.failure !== undefined) throw draft.failure.error;
  if (!draft.isFinished) throw new ModelConnectionLost("the answer of the model broke off");
}

/** What comes from a web page, or from a server that does not stream. */
const otherContent = /^(?:text\/html|application\/json)/i;

function silent(silenceMs: number): ModelConnectionLost {
  return new ModelConnectionLost(`the model has said nothing for ${Math.round(silenceMs / 1000)} s`);
}

const endingMs = 1000;

/** The answer is whole, and nobody waits for its stream; one that ends by itself leaves its connection for the next. */
async function letEnd(reader: ReadableStreamDefaultReader): Promise<void> {
  const timer = setTimeout(() => reader.cancel().catch(() => {}), endingMs).unref();
  try {
    while (!(await reader.read()).done);
  } catch {
    // What comes after the end is no part of the answer.
  } finally {
    clearTimeout(timer);
  }
}

async function ask(model: LanguageModelV4, options: LanguageModelV4CallOptions) {
  return model.doStream(options);
}
