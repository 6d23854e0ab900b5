import { countOf } from "../../shared/text/count-of.ts";
import type { CalledTool, SessionEvent } from "../events/session-event.ts";
import type { SessionLog } from "../session/session-log.ts";

/** What one call reports while it runs: events, progress and log messages, no faster than they can be written. */
export interface CallReports {
  /** Takes a report, or counts it if too many wait to be written; then it is not even made. */
  add(take: () => SessionEvent): void;
  /** The same for one that the next of its kind outdates: of those that have to wait, the newest is taken later. */
  addLatest(take: () => SessionEvent): void;
  /** Records how much was left out. */
  end(): void;
}

interface ReportOptions {
  readonly log: Pick<SessionLog, "note">;
  readonly about: () => CalledTool;
  /** Tells the listeners of the call's messages how many they do not get. */
  onLeftOut(entry: { readonly level: "warn"; readonly message: string; readonly data: unknown }): void;
}

export function createCallReports({ log, about, onLeftOut }: ReportOptions): CallReports {
  let waiting = 0;
  let leftOut = 0;
  let latest: (() => SessionEvent) | undefined;

  const take = (make: () => SessionEvent) => {
    const event = make();
    waiting += 1;
    // Also where it is written at once: a tool that never waits must not fill the log either.
    Promise.resolve(log.note(event)).then(onWritten);
  };

  const noteLeftOut = (count: number) => {
    const tool = about();
    const message = `${countOf(count, "report")} left out: ${tool.calledAs ?? tool.tool} made them faster than they can be written`;
    const entry = { level: "warn", message, data: { leftOut: count } } as const;
    onLeftOut(entry);
    log.note({ type: "log", ...tool, ...entry });
  };

  const onWritten = () => {
    waiting -= 1;
    if (waiting === 0) end();
  };

  const end = () => {
    const [newest, count] = [latest, leftOut];
    latest = undefined;
    leftOut = 0;
    if (newest !== undefined) take(newest);
    if (count > 0) noteLeftOut(count);
  };

  return {
    add(make) {
      if (waiting < maxWaiting) take(make);
      else leftOut += 1;
    },
    addLatest(make) {
      if (waiting < maxWaiting) return take(make);
      if (latest !== undefined) leftOut += 1;
      latest = make;
    },
    end,
  };
}

// What a call may report before the runtime gets to write any of it.
const maxWaiting = 1000;
