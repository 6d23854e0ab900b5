import type { AgentContext, PlanEntry, SessionUpdate, ToolCallStatus } from "@agentclientprotocol/sdk";
import { type LoggedEvent, type LoggedEventOf, progressText } from "../../kernel/events/index.ts";
import type { Session } from "../../kernel/runtime/index.ts";
import { escapeControls, escapeLine } from "../../shared/text/escape-controls.ts";
import { oneLine } from "../../shared/text/one-line.ts";
import type { Task, TaskStatus } from "../../tool/services/tasks.ts";
import type { ToolCallView } from "./tool-call-view.ts";

/** Tells the editor the events of a session, in the order of its log. */
export async function followSession(
  session: Session,
  { client, mapper }: { client: Pick<AgentContext, "notify">; mapper: UpdateMapper },
) {
  const since = await session.bookmark();
  let told = since;
  let failure: { readonly error: unknown } | undefined;
  let news = Promise.withResolvers<void>();
  const tellNews = () => {
    news.resolve();
    news = Promise.withResolvers();
  };
  const send = (update: SessionUpdate) => client.notify("session/update", { sessionId: session.id, update });
  const tellPlan = async () => {
    await send({ sessionUpdate: "plan", entries: (await session.tasks.list()).map(toEntry) });
  };

  const watch = async () => {
    for await (const event of session.events({ since })) {
      for (const update of mapper.map(event)) await send(update);
      if (event.type === "todo-change") await tellPlan();
      told = event.sequence;
      tellNews();
    }
  };
  watch()
    .catch((error: unknown) => {
      failure = { error };
    })
    .finally(() => {
      // Nothing more is sent, so waiting for it must end.
      told = Number.POSITIVE_INFINITY;
      tellNews();
    });

  return {
    tellPlan,
    /** Resolves when the editor was told of every event so far. */
    async catchUp(): Promise<void> {
      const last = await session.bookmark();
      while (told < last) await news.promise;
      if (failure !== undefined) throw failure.error;
    },
    /** Sends the whole past, for an editor that shows the conversation again. */
    async replay(): Promise<void> {
      if (since === 0) return;
      for await (const event of session.conversation()) {
        if (event.sessionId === session.id && event.sequence > since) break;
        for (const update of mapper.map(event, { isReplay: true })) await send(update);
      }
      if ((await session.tasks.list()).length > 0) await tellPlan();
    },
  };
}

function toEntry({ title, status }: Task): PlanEntry {
  return { content: escapeLine(title), priority: "medium", status: statuses[status] };
}

/** The protocol's statuses. It has none for failed and cancelled entries, on which no agent works any more. */
const statuses = {
  pending: "pending",
  in_progress: "in_progress",
  done: "completed",
  failed: "completed",
  cancelled: "completed",
} satisfies Record<TaskStatus, PlanEntry["status"]>;

type UpdateMapper = ReturnType<typeof createUpdateMapper>;

