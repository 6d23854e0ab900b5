import { asFields, createVendorNames, cutOffProblem, readArguments } from "../../../formats/index.ts";
import type { AssistantCall, ProviderOptions } from "../../../kernel/events/index.ts";
import { newId } from "../../../shared/new-id.ts";
import { defined } from "../../../shared/options/defined.ts";
import { mapStrings } from "../../../shared/text/map-strings.ts";

/** A call as the model wrote it, with ids that are unique in the transcript. */
export interface DraftedCall {
  readonly part: AssistantCall;
  /** The name the model wrote, which its provider might not accept back. */
  readonly name: string;
  readonly input: unknown;
  /** Why the arguments cannot be used. */
  readonly inputProblem?: string | undefined;
}

/** A call that the model is still writing. */
export interface GrowingCall {
  readonly type: "tool-call";
  toolCallId: string;
  toolName: string;
  written: string;
  isComplete: boolean;
  providerOptions?: ProviderOptions;
}

/** Turns the text that the model wrote into a call that can be answered and that every provider accepts back. */
export function readCall(
  { toolCallId, toolName, written, providerOptions }: GrowingCall,
  { isCutOff, isTaken }: { isCutOff: boolean; isTaken: (toolCallId: string) => boolean },
): DraftedCall {
  const callId = newId("call");
  const { input, inputProblem } = readInput(written);
  const problem = isCutOff ? cutOffProblem : inputProblem;
  const part: AssistantCall = {
    type: "tool-call",
    callId,
    toolCallId: !isFitId(toolCallId) || isTaken(toolCallId) ? callId : toolCallId,
    toolName: createVendorNames([toolName]).toVendor(toolName),
    // Providers accept only an object back, whatever the model wrote.
    input: problem === undefined ? (asFields(toWellFormed(input)) ?? {}) : {},
    ...defined({ providerOptions }),
  };
  return { part, name: toolName, input, inputProblem: problem };
}

function readInput(written: string): ReturnType<typeof readArguments> {
  const read = readArguments(written);
  if (!isDeeperThan(maxDepth, read.input)) return read;
  return { input: {}, inputProblem: `the arguments are nested more than ${maxDepth} levels deep` };
}

// No tool needs more, and values nested far deeper overflow the stack when they are walked or serialised.
const maxDepth = 100;

function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(depth - 1, inner));
}

/** Whether providers and servers of open models accept the id back. */
function isFitId(id: string): boolean {
  return /^[A-Za-z0-9_.:-]{1,64}$/.test(id);
}

/** Providers refuse a request with a lone surrogate in it. */
function toWellFormed(input: unknown): unknown {
  const mend = (text: string) => text.toWellFormed();
  return mapStrings(input, { text: mend, name: mend });
}
