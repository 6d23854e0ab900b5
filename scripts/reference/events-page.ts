import { channelByType, type SessionEvent } from "../../src/kernel/events/session-event.ts";

type EventType = SessionEvent["type"];

/** When each is recorded, and the fields that a reader looks at first. A new event has to be described here. */
const events = {
  "session-open": ["The session was opened, or resumed.", "resumed, workspace"],
  "session-close": ["The session was closed.", ""],
  "mode-change": ["A person has changed what may run without asking.", "mode, changedBy"],
  "log-damage": ["Stands in place of an event that cannot be read; it is in no log.", "reason"],
  "call-start": [
    "A call was allowed and is about to run.",
    "callId, tool, calledAs?, input, inputHash, caller, run",
  ],
  "call-progress": ["A tool reports how far it is.", "callId, tool, calledAs?, update"],
  "call-stop": [
    "A call that runs is told to stop: its time is up, or it was cancelled.",
    "callId, tool, calledAs?, code",
  ],
  "call-end": ["A call has ended, also one that was refused.", "callId, receipt, text, error?"],
  "approval-request": [
    "A call waits for a person.",
    "callId, tool, calledAs?, approvalId, input, reason, verdict?, preview?",
  ],
  "approval-decision": [
    "The person decided, or the call gave up waiting.",
    "callId, approvalId, decision, decidedBy, note?, lasts?, rules?, stop?",
  ],
  "question-ask": ["A tool asks the person.", "callId, text, name?, choices?, fields?, default?"],
  "question-answer": ["The person answered.", "callId, answer"],
  "question-fail": ["The question got no answer.", "callId, reason"],
  sandbox: ["What confines the session's commands; before the first of them.", "kind, reason?"],
  "job-start": ["A command runs in the background.", "job"],
  "job-end": ["It has ended.", "job"],
  "job-wait": ["It waits for input.", "job"],
  "taint-add": ["Content that may be written to steer a model has entered the session.", "source, callId?"],
  "taint-clear": ["A person vouches for that content.", "clearedBy"],
  "budget-warn": ["At least four fifths of a limit are used.", "of, what, toolName?, limit, used"],
  "file-change": ["A file that was read has changed since.", "path, kind"],
  "todo-change": ["The list of tasks has changed.", "changed, removed"],
  "todo-reminder": ["The model was reminded of open tasks.", "text, open"],
  custom: ["A tool's own event, by `context.emit`.", "callId, tool, calledAs?, eventType, data?"],
  log: ["A tool's message, by `context.logger`.", "callId, tool, calledAs?, level, message, data?"],
  "subagent-start": ["A sub-agent was spawned.", "subagentId, callId, mode, kind?, childSessionId, …"],
  "subagent-event": ["An event of a sub-agent's session.", "subagentId, event"],
  "subagent-end": ["A sub-agent has ended.", "subagentId, durationMs, childSessionId, …"],
  "agent-start": ["An agent's run begins.", "runId, agent, model, process?"],
  "user-message": ["A message of the person to the agent.", "text"],
  "conversation-rewind": ["The conversation is back where it was before a message.", "before, rewoundBy"],
  "conversation-fork": ["The conversation begins with that of another session.", "from, before"],
  "reminder-message": ["A message of the runtime to the model.", "runId, about, text, notes"],
  "step-start": ["The model is asked for its next step.", "runId, step"],
  "text-delta": ["A piece of the model's text.", "runId, step, text"],
  "reasoning-delta": ["A piece of the model's reasoning.", "runId, step, text"],
  "call-draft": [
    "The model is writing the input of a call.",
    "runId, step, toolCallId, toolName, characters",
  ],
  "model-retry": ["The model's provider failed and is asked again.", "runId, step, attempt, delayMs, reason"],
  "assistant-message": ["The model's step, whole.", "runId, step, content, finishReason, usage?"],
  "step-end": ["All calls of the step have ended.", "runId, step, durationMs, calls"],
  "images-show": ["The model is shown images of a result.", "runId, callId, content"],
  "images-hide": ["The provider refused the images of these calls.", "runId, callIds"],
  "context-trim": [
    "What the model is no longer shown, because its context is full; the log keeps it.",
    "runId, cutMessages?, masked, droppedSteps, droppedMessages",
  ],
  "context-compact": [
    "A summary takes the place of what was said so far; the log keeps it.",
    "runId, text, kept, task, usage?",
  ],
  "agent-end": ["The run has ended.", "runId, reason, steps, usage, text, value?, error?"],
} satisfies Record<EventType, readonly [when: string, fields: string]>;

/** The page about the events of a session. */
export function eventsPage(): string {
  const rows = Object.entries(events).map(
    ([type, [when, fields]]) => `| \`${type}\` | ${channelFor(type as EventType)} | ${when} | ${fields} |`,
  );
  return `# Which events are there?

<!-- Made by node scripts/options.ts; change it in scripts/reference/events-page.ts. -->

\`session.events({ since })\` replays a session's log from any point and then continues with what happens. Each event has
\`type\`, \`sessionId\`, \`sequence\` (counted from 1 without gaps), \`at\` and \`channel\`, and the fields below. Read only one
channel with \`session.events({ channels: ["control"] })\`. The types are declared in [docs/api](api) as \`LoggedEvent\`.

| event | channel | when | fields |
|---|---|---|---|
${rows.join("\n")}
`;
}

function channelFor(type: EventType): string {
  return type === "subagent-event" ? "that of the event" : channelByType[type];
}
