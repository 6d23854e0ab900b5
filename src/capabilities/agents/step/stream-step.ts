import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { maxDelayMs } from "../../../shared/deadline.ts";
import { ModelError } from "../models/model-error.ts";
import type { StepDraft } from "./step-draft.ts";

/** The model went silent, or its answer was cut short or empty; asking again may help. */
export class ModelConnectionLost extends Error {
  override readonly name = "ModelConnectionLost";
}

/**
 * Asks the model and adds its answer to the draft as it arrives. Rejects when the request fails, the answer is cut short,
 * the model goes silent or the signal aborts; the draft then holds the parts that had arrived.
 */
export async function streamStep(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions & { readonly abortSignal: AbortSignal },
  { draft, silenceMs = defaultSilenceMs }: { draft: StepDraft; silenceMs: number | undefined },
): Promise<void> {
  const { abortSignal: caller } = options;
  caller.throwIfAborted();
  const ending = new AbortController();
  const { signal: ended } = ending;
  // Ends the current wait even if the provider ignores the signal.
  let release = () => {};
  const end = (reason: unknown) => {
    ending.abort(reason);
    release();
  };
  const onCallerAbort = () => end(caller.reason);
  caller.addEventListener("abort", onCallerAbort, { once: true });
  let contentType = "";
  const timer = setTimeout(() => end(silent(silenceMs)), Math.min(silenceMs, maxDelayMs));
  try {
    const asking = ask(model, { ...options, abortSignal: ended });
    const asked = await new Promise<Awaited<typeof asking>>((resolve, reject) => {
      release = () => {
        reject(ended.reason);
        // A stream that arrives too late is not read.
        asking.then(({ stream }) => stream.cancel()).catch(() => {});
      };
      asking.then(resolve, reject);
    });
    contentType = asked.response?.headers?.["content-type"] ?? "";
    const reader = asked.stream.getReader();
    release = () => void reader.cancel(ended.reason).catch(() => {});
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
      if (draft.isFinished) void drain(reader);
      else release();
    }
  } catch (error) {
    ended.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    caller.removeEventListener("abort", onCallerAbort);
  }
  if (draft.isEmpty && !draft.isFinished && otherContent.test(contentType))
    throw new ModelError(`the server sent ${contentType} instead of a model's stream; check the base URL`);
  if (draft.failure !== undefined) throw draft.failure.error;
  if (!draft.isFinished) throw new ModelConnectionLost("the model's answer was cut short");
}

/** Content types of web pages and of servers that do not stream. */
const otherContent = /^(?:text\/html|application\/json)/i;

function silent(silenceMs: number): ModelConnectionLost {
  return new ModelConnectionLost(`the model sent nothing for ${Math.round(silenceMs / 1000)} s`);
}

const defaultSilenceMs = 300_000;
const endingMs = 1000;

/** Reads to the end of a complete answer's stream, since a stream that ends by itself leaves its connection reusable. */
async function drain(reader: ReadableStreamDefaultReader): Promise<void> {
  const timer = setTimeout(() => reader.cancel().catch(() => {}), endingMs).unref();
  try {
    while (!(await reader.read()).done);
  } catch {
    // Nothing after the end is part of the answer.
  } finally {
    clearTimeout(timer);
  }
}

async function ask(model: LanguageModelV4, options: LanguageModelV4CallOptions) {
  return model.doStream(options);
}