/** Turns a session's events into the updates for an editor. */
export function createUpdateMapper(view: ToolCallView, { contextTokens }: { contextTokens: number }) {
  /** Calls that the editor was told of. */
  const known = new Set<string>();
  /** The output so far of calls that are running. */
  const printed = new Map<string, { text: string; toldAt: number }>();
  let expected = 0;

  const announce = (callId: string, name: string, input: unknown, agent?: string): SessionUpdate[] => {
    if (known.has(callId)) return [];
    known.add(callId);
    return [
      {
        sessionUpdate: "tool_call",
        toolCallId: callId,
        title: view.title(name, input, agent),
        kind: view.kindOf(name),
        status: "pending",
        locations: view.locations(input),
        rawInput: input,
      },
    ];
  };
  const mapCall = (event: LoggedEvent, agent?: string): SessionUpdate[] => {
    switch (event.type) {
      case "approval-request":
      case "call-start": {
        const { callId, tool, calledAs = tool, input } = event;
        const status = event.type === "call-start" ? "in_progress" : "pending";
        return [
          ...announce(callId, calledAs, input, agent),
          { sessionUpdate: "tool_call_update", toolCallId: callId, status, kind: view.kindOf(tool) },
        ];
      }
      case "call-progress":
        return known.has(event.callId) ? tellPrinted(event) : [];
      case "call-end": {
        const { callId, receipt } = event;
        const announced = announce(callId, receipt.calledAs ?? receipt.tool, receipt.input, agent);
        known.delete(callId);
        printed.delete(callId);
        return [...announced, endOf(event)];
      }
      case "assistant-message":
        return event.content.flatMap((part) =>
          part.type === "tool-call" ? announce(part.callId, part.toolName, part.input, agent) : [],
        );
      default:
        return [];
    }
  };
  /** An update takes the place of the one before, so it has the latest of the output; the end has the result. */
  const tellPrinted = ({ callId, update }: LoggedEventOf<"call-progress">): SessionUpdate[] => {
    const more = progressText(update);
    if (more === undefined) return [];
    const before = printed.get(callId) ?? { text: "", toldAt: Number.NEGATIVE_INFINITY };
    const text = `${before.text}${more}`.slice(-maxPrinted);
    const isTold = performance.now() - before.toldAt >= printedMs;
    printed.set(callId, { text, toldAt: isTold ? performance.now() : before.toldAt });
    if (!isTold) return [];
    return [{ sessionUpdate: "tool_call_update", toolCallId: callId, content: view.textContent(text) }];
  };
  const endOf = (event: LoggedEventOf<"call-end">): SessionUpdate => ({
    sessionUpdate: "tool_call_update",
    toolCallId: event.callId,
    status: (event.receipt.status === "done" ? "completed" : "failed") satisfies ToolCallStatus,
    content: view.contentOf(event),
  });

  return {
    /** The next message of the person is one that the editor shows already. */
    expectMessage(): void {
      expected += 1;
    },
    /** With `isReplay`, the event is of the past: whole messages are told, also those of the person. */
    map(event: LoggedEvent, { isReplay = false } = {}): SessionUpdate[] {
      switch (event.type) {
        case "user-message":
          if (!isReplay && expected > 0) {
            expected -= 1;
            return [];
          }
          return [chunk("user_message_chunk", event.text)];
        case "text-delta":
          return isReplay ? [] : [chunk("agent_message_chunk", event.text)];
        case "reasoning-delta":
          return isReplay ? [] : [chunk("agent_thought_chunk", event.text)];
        case "assistant-message": {
          const said = event.content.flatMap((part): SessionUpdate[] => {
            if (!isReplay || part.type === "tool-call" || part.text === "") return [];
            return [chunk(part.type === "text" ? "agent_message_chunk" : "agent_thought_chunk", part.text)];
          });
          const { inputTokens = 0, outputTokens = 0 } = event.usage ?? {};
          const used = inputTokens + outputTokens;
          return [
            ...said,
            ...mapCall(event),
            ...(used > 0 ? [{ sessionUpdate: "usage_update" as const, used, size: contextTokens }] : []),
          ];
        }
        case "model-retry":
          return isReplay
            ? []
            : [chunk("agent_thought_chunk", `\n${oneLine(event.reason, 300)}; trying again\n`)];
        case "mode-change":
          return isReplay ? [] : [{ sessionUpdate: "current_mode_update", currentModeId: event.mode }];
        case "subagent-event":
          return mapCall(event.event, event.subagentId);
        default:
          return mapCall(event);
      }
    },
  };
}

const maxPrinted = 4_000;
/** The shortest time between two updates of one output: a person reads no faster. */
const printedMs = 200;

type ChunkKind = "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk";

function chunk(kind: ChunkKind, text: string): SessionUpdate {
  return { sessionUpdate: kind, content: { type: "text", text: escapeControls(text) } };
}
