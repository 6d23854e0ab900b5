import { asFields } from "../../interop/fields.ts";
import { cutOffProblem, readArguments } from "../../interop/read-arguments.ts";
import { createVendorNames } from "../../interop/vendors/vendor-names.ts";
import type { AssistantCall, ProviderOptions } from "../../runtime/events/agent-event.ts";
import { newId } from "../../shared/new-id.ts";
import { mapStrings } from "../../shared/text/map-strings.ts";

/** A call as the model wrote it, with ids that are its own. */
export interface DraftedCall {
  readonly part: AssistantCall;
  /** What the model called, which may be no name that its provider would take back. */
  readonly name: string;
  readonly input: unknown;
  /** Why what the model wrote cannot be run. */
  readonly inputProblem?: string;
}

/** A call that a model has begun to write. */
export interface GrowingCall {
  readonly type: "tool-call";
  toolCallId: string;
  toolName: string;
  written: string;
  isComplete: boolean;
  providerOptions?: ProviderOptions;
}

/** Whatever the model wrote becomes a call that can be answered, and that every provider takes back. */
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
    // Providers take an object back, whatever the model wrote.
    input: problem === undefined ? (asFields(toWellFormed(input)) ?? {}) : {},
    ...(providerOptions && { providerOptions }),
  };
  return { part, name: toolName, input, ...(problem !== undefined && { inputProblem: problem }) };
}

function readInput(written: string): ReturnType<typeof readArguments> {
  const read = readArguments(written);
  if (!isDeeperThan(maxDepth, read.input)) return read;
  return { input: {}, inputProblem: `the arguments are nested more than ${maxDepth} deep` };
}

// No tool takes more, and what is much deeper can neither be looked through nor written down.
const maxDepth = 100;

function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(depth - 1, inner));
}

/** As providers and servers of open models make them, and take them back. */
function isFitId(id: string): boolean {
  return /^[A-Za-z0-9_.:-]{1,64}$/.test(id);
}

/** Providers refuse a request with half a character in it. */
function toWellFormed(input: unknown): unknown {
  const mend = (text: string) => text.toWellFormed();
  return mapStrings(input, { text: mend, name: mend });
}
