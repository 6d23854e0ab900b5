import type { TokenUsage } from "../../../kernel/events/index.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { defined } from "../../../shared/options/defined.ts";
import type { AgentEndReason } from "../../../tool/services/agents.ts";
import {
  createChildTranslators,
  createPassages,
  createRequestedCalls,
  createTranslator,
  type DeltaEvent,
  type EventTranslator,
  type Passage,
  type RequestedCall,
} from "./event-translator.ts";

/** The sender in Eko's messages. */
export interface EkoSender {
  readonly taskId: string;
  readonly agentName: string;
  readonly nodeId: string;
}

/** A message to Eko's callback. */
export type EkoMessage = EkoSender & {
  readonly streamType: "agent";
  readonly type: string;
  readonly [field: string]: unknown;
};

/**
 * Translates the log into the stream messages of Eko's callback. Texts grow under one stream id until they are done.
 * Sub-agents are separate nodes.
 */
export function createEkoMessages(sender: EkoSender): EventTranslator<EkoMessage> {
  return createMessages(sender, { isChild: false });
}

function createMessages(sender: EkoSender, { isChild }: { isChild: boolean }): EventTranslator<EkoMessage> {
  const say = (type: string, fields: object = {}) => sayAs(sender, type, fields);
  // Stream numbers are unique only within one log.
  const streamPrefix = isChild ? `${sender.nodeId}-` : "";
  const sayPassage = ({ kind, id, text }: Passage, streamDone: boolean): EkoMessage => {
    const type = kind === "text" ? "text" : "thinking";
    return say(type, { streamId: `${streamPrefix}${type}-${id}`, streamDone, text });
  };
  const passages = createPassages();
  const onDelta = (event: DeltaEvent) => {
    const { passage, ended } = passages.add(event);
    return [...ended.map((each) => sayPassage(each, true)), sayPassage(passage, false)];
  };
  const endPassage = () => passages.end().map((passage) => sayPassage(passage, true));
  const calls = createRequestedCalls();
  /** Progress of running calls so far. */
  const progress = new Map<string, { readonly streamId: string; text: string }>();
  const { taskId } = sender;
  const childNames = new Map<string, string>();
  const childSender = (nodeId: string) => ({ taskId, agentName: childNames.get(nodeId) ?? nodeId, nodeId });
  const children = createChildTranslators((id) => createMessages(childSender(id), { isChild: true }));

  return createTranslator<EkoMessage>({
    // A child's start and end are reported by its parent's events, which exist even if the child never started to work.
    "agent-start": () => (isChild ? [] : startOf(sender)),
    "text-delta": onDelta,
    "reasoning-delta": onDelta,
    "call-draft": ({ toolName, toolCallId, characters }) => [
      ...endPassage(),
      say("tool_streaming", { ...named({ toolName, toolCallId }), paramsText: "", characters }),
    ],
    "model-retry": endPassage,
    "assistant-message": (event) => [
      ...passages.finish(event).map(({ passage }) => sayPassage(passage, true)),
      ...event.content.flatMap((part) => {
        calls.add(part);
        if (part.type !== "tool-call") return [];
        return [
          say("tool_streaming", { ...named(part), paramsText: JSON.stringify(part.input) }),
          say("tool_use", { ...named(part), params: part.input }),
        ];
      }),
      say("finish", { finishReason: event.finishReason, usage: usageOf(event.usage) }),
    ],
    // Eko asks people by callbacks; this message lets observers know that the call is waiting.
    "approval-request": (event) => {
      const { approvalId: permissionId, input: params, reason } = event;
      return say("permission_request", { ...named(calls.find(event)), permissionId, params, reason });
    },
    "call-progress": (event) => {
      const { callId, update, sequence } = event;
      const stream = progress.get(callId) ?? { streamId: `${streamPrefix}running-${sequence}`, text: "" };
      progress.set(callId, stream);
      const text = textOf(update);
      stream.text += stream.text === "" || stream.text.endsWith("\n") ? text : `\n${text}`;
      const about = named(calls.find(event));
      return say("tool_running", { ...about, text, streamId: stream.streamId, streamDone: false });
    },
    "call-end": ({ callId, receipt, text }) => {
      const stream = progress.get(callId);
      const about = named(calls.find(receipt));
      progress.delete(callId);
      calls.end(callId);
      const toolResult = { content: [{ type: "text", text }], isError: receipt.status !== "done" };
      return [
        ...(stream ? [say("tool_running", { ...about, ...stream, streamDone: true })] : []),
        say("tool_result", { ...about, params: receipt.input, toolResult }),
      ];
    },
    "agent-end": (event) => [
      ...endPassage(),
      ...(isChild ? [] : endOf(sender, { ...event, problem: event.error?.message })),
    ],
    "subagent-start": ({ subagentId, kind, title }) => {
      childNames.set(subagentId, kind ?? title);
      return startOf(childSender(subagentId), title);
    },
    "subagent-event": children.translate,
    "subagent-end": (event) => {
      const ended = endOf(childSender(event.subagentId), event);
      children.end(event.subagentId);
      childNames.delete(event.subagentId);
      return ended;
    },
  });
}

function sayAs(sender: EkoSender, type: string, fields: object): EkoMessage {
  return { streamType: "agent", ...sender, type, ...fields };
}

function startOf(sender: EkoSender, task?: string): EkoMessage {
  const { nodeId: id, agentName: name } = sender;
  const agentNode = { id, name, ...defined({ task }), status: "running" };
  return sayAs(sender, "agent_start", { agentNode });
}

interface Ending {
  readonly reason: AgentEndReason;
  readonly text: string;
  readonly problem?: string | undefined;
}

function endOf(sender: EkoSender, { reason, text, problem: error }: Ending): EkoMessage[] {
  const { nodeId: id, agentName: name } = sender;
  const agentNode = { id, name, status: hasFailed(reason) ? "error" : "done" };
  const result = { agentNode, result: text, ...defined({ error }) };
  const ended = sayAs(sender, "agent_result", result);
  return error === undefined ? [ended] : [sayAs(sender, "error", { error }), ended];
}

/** The call's names, with its id under the keys of older and of newer versions of Eko. */
function named({ toolName, toolCallId }: RequestedCall) {
  return { toolName, toolId: toolCallId, toolCallId };
}

function usageOf({ inputTokens = 0, outputTokens = 0 }: Partial<TokenUsage> = {}) {
  return {
    promptTokens: inputTokens,
    completionTokens: outputTokens,
    totalTokens: inputTokens + outputTokens,
  };
}

/** Tools report progress as a string, as an object with a text, or as anything else. */
function textOf(update: unknown): string {
  if (typeof update === "string") return update;
  if (isPlainObject(update) && typeof update.text === "string") return update.text;
  return JSON.stringify(update) ?? "";
}

function hasFailed(reason: AgentEndReason): boolean {
  return reason === "failed" || reason === "refused" || reason === "interrupted";
}
