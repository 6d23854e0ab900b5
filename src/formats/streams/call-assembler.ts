import { defined } from "../../shared/options/defined.ts";
import { asFields } from "../fields.ts";
import type { FormatName } from "../formats.ts";
import { cutOffProblem, maxArgumentCharacters, readArguments } from "../read-arguments.ts";
import type { MessageStream, ReadCall, StreamedCall, StreamFormat } from "../tool-format.ts";
import { anthropicStream } from "../vendors/anthropic-format.ts";
import { geminiStream } from "../vendors/gemini-format.ts";
import { freeFormProblem, openaiChatStream } from "../vendors/openai-chat-format.ts";
import { openaiResponsesStream } from "../vendors/openai-responses-format.ts";
import { type RepairedJson, repairJson } from "./repair-json.ts";

/** Assembles a streamed message of any vendor. */
export interface CallAssembler {
  add(chunk: unknown): void;
  /** The calls so far, to show them while they are written. */
  calls(): readonly CallInProgress[];
  /** The assembled message, for `session.handle`. */
  finish(): AssembledMessage;
}

export interface CallInProgress {
  readonly id?: string;
  readonly name: string;
  /** The certain part of the arguments so far. */
  readonly input?: unknown;
  readonly isComplete: boolean;
}

export interface AssembledMessage {
  readonly format: FormatName | undefined;
  /** The model's message, as its vendor wants it back in the transcript. */
  readonly message: unknown;
  readonly calls: readonly ReadCall[];
}

export function createCallAssembler(): CallAssembler {
  let opened: { readonly format: FormatName; readonly stream: MessageStream } | undefined;
  const streamedCalls = () => opened?.stream.calls() ?? [];
  return {
    add(chunk) {
      const fields = asFields(chunk);
      if (fields === undefined) return;
      if (opened === undefined) {
        const [format, stream] = streamFormats.find(([, each]) => each.recognises(fields)) ?? [];
        if (format !== undefined && stream !== undefined) opened = { format, stream: stream.open() };
      }
      opened?.stream.add(fields);
    },
    calls: () => streamedCalls().map(toCallInProgress),
    finish: () => ({
      format: opened?.format,
      message: opened?.stream.message(),
      calls: streamedCalls().map(toReadCall),
    }),
  };
}

const streamFormats: readonly (readonly [FormatName, StreamFormat])[] = [
  ["openai", openaiChatStream],
  ["openai-responses", openaiResponsesStream],
  ["anthropic", anthropicStream],
  ["gemini", geminiStream],
];

function toCallInProgress(streamed: StreamedCall): CallInProgress {
  const { arguments: given, hasEnded, isFreeForm, problem: _problem, ...call } = streamed;
  if (isFreeForm) return { ...call, input: given, isComplete: hasEnded };
  if (typeof given !== "string") return { ...call, input: given ?? {}, isComplete: hasEnded };
  const { value, state } = parsePartialJson(given);
  return { ...call, ...defined({ input: value }), isComplete: hasEnded || state === "whole" };
}

/** After a stream that was cut short, only calls with complete arguments can run. */
function toReadCall({ arguments: given, hasEnded, problem, ...call }: StreamedCall): ReadCall {
  if (problem !== undefined) return { ...call, input: given, inputProblem: problem };
  if (call.isFreeForm) return { ...call, input: given, inputProblem: freeFormProblem };
  const isCutOff = !hasEnded && (typeof given !== "string" || given.trim() === "");
  if (isCutOff) return { ...call, input: given, inputProblem: cutOffProblem };
  return { ...call, ...readArguments(given) };
}

export interface PartialJson {
  readonly state: RepairedJson["state"];
  /** The certain part; absent if there is none. */
  readonly value?: unknown;
}

/** Reads a JSON text that may be incomplete, to show it while it is written. Never run a call with the result. */
export function parsePartialJson(text: string): PartialJson {
  if (text.length > maxArgumentCharacters) return { state: "broken" };
  const { state, text: repaired } = repairJson(text);
  return repaired === "" ? { state } : { state, value: JSON.parse(repaired) };
}
