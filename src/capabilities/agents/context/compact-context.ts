import { cutBesideQuotes } from "../../../shared/markdown/cut-beside-quotes.ts";
import { defined } from "../../../shared/options/defined.ts";
import { markAsMaterial } from "../../../shared/text/mark-as-material.ts";
import { oneLine } from "../../../shared/text/one-line.ts";
import type { AgentRun } from "../agent-run.ts";
import { ModelError } from "../models/model-error.ts";
import { modelNameOf, spend, toCallOptions } from "../step/call-options.ts";
import { createStepDraft, type ModelReply, wordsOfReply } from "../step/step-draft.ts";
import { streamStep } from "../step/stream-step.ts";
import { withRetries } from "../step/with-retries.ts";
import type { StepEntry, Transcript, UserEntry } from "../transcript/transcript.ts";
import { maxPromptSize } from "./trim-context.ts";

/** Lets the model summarize a prompt that is too long. If that fails, old content is removed instead. */
export async function summarizeContext(run: AgentRun): Promise<void> {
  const { options, transcript, offered, signal, meter } = run;
  if (!options.summarize || meter.isSpent) return;
  const limit = maxPromptSize(run);
  const size = offered.size + transcript.size;
  // A prompt that is far too long cannot be summarized either.
  if (size > limit * mostShare) return;
  const kept = countKept(transcript, limit * keptShare);
  if (transcript.entries.length - kept < leastEntries) return;
  await compactContext(run, { kept }).catch((error: unknown) => {
    if (signal.aborted) throw error;
  });
}

// The prompt may take four fifths of the context; the summary still has to fit beside it.
const mostShare = 1.15;
// The share of the prompt that the latest steps may take.
const keptShare = 0.2;
const leastEntries = 2;

/** How many of the last entries stay: at least the last, whose calls the model has not read the answers of. */
function countKept({ entries }: Transcript, maxSize: number): number {
  let kept = 1;
  let size = 0;
  for (const entry of entries.toReversed()) {
    size += entry.kind === "user" ? entry.text.length : sizeOf(entry);
    if (size > maxSize) break;
    kept += 1;
  }
  return Math.min(kept, maxKept, entries.length);
}

const maxKept = 7;

function sizeOf({ content, calls }: StepEntry): number {
  return JSON.stringify(content).length + calls.reduce((all, { size }) => all + size, 0);
}

/** Replaces all but the last `kept` entries, and logs that. Returns the summary. */
export async function compactContext(
  run: AgentRun,
  { kept, focus }: { readonly kept: number; readonly focus?: string | undefined },
): Promise<string> {
  const { transcript, host, runId, own } = run;
  if (transcript.entries.length <= kept) throw new Error("there is nothing to summarize yet");
  const said = await askForSummary(run, focus);
  const task = taskOf(transcript);
  const gone = transcript.entries.slice(0, transcript.entries.length - kept);
  const text = host.redactor
    .text(
      [
        heading,
        `The user's first message:\n${cut(task, 8000)}`,
        describeMessages(gone),
        `Summary:\n${markAsMaterial(said.text, "summary")}`,
        describeUnfinished(gone),
        await host.agenda.openWork(),
      ]
        .filter((part) => part !== undefined)
        .join("\n\n"),
    )
    .toWellFormed();
  const { usage } = said;
  const summary = { text, kept, task: host.redactor.text(task) };
  await host.log.append([{ type: "context-compact", runId, ...summary, ...defined({ usage }) }]);
  transcript.compact(summary);
  // The notes of folders were in the messages that are gone, so they are given again where they are needed.
  for (const path of own.notes) if (!run.notes.some((note) => note.path === path)) own.notes.delete(path);
  return text;
}

const heading =
  "[Summary made by Toolwright, not a message of the user: the conversation before it is no longer shown, to save space. Go on from here.]";

/** Asks the model at the end of the same prompt, so that the provider has all of it in its cache. */
async function askForSummary(run: AgentRun, focus?: string) {
  const { model, options, signal, host } = run;
  const call = toCallOptions(run);
  const request = focus === undefined ? summaryRequest : `${summaryRequest} Pay attention to: ${focus}`;
  const prompt = [
    ...call.prompt,
    { role: "user" as const, content: [{ type: "text" as const, text: request }] },
  ];
  const ask = async (): Promise<ModelReply> => {
    const draft = createStepDraft(quiet, () => false);
    await streamStep(model, { ...call, prompt }, { draft, silenceMs: options.modelTimeoutMs });
    return draft.finish();
  };
  host.spending.check(modelNameOf(run));
  const { content, usage } = await withRetries(ask, { ...options, signal });
  spend(run, usage);
  const text = wordsOfReply(content).trim();
  if (text === "") throw new ModelError("the model wrote no summary");
  return { text, usage };
}

const summaryRequest =
  "[From Toolwright, not from the user] The conversation so far will be replaced by a summary, which is all that you will know of it. Write that summary now, and call no tools: the user's wishes, in their words where they matter; the decisions and their reasons; the work that is done, with the paths of files; the findings; the failures; and the next steps.";
const quiet = { onText() {}, onTextEnd() {}, onInput() {} };

/** The person's first message; reminders are not theirs. */
function taskOf({ entries }: Transcript): string {
  const first = entries.find(isOfPerson);
  return first?.task ?? first?.text ?? "";
}

function isOfPerson(entry: Transcript["entries"][number]): entry is UserEntry {
  return entry.kind === "user" && !entry.isReminder;
}

function cut(text: string, maxCharacters: number): string {
  return cutBesideQuotes(text, { maxCharacters, headShare: 0.7 }).text;
}

/** The latest messages in full, which a summary might not do justice to. */
function describeMessages(entries: Transcript["entries"]): string | undefined {
  const [, ...messages] = entries.filter(isOfPerson);
  if (messages.length === 0) return undefined;
  const latest = messages.slice(-latestMessages).map(({ text }) => `- ${cut(text, 2000)}`);
  return `Their latest messages:\n${latest.join("\n")}`;
}

const latestMessages = 3;

function describeUnfinished(entries: Transcript["entries"]): string | undefined {
  const open = entries.flatMap((entry) =>
    entry.kind === "step" ? entry.calls.filter((call) => call.isUnfinished) : [],
  );
  if (open.length === 0) return undefined;
  const lines = open
    .slice(-20)
    .map(({ part: { toolName, input } }) => `- ${toolName} ${oneLine(JSON.stringify(input) ?? "", 200)}`);
  return `Calls that did not run, or whose result is not known:\n${lines.join("\n")}`;
}
