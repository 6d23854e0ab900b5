import type { LoggedEventOf } from "../../kernel/events/index.ts";
import { newId } from "../../shared/new-id.ts";
import { defined } from "../../shared/options/defined.ts";
import { ownIdentity } from "../../shared/process-identity.ts";
import { traced } from "../../shared/tracing/traced.ts";
import type { AgentEndReason } from "../../tool/services/agents.ts";
import type { AgentParts, AgentResult, AgentRun } from "./agent-run.ts";
import { type AnswerFormat, describeProblems, renderAnswer } from "./answer-format.ts";
import { summarizeContext } from "./context/compact-context.ts";
import { describeFolderNotes, givenNotes, type ProjectNote } from "./context/project-notes.ts";
import { usageAttributes } from "./context/token-usage.ts";
import { isContextFull, trimContext } from "./context/trim-context.ts";
import type { AgentContents } from "./host/agent-host.ts";
import { waitForInput } from "./inbox.ts";
import { ModelError } from "./models/model-error.ts";
import { answerCalls, repeatSealed } from "./step/answer-calls.ts";
import { describeModelError } from "./step/describe-model-error.ts";
import type { ModelReply } from "./step/step-draft.ts";
import { takeStep } from "./step/take-step.ts";
import type { UserMessage } from "./user-message.ts";

const defaultMaxSteps = 100;

/** The loop: asks the model, runs its calls and gives it their results until there is nothing left to do. */
export function runAgent(
  parts: AgentParts,
  message: UserMessage | undefined,
  options: RunOptions,
): Promise<AgentResult> {
  const { name = "agent" } = parts.options;
  const { provider, modelId } = parts.model;
  return traced(
    () => ({
      name: `invoke_agent ${name}`,
      kind: "internal",
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": name,
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": modelId,
        "gen_ai.conversation.id": parts.host.sessionId,
      },
    }),
    () => loop(parts, message, options),
    ({ reason, usage, error }) => ({
      attributes: { ...usageAttributes(usage), "toolwright.reason": reason },
      error: error && { type: reason, message: error.message },
    }),
  );
}

interface RunOptions extends Pick<AgentRun, "signal" | "meter"> {
  readonly format: AnswerFormat | undefined;
}

async function loop(
  parts: AgentParts,
  message: UserMessage | undefined,
  { signal, meter, format }: RunOptions,
): Promise<AgentResult> {
  const run = createRun(parts, { runId: newId("run"), signal, meter });
  if (format !== undefined) run.answer = { format, isEnforced: true, isCorrected: false };
  const isSpent = message === undefined && (await repeatSealed(run));
  await begin(run, message);
  if (isSpent) return end(run, "budget");
  if (format !== undefined) remind(run, "answer", format.request);
  try {
    for (;;) {
      const stop = findStop(run);
      if (stop !== undefined) return await end(run, stop);
      readInbox(run);
      run.offered = run.offer();
      if (isContextFull(run)) {
        await summarizeContext(run);
        await trimContext(run);
        // Messages that arrived meanwhile precede the step in the log, so the model reads them too.
        readInbox(run);
      }
      addReminders(run);
      if (run.touched.length > 0) await addNotes(run);
      const startedMs = performance.now();
      const said = await takeStep(run);
      const isSpent = await answerCalls(run, said.calls);
      endStep(run, said, startedMs);
      const reason = isSpent ? "budget" : await findEnd(run, said);
      if (reason === "done" && !(await acceptAnswer(run))) continue;
      if (reason !== undefined) return await end(run, reason);
    }
  } catch (error) {
    if (signal.aborted) return end(run, "interrupted");
    return end(run, "failed", { message: run.host.redactor.text(describeModelError(error)) });
  }
}

/** Begins a run; also for an agent's work between two messages. */
export function createRun(
  parts: AgentParts,
  { runId, signal, meter }: Pick<AgentRun, "runId" | "signal" | "meter">,
): AgentRun {
  return {
    ...parts,
    runId,
    signal,
    meter,
    offered: parts.offer(),
    stopsBefore: parts.host.control.countStops(),
    touched: [],
    steps: 0,
    text: "",
  };
}

async function begin(run: AgentRun, message?: UserMessage): Promise<void> {
  const place = await ownIdentity();
  const images = await keepMessageImages(message, run.host.contents);
  // Nothing awaits between here and the append, so that later messages come later here and in the log.
  readInbox(run);
  const { host, runId, options, model, transcript, own, notes } = run;
  own.runId = runId;
  const { name: agent = "agent" } = options;
  const start = {
    type: "agent-start",
    runId,
    agent,
    model: `${model.provider}/${model.modelId}`,
    process: place,
    ...defined({ notes: givenNotes(notes) }),
  } as const;
  if (message === undefined) await host.log.append([start]);
  else {
    transcript.addUser(message.text, message.images);
    own.messages += 1;
    const text = host.redactor.text(message.text);
    await host.log.append([start, { type: "user-message", text, ...defined({ images }) }]);
  }
}

