import type { Channel, LoggedEvent, LoggedEventOf } from "../../../kernel/events/session-event.ts";
import { defined } from "../../../shared/options/defined.ts";
import type { Task, Todo } from "../../../tool/services/tasks.ts";
import { toTodo } from "../../../tool/services/to-todo.ts";
import {
  type ChildTranslators,
  createChildTranslators,
  createTranslator,
  type EventTranslator,
  type EventWords,
} from "./event-translator.ts";
import { createKodeCalls, type KodeCall } from "./kode-calls.ts";
import { createPassages, type DeltaEvent, type Passage } from "./passages.ts";

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
  const onDelta = (event: DeltaEvent) => {
    const say = sayAt(event);
    const { passage, isNew, ended } = passages.add(event);
    return [
      ...ended.map((each) => endChunk(each, say)),
      ...(isNew ? [startChunk(passage, say)] : []),
      chunk(passage, event.text, say),
    ];
  };
  const endPassage = (say: Say) => passages.end().map((passage) => endChunk(passage, say));

  return createTranslator<KodeEnvelope>({
    ...todoWords(createKodeTodos()),
    ...childWords(createChildTranslators(createKodeEvents)),
    "session-open": (event) => {
      const resumed = { strategy: sealed.length > 0 ? "crash" : "manual", sealed };
      sealed = [];
      return event.resumed ? sayAt(event)("monitor", "agent_resumed", resumed) : [];
    },
    "session-close": () => {
      // Calls sealed before a regular close are not the result of a crash.
      sealed = [];
      return [];
    },
    "agent-start": (event) => changeState("WORKING", sayAt(event)),
    "text-delta": onDelta,
    "reasoning-delta": onDelta,
    "call-draft": (event) => endPassage(sayAt(event)),
    "assistant-message": (event) => {
      const say = sayAt(event);
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
    "call-start": (event) => sayAt(event)("progress", "tool:start", { call: calls.onStart(event) }),
    "call-end": (event) => {
      const call = calls.onEnd(event);
      if (call.state === "SEALED") sealed.push(call);
      return endOfCall(event, call);
    },
    "approval-request": (event) => {
      const say = sayAt(event);
      waiting.add(event.callId);
      const { approvalId: permissionId, reason } = event;
      return [
        say("control", "permission_required", { permissionId, call: calls.onAsked(event), reason }),
        ...(state === "WORKING" ? changeState("PAUSED", say) : []),
      ];
    },
    "approval-decision": (event) => {
      const say = sayAt(event);
      waiting.delete(event.callId);
      const { callId, approvalId: permissionId, decidedBy, note } = event;
      const { decision } = calls.onDecided(event);
      return [
        say("control", "permission_decided", {
          callId,
          permissionId,
          decision,
          decidedBy,
          ...defined({ note }),
        }),
        ...(state === "PAUSED" && waiting.size === 0 ? changeState("WORKING", say) : []),
      ];
    },
    "step-end": (event) => {
      const { step, durationMs } = event;
      return sayAt(event)("monitor", "step_complete", { step, durationMs });
    },
    "model-retry": (event) => {
      const say = sayAt(event);
      const { reason: message, attempt, delayMs } = event;
      const detail = { attempt, delayMs };
      return [
        ...endPassage(say),
        say("monitor", "error", { severity: "warn", phase: "model", message, detail }),
      ];
    },
    "context-trim": (event) => sayAt(event)("monitor", "context_compression", { phase: "end" }),
    "file-change": (event) => {
      const { path, at } = event;
      return sayAt(event)("monitor", "file_changed", { path, mtime: Date.parse(at) });
    },
    "reminder-message": (event) => {
      // KODE has no category for the others.
      const category = event.about === "tasks" ? "todo" : "general";
      return sayAt(event)("monitor", "reminder_sent", { category, content: event.text });
    },
    custom: (event) => {
      const { eventType, data, at } = event;
      const toolName = calls.nameOf(event);
      const timestamp = Date.parse(at);
      const about = { toolName, eventType, ...defined({ data }), timestamp };
      return sayAt(event)("monitor", "tool_custom_event", about);
    },
    "agent-end": (event) => {
      const say = sayAt(event);
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
  });
}

function todoWords(todos: KodeTodos): EventWords<KodeEnvelope> {
  return {
    "todo-change": (event) => sayAt(event)("monitor", "todo_changed", todos.change(event)),
    "todo-reminder": (event) =>
      sayAt(event)("monitor", "todo_reminder", { todos: todos.open(), reason: event.text }),
  };
}

/** KODE has no events for sub-agents; these follow the style of its others. */
function childWords(children: ChildTranslators<KodeEnvelope>): EventWords<KodeEnvelope> {
  return {
    "subagent-start": (event) => {
      const { subagentId, callId, title, mode, kind: templateId, childSessionId, branch } = event;
      const about = { subagentId, callId, title, mode, templateId, sessionId: childSessionId, branch };
      return sayAt(event)("monitor", "subagent_start", about);
    },
    "subagent-event": (event) =>
      children.translate(event).flatMap((message) => forward(message.event, event)),
    "subagent-end": (event) => {
      const { subagentId, reason, text, problem: error, steps, calls: toolCalls, tokens, durationMs } = event;
      children.end(subagentId);
      const about = { subagentId, reason, text, error, steps, toolCalls, tokens, durationMs };
      return sayAt(event)("monitor", "subagent_end", about);
    },
  };
}

/** Approval requests of a sub-agent also go to the control channel: once, with the id of the agent that asks. */
function forward(inner: KodeEnvelope["event"], event: LoggedEventOf<"subagent-event">): KodeEnvelope[] {
  const say = sayAt(event);
  const { subagentId } = event;
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
function endOfCall(event: LoggedEventOf<"call-end">, call: KodeCall): KodeEnvelope[] {
  const say = sayAt(event);
  const { error } = event;
  const { status } = event.receipt;
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

/** The list of todos, rebuilt from the changes in a log. */
interface KodeTodos {
  change(event: LoggedEventOf<"todo-change">): {
    readonly current: readonly KodeTodo[];
    readonly previous: readonly KodeTodo[];
  };
  open(): readonly KodeTodo[];
}

/** A todo in KODE's events. */
interface KodeTodo extends Omit<Todo, "createdAt" | "updatedAt"> {
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

function createKodeTodos(): KodeTodos {
  const todos = new Map<string, KodeTodo>();
  return {
    change({ changed, removed }) {
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
