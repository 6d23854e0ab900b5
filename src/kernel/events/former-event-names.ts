import type { SessionEvent } from "./session-event.ts";

/** Event names in older logs. A log is never rewritten, so they must stay readable. */
export const formerEventNames: ReadonlyMap<string, SessionEvent["type"]> = new Map([
  ["session-opened", "session-open"],
  ["session-closed", "session-close"],
  ["approval-requested", "approval-request"],
  ["approval-decided", "approval-decision"],
  ["question-asked", "question-ask"],
  ["question-answered", "question-answer"],
  ["question-unanswered", "question-fail"],
  ["job-started", "job-start"],
  ["job-waiting", "job-wait"],
  ["job-ended", "job-end"],
  ["file_changed", "file-change"],
  ["todo_changed", "todo-change"],
  ["todo_reminder", "todo-reminder"],
  ["subagent_start", "subagent-start"],
  ["subagent_event", "subagent-event"],
  ["subagent_end", "subagent-end"],
  ["call-drafted", "call-draft"],
  ["reminder-sent", "reminder-message"],
  ["images-shown", "images-show"],
  ["images-hidden", "images-hide"],
  ["context-trimmed", "context-trim"],
]);

/** The event under its current name. */
export function withCurrentName<Event extends object>(event: Event): Event {
  const { type, event: inner } = event as { type?: unknown; event?: unknown };
  const current = formerEventNames.get(type as string);
  const isForwarded = (current ?? type) === "subagent-event" && typeof inner === "object" && inner !== null;
  if (current === undefined && !isForwarded) return event;
  const renamed = { ...event, type: current ?? type };
  return isForwarded ? { ...renamed, event: withCurrentName(inner) } : renamed;
}
