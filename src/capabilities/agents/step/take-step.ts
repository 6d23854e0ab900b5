import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { asFields } from "../../../formats/index.ts";
import type { AssistantPart } from "../../../kernel/events/index.ts";
import { defined } from "../../../shared/options/defined.ts";
import type { StreamRedactor } from "../../../shared/secrets/redact-stream.ts";
import { traced } from "../../../shared/tracing/traced.ts";
import type { AgentRun } from "../agent-run.ts";
import { createHiddenImages, type HiddenImages, isRefusal } from "../context/hidden-images.ts";
import { usageAttributes } from "../context/token-usage.ts";
import { trimAfterOverflow } from "../context/trim-context.ts";
import type { AgentHost } from "../host/agent-host.ts";
import { enforcedFormat, modelNameOf, spend, toCallOptions } from "./call-options.ts";
import { describeModelError } from "./describe-model-error.ts";
import { createStepDraft, type DraftListener, type ModelReply, wordsOfReply } from "./step-draft.ts";
import { ModelConnectionLost, streamStep } from "./stream-step.ts";
import { withRetries } from "./with-retries.ts";

/** Asks the model, with retries, and logs its reply before any of its calls run. */
export async function takeStep(run: AgentRun): Promise<ModelReply> {
  run.steps += 1;
  const { host, runId, steps: step } = run;
  host.spending.check(modelNameOf(run));
  host.log.note({ type: "step-start", runId, step });
  const giveBack = reserve(run);
  try {
    const said = await askWithinContext(run);
    learnScale(run, said);
    await record(run, said);
    return said;
  } finally {
    giveBack();
  }
}

/** Reserves the tokens of a step, so that agents of one tree that ask at the same time cannot spend the same ones. */
function reserve(run: AgentRun): () => void {
  const { host, meter, options, offered, transcript, window } = run;
  const outputTokens = options.maxOutputTokens;
  // Without a limit on the answer, reserving all that is left would block every other agent meanwhile.
  if (outputTokens === undefined) return () => {};
  const inputTokens = Math.ceil((offered.size + transcript.size) / window.charactersPerToken);
  const needed = { inputTokens, outputTokens, cachedInputTokens: 0 };
  const giveBack = [
    host.spending.reserve(modelNameOf(run), needed),
    meter.reserve(inputTokens + outputTokens),
  ];
  run.reserved = outputTokens;
  return () => {
    run.reserved = 0;
    for (const each of giveBack) each();
  };
}

// Each refusal removes a good part of the prompt; one that is still refused after that has another cause.
const maxRefusals = 3;

/** Asks again without the parts that the provider refuses as too long or unreadable, since prompt sizes are only estimated. */
async function askWithinContext(run: AgentRun): Promise<ModelReply> {
  const images = createHiddenImages(run);
  for (let refusals = 0; ; refusals += 1) {
    try {
      const said = await askWithRetries(run);
      await images.keepHidden();
      return said;
    } catch (error) {
      const mayAskAgain = !run.signal.aborted && refusals < maxRefusals;
      if (mayAskAgain && (await makeFitting(run, { error, refusals, images }))) continue;
      images.showAgain();
      throw error;
    }
  }
}

/** False if nothing can be removed to satisfy the provider. */
async function makeFitting(
  run: AgentRun,
  { error, refusals, images }: { error: unknown; refusals: number; images: HiddenImages },
): Promise<boolean> {
  if (isContextOverflow(error)) {
    // The provider could read this prompt, so the hidden images stay hidden, and trimming starts from here.
    await images.keepHidden();
    return trimAfterOverflow(run);
  }
  if (!isRefusal(error)) return false;
  return stopEnforcing(run) || images.hide(refusals === 0 ? "last" : "all");
}

/** Asks without the answer's format from now on: some providers refuse some schemas, and the answer is checked in any case. */
function stopEnforcing(run: AgentRun): boolean {
  if (run.answer === undefined || enforcedFormat(run) === undefined) return false;
  run.answer.isEnforced = false;
  return true;
}

function askWithRetries(run: AgentRun): Promise<ModelReply> {
  const { host, runId, steps: step, options, signal } = run;
  const callOptions = toCallOptions(run);
  return withRetries(() => askModel(run, callOptions), {
    ...options,
    signal,
    onRetry: ({ attempt, delayMs, error }) => {
      const reason = host.redactor.text(describeModelError(error));
      const retry = { attempt, delayMs: Math.round(delayMs), reason };
      host.log.note({ type: "model-retry", runId, step, ...retry });
    },
  });
}

function askModel(
  run: AgentRun,
  callOptions: LanguageModelV4CallOptions & { abortSignal: AbortSignal },
): Promise<ModelReply> {
  const { provider, modelId } = run.model;
  return traced(
    () => ({
      name: `chat ${modelId}`,
      kind: "client",
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": modelId,
      },
    }),
    () => streamAnswer(run, callOptions),
    ({ usage }) => ({ attributes: usageAttributes(usage) }),
  );
}

