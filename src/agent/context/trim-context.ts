import type { AgentOptions } from "../agent-options.ts";
import type { AgentRun } from "../agent-run.ts";
import { fitContext } from "./fit-context.ts";

const defaultContextTokens = 128_000;
// The answer needs room too, and what is counted here is an estimate.
const promptShare = 0.8;
const leastPromptShare = 0.25;

/** Leaves out what is old before the model's window is full. */
export async function trimContext(run: AgentRun): Promise<void> {
  const { charactersPerToken, maxSize } = run.window;
  await trim(run, Math.min(maxSize, promptTokens(run.options) * charactersPerToken));
}

/** How much a prompt may be, with room for as long an answer as was asked for. */
function promptTokens({ contextTokens = defaultContextTokens, maxOutputTokens = 0 }: AgentOptions): number {
  const besideAnswer = Math.max(contextTokens - maxOutputTokens, contextTokens * leastPromptShare);
  return Math.min(besideAnswer, contextTokens * promptShare);
}

/** Leaves out a good part of what there is, and remembers that so much was too much. False where nothing more can go. */
export async function trimAfterOverflow(run: AgentRun): Promise<boolean> {
  const { window, transcript, offered } = run;
  window.maxSize = (offered.size + transcript.size) * promptShare;
  return trim(run, window.maxSize);
}

/** On record too, so that the conversation looks the same when it is made again from the log. */
async function trim({ transcript, host, offered, runId }: AgentRun, maxSize: number): Promise<boolean> {
  const keepOutput = (text: string) => host.keepOutput(host.redactor.text(text));
  const trimmed = await fitContext(transcript, { maxSize, fixedSize: offered.size, keepOutput });
  if (trimmed === undefined) return false;
  const { cutMessages, masked, droppedSteps, droppedMessages } = trimmed;
  if (cutMessages.length + masked.length + droppedSteps + droppedMessages === 0) return false;
  await host.log.append([{ type: "context-trim", runId, ...trimmed }]);
  return true;
}
