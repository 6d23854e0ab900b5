import type { TokenUsage } from "../../runtime/events/agent-event.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { AgentEndReason } from "../../tool/services/agents.ts";
import { createChildTranslators } from "./child-translators.ts";
import { createTranslator, type EventTranslator } from "./event-translator.ts";
import { createPassages, type DeltaEvent, type Passage } from "./passages.ts";
import { createRequestedCalls, type RequestedCall } from "./requested-calls.ts";

/** Who Eko's messages say it was. */
export interface EkoSender {
  readonly taskId: string;
  readonly agentName: string;
  readonly nodeId: string;
}

/** A message as Eko's callbacks get it. */
export type EkoMessage = EkoSender & {
  readonly streamType: "agent";
  readonly type: string;
  readonly [field: string]: unknown;
};

/**
 * The log as the stream messages of Eko's callback. Texts grow under one stream id until the last one is done. Agents that
 * were spawned are nodes of their own.
 */
export function createEkoMessages(sender: EkoSender): EventTranslator<EkoMessage> {
  return createMessages(sender, { isChild: false });
}

function createMessages(sender: EkoSender, { isChild }: { isChild: boolean }): EventTranslator<EkoMessage> {
  const say = (type: string, fields: object = {}) => sayAs(sender, type, fields);
  // The numbers that tell streams apart are those of one log.
  const streamPrefix = isChild ? `${sender.nodeId}-` : "";
  const sayPassage = ({ kind, id, text }: Passage, streamDone: boolean): EkoMessage => {
    const type = kind === "text" ? "text" : "thinking";
    return say(type, { streamId: `${streamPrefix}${type}-${id}`, streamDone, text });
  };
  const passages = createPassages();
  const onDelta = (event: DeltaEvent) => {
    const { passage, ended } = passages.add(event);
    return [...(ended ? [sayPassage(ended, true)] : []), sayPassage(passage, false)];
  };
  const endPassage = () => passages.end().map((passage) => sayPassage(passage, true));
  const calls = createRequestedCalls();
  /** What running calls have told so far. */
  const told = new Map<string, { readonly streamId: string; text: string }>();
  const { taskId } = sender;
  const childNames = new Map<string, string>();
  const childSender = (nodeId: string) => ({ taskId, agentName: childNames.get(nodeId) ?? nodeId, nodeId });
  const children = createChildTranslators((id) => createMessages(childSender(id), { isChild: true }));

  return createTranslator<EkoMessage>({
    // Whoever sent it off tells of its beginning and its end, which come even where it never got to work.
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
    // Eko asks people by callbacks; a message lets whoever looks on know that it waits for one.
    "approval-request": (event) => {
      const { approvalId: permissionId, input: params, reason } = event;
      return say("permission_request", { ...named(calls.find(event)), permissionId, params, reason });
    },
    "call-progress": (event) => {
      const { callId, update, sequence } = event;
      const stream = told.get(callId) ?? { streamId: `${streamPrefix}running-${sequence}`, text: "" };
      told.set(callId, stream);
      const text = textOf(update);
      stream.text += stream.text === "" || stream.text.endsWith("\n") ? text : `\n${text}`;
      const about = named(calls.find(event));
      return say("tool_running", { ...about, text, streamId: stream.streamId, streamDone: false });
    },
    "call-end": ({ callId, receipt, text }) => {
      const stream = told.get(callId);
      const about = named(calls.find(receipt));
      told.delete(callId);
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
  const agentNode = { id, name, ...(task !== undefined && { task }), status: "running" };
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
  const failure = error === undefined ? {} : { error };
  return [
    ...(error === undefined ? [] : [sayAs(sender, "error", failure)]),
    sayAs(sender, "agent_result", { agentNode, result: text, ...failure }),
  ];
}

/** Under the name of older versions and under that of newer ones. */
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

/** Tools tell how far they are in words, with words beside other things, or in any other way. */
function textOf(update: unknown): string {
  if (typeof update === "string") return update;
  if (isPlainObject(update) && typeof update.text === "string") return update.text;
  return JSON.stringify(update) ?? "";
}

function hasFailed(reason: AgentEndReason): boolean {
  return reason === "failed" || reason === "refused" || reason === "interrupted";
}
