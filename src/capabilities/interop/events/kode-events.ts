import type { Channel, LoggedEvent, LoggedEventOf } from "../../../kernel/events/index.ts";
import { defined } from "../../../shared/options/defined.ts";
import type { Task, Todo } from "../../../tool/services/tasks.ts";
import { toTodo } from "../../../tool/services/to-todo.ts";
import {
  createChildTranslators,
  createPassages,
  createTranslator,
  type DeltaEvent,
  type EventTranslator,
  type EventWords,
  type Passage,
} from "./event-translator.ts";
import { createKodeCalls, type KodeCall } from "./kode-calls.ts";

/** An event for subscribers of a channel of a KODE agent. */
export interface KodeEnvelope {
  readonly cursor: number;
  readonly bookmark: KodeBookmark;
  readonly event: Readonly<Record<string, unknown>> & {
    readonly channel: Channel;
    readonly type: string;
    readonly bookmark: KodeBookmark;
  };
}

export interface KodeBookmark {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

/**
 * Translates the log into KODE's three channels. Lists of todos are complete only if the log is read from its beginning;
 * otherwise they have the todos that changed since.
 */
export function createKodeEvents(): EventTranslator<KodeEnvelope> {
  const passages = createPassages();
  const calls = createKodeCalls();
  const waiting = new Set<string>();
  let sealed: KodeCall[] = [];
  let state: "READY" | "WORKING" | "PAUSED" = "READY";

  const changeState = (next: typeof state, say: Say): KodeEnvelope[] => {
    if (state === next) return [];
    state = next;
    return [say("monitor", "state_changed", { state })];
  };
  const onDelta = (event: DeltaEvent, say: Say) => {
    const { passage, isNew, ended } = passages.add(event);
    return [
      ...ended.map((each) => endChunk(each, say)),
      ...(isNew ? [startChunk(passage, say)] : []),
      chunk(passage, event.text, say),
    ];
  };
  const endPassage = (say: Say) => passages.end().map((passage) => endChunk(passage, say));

  const words: EventWords<KodeEnvelope, Say> = {
    ...todoWords(),
    ...childWords(),
    "session-open": (event, say) => {
      const resumed = { strategy: sealed.length > 0 ? "crash" : "manual", sealed };
      sealed = [];
      return event.resumed ? say("monitor", "agent_resumed", resumed) : [];
    },
    "session-close": () => {
      // Calls sealed before a regular close are not the result of a crash.
      sealed = [];
      return [];
    },
    "agent-start": (_event, say) => changeState("WORKING", say),
    "text-delta": onDelta,
    "reasoning-delta": onDelta,
    "call-draft": (_event, say) => endPassage(say),
    "assistant-message": (event, say) => {
      for (const part of event.content) calls.add(part);
      const { inputTokens = 0, outputTokens = 0 } = event.usage ?? {};
      const totalTokens = inputTokens + outputTokens;
      return [
        ...passages
          .finish(event)
          .flatMap(({ passage, isNew }) => [
            ...(isNew ? [startChunk(passage, say), chunk(passage, passage.text, say)] : []),
            endChunk(passage, say),
          ]),
        say("monitor", "token_usage", { inputTokens, outputTokens, totalTokens }),
      ];
    },
    "call-start": (event, say) => say("progress", "tool:start", { call: calls.onStart(event) }),
    "call-end": (event, say) => {
      const call = calls.onEnd(event);
      if (call.state === "SEALED") sealed.push(call);
      return endOfCall(event, call, say);
    },
    "approval-request": (event, say) => {
      waiting.add(event.callId);
      const { approvalId: permissionId, reason } = event;
      return [
        say("control", "permission_required", { permissionId, call: calls.onAsked(event), reason }),
        ...(state === "WORKING" ? changeState("PAUSED", say) : []),
      ];
    },
    "approval-decision": (event, say) => {
      waiting.delete(event.callId);
      const { callId, approvalId: permissionId, decidedBy, note } = event;
      const { decision } = calls.onDecided(event);
      const decided = { callId, permissionId, decision, decidedBy, ...defined({ note }) };
      return [
        say("control", "permission_decided", decided),
        ...(state === "PAUSED" && waiting.size === 0 ? changeState("WORKING", say) : []),
      ];
    },
    "step-end": ({ step, durationMs }, say) => say("monitor", "step_complete", { step, durationMs }),
    "model-retry": ({ reason: message, attempt, delayMs }, say) => {
      const detail = { attempt, delayMs };
      const fault = say("monitor", "error", { severity: "warn", phase: "model", message, detail });
      return [...endPassage(say), fault];
    },
    "context-trim": (_event, say) => say("monitor", "context_compression", { phase: "end" }),
    "file-change": ({ path, at }, say) => say("monitor", "file_changed", { path, mtime: Date.parse(at) }),
    "reminder-message": ({ about, text: content }, say) => {
      // KODE has no category for the others.
      const category = about === "tasks" ? "todo" : "general";
      return say("monitor", "reminder_sent", { category, content });
    },
    custom: (event, say) => {
      const { eventType, data, at } = event;
      const about = { toolName: calls.nameOf(event), eventType, ...defined({ data }) };
      return say("monitor", "tool_custom_event", { ...about, timestamp: Date.parse(at) });
    },
    "agent-end": (event, say) => {
      const { message } = event.error ?? {};
      const failure = { severity: "error", phase: "model", message };
      const reason = event.reason === "interrupted" ? "interrupted" : "completed";
      return [
        ...endPassage(say),
        ...(message === undefined ? [] : [say("monitor", "error", failure)]),
        say("progress", "done", { step: event.steps, reason }),
        ...changeState("READY", say),
      ];
    },
  };
  return createTranslator(words, sayAt);
}

function todoWords(): EventWords<KodeEnvelope, Say> {
  const todos = createKodeTodos();
  return {
    "todo-change": (event, say) => say("monitor", "todo_changed", todos.change(event)),
    "todo-reminder": ({ text: reason }, say) =>
      say("monitor", "todo_reminder", { todos: todos.open(), reason }),
  };
}

/** KODE has no events for sub-agents; these follow the style of its others. */
function childWords(): EventWords<KodeEnvelope, Say> {
  const children = createChildTranslators(createKodeEvents);
  return {
    "subagent-start": (event, say) => {
      const { subagentId, callId, title, mode, kind: templateId, childSessionId: sessionId, branch } = event;
      const about = { subagentId, callId, title, mode, templateId, sessionId, branch };
      return say("monitor", "subagent_start", about);
    },
    "subagent-event": (event, say) =>
      children.translate(event).flatMap((message) => forward(message.event, event.subagentId, say)),
    "subagent-end": (event, say) => {
      const { subagentId, reason, text, problem: error, steps, calls: toolCalls, tokens, durationMs } = event;
      children.end(subagentId);
      const about = { subagentId, reason, text, error, steps, toolCalls, tokens, durationMs };
      return say("monitor", "subagent_end", about);
    },
  };
}

/** Approval requests of a sub-agent also go to the control channel: once, with the id of the agent that asks. */
function forward(inner: KodeEnvelope["event"], subagentId: string, say: Say): KodeEnvelope[] {
  const { channel, type, bookmark: _, ...fields } = inner;
  // From a deeper sub-agent; its `subagent_event` is forwarded separately.
  if (channel === "control" && "subagentId" in fields) return [say(channel, type, fields)];
  const forwarded = say("monitor", "subagent_event", { subagentId, event: inner });
  return channel === "control" ? [forwarded, say(channel, type, { ...fields, subagentId })] : [forwarded];
}

type Say = (channel: Channel, type: string, fields?: object) => KodeEnvelope;

function sayAt({ sequence: seq, at }: LoggedEvent): Say {
  const bookmark = { seq, timestamp: Date.parse(at) };
  return (channel, type, fields = {}) => ({
    cursor: seq,
    bookmark,
    event: { channel, type, ...fields, bookmark },
  });
}

function startChunk({ kind, step }: Passage, say: Say): KodeEnvelope {
  return say("progress", `${chunkNames[kind]}_start`, { step });
}

function chunk({ kind, step }: Passage, delta: string, say: Say): KodeEnvelope {
  return say("progress", chunkNames[kind], { step, delta });
}

function endChunk({ kind, step, text }: Passage, say: Say): KodeEnvelope {
  return say("progress", `${chunkNames[kind]}_end`, kind === "text" ? { step, text } : { step });
}

const chunkNames = { text: "text_chunk", reasoning: "think_chunk" } as const;

/** A timed-out or cancelled call is reported as aborted, which alerts look for. */
function endOfCall(
  { error, receipt: { status } }: LoggedEventOf<"call-end">,
  call: KodeCall,
  say: Say,
): KodeEnvelope[] {
  const executed = say("monitor", "tool_executed", { call });
  const ended = say("progress", "tool:end", { call });
  if (error === undefined) return [ended, executed];
  const isAborted = status === "timed-out" || status === "cancelled";
  const message = isAborted ? `tool ${call.name} aborted: ${error.message}` : error.message;
  const detail = { callId: call.id, toolName: call.name, code: error.code, status };
  return [
    say("progress", "tool:error", { call, error: message }),
    ended,
    executed,
    say("monitor", "error", { severity: "warn", phase: "tool", message, detail }),
  ];
}

/** A todo in KODE's events. */
interface KodeTodo extends Omit<Todo, "createdAt" | "updatedAt"> {
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The list of todos, rebuilt from the changes in a log. */
function createKodeTodos() {
  const todos = new Map<string, KodeTodo>();
  return {
    change({ changed, removed }: LoggedEventOf<"todo-change">) {
      const previous = [...todos.values()];
      for (const id of removed) todos.delete(id);
      for (const task of changed) todos.set(task.id, toKode(task));
      return { current: [...todos.values()], previous };
    },
    open: () => [...todos.values()].filter(({ status }) => status === "pending" || status === "in_progress"),
  };
}

function toKode(task: Task): KodeTodo {
  const todo = toTodo(task);
  return { ...todo, createdAt: Date.parse(todo.createdAt), updatedAt: Date.parse(todo.updatedAt) };
}