async function streamAnswer(
  run: AgentRun,
  callOptions: LanguageModelV4CallOptions & { abortSignal: AbortSignal },
): Promise<ModelReply> {
  const { model, transcript, host, runId, steps: step, options } = run;
  const writer = createDeltaWriter(host, { runId, step });
  const draft = createStepDraft(writer, transcript.hasCall);
  try {
    await streamStep(model, callOptions, { draft, silenceMs: options.modelTimeoutMs });
  } catch (error) {
    writer.close();
    if (run.signal.aborted) await recordInterrupted(run, draft.finish());
    throw error;
  }
  writer.close();
  const said = draft.finish();
  checkAnswer(said);
  return said;
}

/** An empty or failed answer must not pass for the end of the work. */
function checkAnswer({ content, finishReason }: ModelReply): void {
  if (finishReason === "error") throw new ModelConnectionLost("the model's answer ended with an error");
  if (content.length > 0 || finishReason === "length" || finishReason === "content-filter") return;
  throw new ModelConnectionLost("the model's answer was empty");
}

// In a short prompt, the provider's own additions would distort the scale.
const leastTellingTokens = 1000;

/** Characters per token depend on the model and the language, so they are learned from the provider's count. */
function learnScale({ window, offered, transcript }: AgentRun, { usage }: ModelReply): void {
  const { inputTokens = 0 } = usage ?? {};
  if (inputTokens < leastTellingTokens) return;
  const promptSize = offered.size + transcript.size;
  window.charactersPerToken = Math.min(8, Math.max(1, promptSize / inputTokens));
}

/** Keeps the text so far, but not the reasoning, which is unsigned yet, nor the calls, which are incomplete. */
async function recordInterrupted(run: AgentRun, said: ModelReply): Promise<void> {
  const content = said.content.filter((part) => part.type === "text");
  if (content.length > 0) await record(run, { content, calls: [], finishReason: "interrupted" });
}

async function record(run: AgentRun, said: ModelReply): Promise<void> {
  const { host, runId, steps: step, transcript } = run;
  const { finishReason, usage } = said;
  const content = said.content.map((part) => maskPart(run, part));
  await host.log.append([
    { type: "assistant-message", runId, step, content, finishReason, ...defined({ usage }) },
  ]);
  transcript.addStep(said.content, finishReason);
  spend(run, usage);
  run.text = wordsOfReply(said.content);
}

/**
 * The model is shown its own words; the log holds them masked. Masked reasoning no longer matches its signature, so it
 * loses that too, and providers that check signatures then ignore it.
 */
function maskPart({ host: { redactor } }: AgentRun, part: AssistantPart): AssistantPart {
  if (part.type === "tool-call") return { ...part, input: redactor.value(part.input) };
  const text = redactor.text(part.text);
  return text === part.text ? part : { type: part.type, text };
}

/** Whether a provider refused a prompt as too long. Providers share no error code for this, so the words must do. */
export function isContextOverflow(error: unknown): boolean {
  const { statusCode, message, responseBody, code, error: inner } = asFields(error) ?? {};
  if (statusCode !== undefined && statusCode !== 400 && statusCode !== 413) return false;
  const said = [message, responseBody, code].some(
    (text) => typeof text === "string" && overflows.some((words) => words.test(text)),
  );
  // An error within a stream is nested like this.
  return said || (inner !== error && asFields(inner) !== undefined && isContextOverflow(inner));
}

const overflows = [
  /context[_ ](?:length|window|limit|size)/i,
  /(?:prompt|input) is too long|maximum prompt length/i,
  /request too large|request exceeds the maximum size/i,
  /maximum (?:number of )?(?:context|input tokens|tokens allowed)/i,
  /input tokens exceed|reduce the length of the messages/i,
];

// Short enough to follow live, long enough not to flood the log.
const pauseMs = 50;

type DeltaType = "text-delta" | "reasoning-delta";

/** Logs the model's words as they arrive, several pieces at a time, with secrets masked. `close` writes the rest. */
function createDeltaWriter(
  { log, redactor }: Pick<AgentHost, "log" | "redactor">,
  place: { readonly runId: string; readonly step: number },
): DraftListener & { close(): void } {
  let open: { readonly type: DeltaType; readonly redact: StreamRedactor } | undefined;
  let text = "";
  let call: Parameters<DraftListener["onInput"]>[0] | undefined;
  let timer: NodeJS.Timeout | undefined;

  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    if (open !== undefined && text !== "") log.note({ type: open.type, ...place, text });
    text = "";
    if (call !== undefined) log.note({ type: "call-draft", ...place, ...call });
    call = undefined;
  };
  const writeSoon = () => {
    timer ??= setTimeout(write, pauseMs);
  };
  const endText = () => {
    if (open === undefined) return;
    text += open.redact.finish();
    write();
    open = undefined;
  };

  return {
    onText(kind, piece) {
      const type: DeltaType = `${kind}-delta`;
      if (open?.type !== type) {
        endText();
        open = { type, redact: redactor.stream() };
      }
      text += open!.redact.add(piece);
      writeSoon();
    },
    onTextEnd: endText,
    onInput(drafted) {
      if (call !== undefined && call.toolCallId !== drafted.toolCallId) write();
      call = drafted;
      writeSoon();
    },
    close() {
      endText();
      write();
    },
  };
}