/** Stores a message's images beside the log; undefined if it has none, or the store has no space for them. */
async function keepMessageImages(
  message: UserMessage | undefined,
  { keepBytes }: AgentContents,
): Promise<LoggedEventOf<"user-message">["images"]> {
  const kept: { mimeType: string; name: string }[] = [];
  for (const { mimeType, data } of message?.images ?? []) {
    // The encoded text, not the bytes it stands for: a rebuilt prompt must be identical.
    const name = await keepBytes(Buffer.from(data)).catch(() => undefined);
    if (name !== undefined) kept.push({ mimeType, name });
  }
  return kept.length === 0 ? undefined : kept;
}

/** Whether another step may be taken. */
function findStop({
  host,
  options,
  steps,
  stopsBefore,
  meter,
  signal,
}: AgentRun): AgentEndReason | undefined {
  const { maxSteps = defaultMaxSteps } = options;
  if (signal.aborted || host.control.countStops() > stopsBefore) return "interrupted";
  if (steps >= maxSteps) return "max-steps";
  return meter.isSpent || host.spending.isSpent() ? "budget" : undefined;
}

function readInbox({ inbox, transcript }: AgentRun): void {
  for (const message of inbox.take()) transcript.addUser(message);
}

function endStep({ host, runId, steps: step }: AgentRun, said: ModelReply, startedMs: number): void {
  const durationMs = Math.round(performance.now() - startedMs);
  host.log.note({ type: "step-end", runId, step, durationMs, calls: said.calls.length });
}

/** Whether the step was the last one. */
async function findEnd(run: AgentRun, said: ModelReply): Promise<AgentEndReason | undefined> {
  const { options, steps, text, signal, inbox, meter } = run;
  if (signal.aborted) return "interrupted";
  if (await options.stopWhen?.({ steps, usage: meter.usage, text })) return "stop-condition";
  if (said.calls.length > 0 || !inbox.isEmpty) return undefined;
  if (said.finishReason === "length") return "cut-off";
  if (said.finishReason === "content-filter") return "refused";
  // An agent is not done before its sub-agents are.
  const end = await waitForInput(run, { signal, maxMs: meter.leftMs });
  if (signal.aborted) return "interrupted";
  return ({ input: undefined, none: "done", late: "budget" } as const)[end];
}

/** False if the model has to answer once more, because its answer does not fit. */
async function acceptAnswer(run: AgentRun): Promise<boolean> {
  const { answer, text } = run;
  if (answer === undefined) return true;
  const checked = await answer.format.check(text);
  if (checked.ok) {
    answer.value = checked.value;
    return true;
  }
  const problems = describeProblems(checked);
  if (answer.isCorrected)
    throw new ModelError(`its answer does not fit the schema, also after it was told why: ${problems}`);
  answer.isCorrected = true;
  remind(run, "answer", answer.format.correction(problems));
  return false;
}

async function end(
  { host, runId, steps, meter, text, answer }: AgentRun,
  reason: AgentEndReason,
  error?: { message: string },
): Promise<AgentResult> {
  const masked = host.redactor.text(text);
  const outcome = { reason, steps, usage: meter.usage, ...defined({ error }) };
  const value = answer?.value;
  const logged = value === undefined ? {} : { value: host.redactor.value(renderAnswer(value)) };
  await host.log.append([{ type: "agent-end", runId, ...outcome, text: masked, ...logged }]);
  return { ...outcome, text, ...defined({ value }), sessionId: host.sessionId };
}

/** Adds news as further messages, so that the prompt only ever grows at its end. */
function addReminders(run: AgentRun): void {
  const { host } = run;
  for (const news of host.agenda.takeNews()) remind(run, "agents", news);
  const reminder = host.agenda.takeReminder();
  if (reminder !== undefined) remind(run, "tasks", reminder);
}

/**
 * Adds the notes in the folders of files that the model has just worked on, at the end of the prompt like any reminder.
 */
async function addNotes(run: AgentRun): Promise<void> {
  const { host, options, own, touched } = run;
  run.touched = [];
  if (!options.projectNotes) return;
  const notes = await host.notes.near(touched, (path) => own.notes.has(path));
  if (notes.length === 0) return;
  for (const { path } of notes) own.notes.add(path);
  remind(run, "notes", describeFolderNotes(notes), notes);
}

function remind(
  { host, runId, transcript }: AgentRun,
  about: LoggedEventOf<"reminder-message">["about"],
  message: string,
  notes: readonly ProjectNote[] = [],
): void {
  // Well-formed, because providers refuse lone surrogates.
  const text = host.redactor.text(`[Reminder from Toolwright, not from the user] ${message}`).toWellFormed();
  transcript.addReminder(text);
  host.log.note({ type: "reminder-message", runId, about, text, ...defined({ notes: givenNotes(notes) }) });
}
