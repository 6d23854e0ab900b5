import { leastOutputCharacters } from "../../../kernel/dialects/index.ts";
import type { AgentOptions } from "../agent-options.ts";
import type { AgentRun } from "../agent-run.ts";
import { fitContext } from "./fit-context.ts";

const defaultContextTokens = 128_000;
// The rest is for the answer and for the error of the estimate.
const promptShare = 0.8;
const leastPromptShare = 0.25;

/** Whether the prompt would leave the model's answer too little space. */
export function isContextFull(run: AgentRun): boolean {
  return run.offered.size + run.transcript.size > maxPromptSize(run);
}

// The shares of the prompt that the output of one call, and of all calls of a step, may take.
const callShare = 0.125;
const stepShare = 0.5;

/** How much text the model gets of each call of a step, so that none of them has to be removed again to fit. */
export function maxOutputCharacters(run: AgentRun, calls: number): number {
  const share = Math.min(callShare, stepShare / calls);
  return Math.max(leastOutputCharacters, Math.floor(maxPromptSize(run) * share));
}

/** Limit for the prompt, in characters. */
export function maxPromptSize({ window, options }: AgentRun): number {
  return Math.min(window.maxSize, promptTokens(options) * window.charactersPerToken);
}

/** Limit for the prompt that leaves space for the longest answer allowed. */
function promptTokens({ contextTokens = defaultContextTokens, maxOutputTokens = 0 }: AgentOptions): number {
  const besideAnswer = Math.max(contextTokens - maxOutputTokens, contextTokens * leastPromptShare);
  return Math.min(besideAnswer, contextTokens * promptShare);
}

/** Removes a good part of the prompt and remembers that its size was too large. False if nothing more can go. */
export async function trimAfterOverflow(run: AgentRun): Promise<boolean> {
  const { window, transcript, offered } = run;
  window.maxSize = (offered.size + transcript.size) * promptShare;
  return trimContext(run, window.maxSize);
}

/**
 * Removes old content from a prompt that is too long; false if it removes nothing. It logs all that it removes, so that a
 * conversation rebuilt from the log looks the same.
 */
export async function trimContext(run: AgentRun, maxSize = maxPromptSize(run)): Promise<boolean> {
  const { transcript, host, offered, runId } = run;
  const keepOutput = (text: string) => host.contents.keepOutput(host.redactor.text(text));
  const trimmed = await fitContext(transcript, { maxSize, fixedSize: offered.size, keepOutput });
  if (trimmed === undefined) return false;
  const { cutMessages, masked, droppedSteps, droppedMessages } = trimmed;
  if (cutMessages.length + masked.length + droppedSteps + droppedMessages === 0) return false;
  await host.log.append([{ type: "context-trim", runId, ...trimmed }]);
  return true;
}
