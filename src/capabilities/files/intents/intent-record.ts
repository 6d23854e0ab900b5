import type { FileChange } from "../../../kernel/events/index.ts";
import type { IntentStep } from "./intent.ts";

/** One line of a log of intents. */
export type IntentLine =
  | ({ readonly about: "begin"; readonly number: number } & IntentCall & IntentPlace)
  | { readonly about: "step"; readonly number: number; readonly step: IntentStep; readonly isLast?: true }
  | { readonly about: "plan"; readonly number: number; readonly changes: readonly FileChange[] }
  | { readonly about: "scratch"; readonly number: number; readonly path: string }
  | { readonly about: "missed"; readonly number: number; readonly isNoted: boolean }
  | { readonly about: "commit" | "end"; readonly number: number }
  /** Another process has taken it back or completed it after a crash; these changes are left of it. */
  | {
      readonly about: "recovered";
      readonly number: number;
      readonly changes: readonly FileChange[];
      readonly isTakenBack: boolean;
    };

/** The call that makes a change. */
export interface IntentCall {
  readonly callId: string;
  readonly sessionId: string;
}

/** Where it makes it. */
export interface IntentPlace {
  /** The folders that it may change something in. */
  readonly roots: readonly string[];
  /** The folder with earlier contents of files. */
  readonly blobs: string;
}

/** One intent, as it was written down. */
export interface IntentRecord extends IntentCall, IntentPlace {
  readonly number: number;
  entries: IntentEntry[];
  isCommitted: boolean;
  isEnded: boolean;
  /** A crash has interrupted it, and it was taken back. */
  isTakenBack: boolean;
  /** Another process has taken it back or completed it. */
  isRecovered: boolean;
}

/** A step, a path that is to be removed in the end, or what the next steps amount to; in the order they were written. */
type IntentEntry =
  | { readonly step: IntentStep; readonly isLast: boolean }
  | { readonly scratch: string }
  | { readonly changes: readonly FileChange[] };

/** Reads a log, in which the last line may be cut off. */
export function readIntents(text: string): IntentRecord[] {
  const records = new Map<number, IntentRecord>();
  for (const line of text.split("\n").map(parseLine)) {
    if (line === undefined) continue;
    if (line.about === "begin") records.set(line.number, beginReading(line));
    const record = records.get(line.number);
    // What its own process writes of it later, because it was only suspended, did not happen.
    if (record !== undefined && !record.isRecovered) add(record, line);
  }
  return [...records.values()];
}

function beginReading({ about: _, ...line }: Extract<IntentLine, { about: "begin" }>): IntentRecord {
  return { ...line, entries: [], isCommitted: false, isEnded: false, isTakenBack: false, isRecovered: false };
}

function add(record: IntentRecord, line: IntentLine): void {
  switch (line.about) {
    case "step":
      record.entries.push({ step: line.step, isLast: line.isLast === true });
      break;
    case "plan":
      record.entries.push({ changes: line.changes });
      break;
    case "scratch":
      record.entries.push({ scratch: line.path });
      break;
    case "missed":
      dropMissed(record.entries, line);
      break;
    case "recovered":
      record.isEnded = true;
      record.isRecovered = true;
      record.isTakenBack = line.isTakenBack;
      record.entries = [{ changes: line.changes }];
      break;
    case "commit":
      record.isCommitted = true;
      break;
    case "end":
      record.isEnded = true;
      break;
    case "begin":
  }
}

/** With what it would have amounted to. */
function dropMissed(entries: IntentEntry[], { isNoted }: { isNoted: boolean }): void {
  if (isNoted) entries.splice(entries.findLastIndex((entry) => "step" in entry));
  while (entries.length > 0 && "changes" in entries.at(-1)!) entries.pop();
}

function parseLine(text: string): IntentLine | undefined {
  try {
    return text === "" ? undefined : (JSON.parse(text) as IntentLine);
  } catch {
    // Cut off by the crash, before the step that it would have told of.
    return undefined;
  }
}
