import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { CallResult } from "../../../kernel/call/index.ts";
import type { LoggedEvent } from "../../../kernel/events/index.ts";
import { Deadline } from "../../../shared/deadline.ts";
import { createLock } from "../../../shared/lock.ts";
import { defined } from "../../../shared/options/defined.ts";
import { type AgentOptions, checkModel } from "../agent-options.ts";
import type { AgentParts, AgentResult, LogCursor } from "../agent-run.ts";
import type { AnswerFormat } from "../answer-format.ts";
import { compactContext } from "../context/compact-context.ts";
import { openMeter } from "../context/token-meter.ts";
import type { AgentHost } from "../host/agent-host.ts";
import { createInbox, waitForInput } from "../inbox.ts";
import { shownImages } from "../models/model-abilities.ts";
import { createOffers } from "../offers.ts";
import { createRun, runAgent } from "../run-agent.ts";
import { cacheHints, joinProviderOptions } from "../step/call-options.ts";
import { textMessage, type UserMessage } from "../user-message.ts";
import { rebuildTranscript } from "./rebuild-transcript.ts";
import { createTranscript } from "./transcript.ts";

export type Conversation = Awaited<ReturnType<typeof openConversation>>;

/** An agent's conversation in a session, from message to message. */
export async function openConversation(options: AgentOptions, host: AgentHost) {
  const model = wrapped(await resolveModel(options), { options, host });
  // Read once: a prompt that begins otherwise than the one before it costs the provider's cache.
  const notes = options.projectNotes ? await host.notes.ofProject() : [];
  const parts: AgentParts = {
    host,
    options,
    model,
    notes,
    providerOptions: joinProviderOptions(cacheHints(host.cacheKey), options.providerOptions),
    offer: createOffers(options, host, notes),
    transcript: createTranscript(),
    inbox: createInbox(),
    own: { since: 0, runId: "", messages: 0, notes: new Set(notes.map(({ path }) => path)) },
    window: { charactersPerToken: 4, maxSize: Number.POSITIVE_INFINITY },
  };
  // Messages sent while the conversation is being rebuilt are added after it.
  const inOrder = createLock();
  host.control.onMessage(({ text }, finish) =>
    inOrder(async () => {
      if (!(await finish(undefined, { events: [{ type: "user-message", text }] }))) return;
      parts.inbox.add(text);
      parts.own.messages += 1;
    }),
  );
  return {
    run: (
      message: UserMessage | undefined,
      { signal, format }: { readonly signal: AbortSignal; readonly format: AnswerFormat | undefined },
    ): Promise<AgentResult> =>
      takeTurn(parts, signal, async (ending) => {
        await inOrder(() => catchUp(parts));
        await host.agenda.refresh();
        const meter = await openMeter(host, options, { isContinued: message === undefined });
        if (message !== undefined && message.images.length > 0) checkImages(model);
        const given = message ?? (await resumeMessage(parts, ending));
        return runAgent(parts, given, { signal: ending, meter, format });
      }),
    followUp: async (id: string, message: string): Promise<CallResult> => {
      // It is a part of the message before, whose budget it uses.
      const meter = await openMeter(host, options, { isContinued: true });
      const input = { agent_id: id, prompt: message, mode: "background" };
      const { name = "agent", onApproval, onQuestion } = options;
      const caller = { kind: "agent", name } as const;
      const [result] = await host.tools.callAll(
        [{ name: host.tools.spawner, input, caller, ...defined({ onApproval, onQuestion }) }],
        meter,
      );
      return result!;
    },
    /** Returns the summary, which the model is shown in place of the conversation so far. */
    compact: ({ signal, focus }: { signal: AbortSignal; focus: string | undefined }): Promise<string> =>
      takeTurn(parts, signal, async (ending) => {
        await inOrder(() => catchUp(parts));
        // It is a part of the message before, whose budget it uses.
        const meter = await openMeter(host, options, { isContinued: true });
        const run = createRun(parts, { runId: parts.own.runId, signal: ending, meter });
        return compactContext(run, { kept: 0, focus });
      }),
    send: (message: string): Promise<void> =>
      inOrder(async () => {
        const written = host.log.append([{ type: "user-message", text: host.redactor.text(message) }]);
        // The message is added before the write ends, so that the model reads messages in the order of the log.
        parts.inbox.add(message);
        parts.own.messages += 1;
        await written;
      }),
  };
}

