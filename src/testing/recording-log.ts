import type { SessionEvent } from "../kernel/events/index.ts";
import type { SessionLog } from "../kernel/session/index.ts";
import { defined } from "../shared/options/defined.ts";
import type { Logger } from "../tool/tool-context.ts";

export interface EmittedEvent {
  readonly type: string;
  readonly data?: unknown;
}

export interface LogLine {
  readonly level: keyof Logger;
  readonly message: string;
  readonly data?: unknown;
}

/** The reports of a tool through its context, in order; the lists grow while it runs. */
export interface RecordedOutput {
  readonly events: readonly EmittedEvent[];
  readonly progress: readonly unknown[];
  readonly logs: readonly LogLine[];
}

/** Makes a session log that keeps only the tool's own reports, as JSON would keep them. */
export function createRecordingLog(): { log: SessionLog; recorded: RecordedOutput } {
  const events: EmittedEvent[] = [];
  const progress: unknown[] = [];
  const logs: LogLine[] = [];
  const note = (event: SessionEvent) => {
    const kept: SessionEvent = JSON.parse(JSON.stringify(event));
    if (kept.type === "custom") events.push({ type: kept.eventType, ...defined({ data: kept.data }) });
    if (kept.type === "call-progress") progress.push(kept.update);
    if (kept.type === "log")
      logs.push({ level: kept.level, message: kept.message, ...defined({ data: kept.data }) });
  };
  const log: SessionLog = {
    note,
    noteVariable() {},
    append: async (list) => list.forEach(note),
    commit: async (entry) => entry.events.forEach(note),
    async finish() {
      throw new Error("a test call has no receipt");
    },
    async flush() {},
    confirmOwner() {},
    hasLostEnd: () => false,
  };
  return { log, recorded: { events, progress, logs } };
}