/**
 * Rebuilds the conversation from the log if other agents have worked in the session since this one last read it, in this
 * process or another, or if it was rewound. No message may be sent to the agent meanwhile.
 */
async function catchUp(parts: AgentParts): Promise<void> {
  const { host, model, inbox, own } = parts;
  const hasOthers = await findOthers(host.past.readLog(own.since), own);
  own.messages = 0;
  if (!hasOthers) return;
  own.notes.clear();
  for (const { path } of parts.notes) own.notes.add(path);
  parts.transcript = await rebuildTranscript(noteGiven(host.past.readConversation(own.since + 1), own), {
    imageTypes: shownImages(model),
    readBytes: host.contents.readBytes,
  });
  // These messages are in the log, so the rebuilt conversation has them already.
  inbox.take();
}

/** Collects the notes that the conversation quotes, which are not given again, while it passes its events on. */
async function* noteGiven(
  conversation: AsyncIterable<LoggedEvent>,
  { notes }: LogCursor,
): AsyncGenerator<LoggedEvent> {
  for await (const event of conversation) {
    if (event.type === "context-compact") notes.clear();
    if (event.type === "reminder-message") for (const { path } of event.notes ?? []) notes.add(path);
    yield event;
  }
}

/** Whether others have worked in the session. Reads the whole log, so that the conversation is then read just as far. */
async function findOthers(log: AsyncIterable<LoggedEvent>, own: LogCursor): Promise<boolean> {
  let messages = 0;
  let hasOthers = false;
  for await (const event of log) {
    own.since = event.sequence;
    const isOthers = "runId" in event && event.runId !== own.runId;
    if (isOthers || conversationTurns.has(event.type)) hasOthers = true;
    if (event.type === "user-message") messages += 1;
  }
  return hasOthers || messages !== own.messages;
}

const conversationTurns: ReadonlySet<LoggedEvent["type"]> = new Set([
  "conversation-rewind",
  "conversation-fork",
]);

async function resolveModel({ model, baseUrl }: AgentOptions): Promise<LanguageModelV4> {
  if (typeof model !== "string") return model;
  const { findModel } = await import("../models/find-model.ts");
  return findModel(model, { baseUrl });
}

function wrapped(
  model: LanguageModelV4,
  { options: { wrapModel }, host: { sessionId } }: Pick<AgentParts, "options" | "host">,
): LanguageModelV4 {
  if (wrapModel === undefined) return model;
  const other = wrapModel(model, { sessionId });
  checkModel(other);
  return other;
}

function checkImages({ specificationVersion, modelId }: LanguageModelV4): void {
  // Older versions of the interface represent images differently.
  if (String(specificationVersion) === "v4") return;
  throw new TypeError(`agent: ${modelId} cannot be shown images: its provider is of an older version`);
}

/** Holds the session's turn during the work; a session that closes ends the work first. */
async function takeTurn<Result>(
  { host }: AgentParts,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { turn, openCalls } = host.control;
  if (openCalls.closeReason !== undefined) throw new Error("the session is closed");
  const giveBack = turn.take();
  const deadline = new Deadline(signal);
  openCalls.add(deadline);
  try {
    return await work(deadline.signal);
  } finally {
    giveBack();
    deadline.close();
    openCalls.delete(deadline);
  }
}

/**
 * The message for a model that is run without one. Throws unless the model has something to answer, was cut short, or
 * has a sub-agent to wait for.
 */
async function resumeMessage(parts: AgentParts, signal: AbortSignal): Promise<UserMessage | undefined> {
  const { transcript, inbox } = parts;
  if (transcript.isModelsTurn || !inbox.isEmpty) return undefined;
  if (transcript.isBrokenOff) return textMessage("Continue where you stopped.");
  if ((await waitForInput(parts, { signal })) !== "none") return undefined;
  throw new Error("there is nothing to continue; give the agent a message");
}
