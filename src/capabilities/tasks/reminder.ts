import { oneLine } from "../../shared/text/one-line.ts";
import { maxTitleCharacters, type Task } from "../../tool/services/tasks.ts";

export interface ReminderOptions {
  /** Remind after this many calls without a change to the list; 0 means never. */
  readonly everyCalls: number;
  findOpen(): readonly OpenTask[];
  remind(reminder: { readonly text: string; readonly open: number }): void;
}

/** Counts calls since the list last changed, and reminds of open tasks. */
export interface Reminder {
  onCall(): void;
  onChange(): void;
  /** Returns a due reminder for the model once; a change to the list cancels it. */
  take(): string | undefined;
}

export function createReminder({ everyCalls, findOpen, remind }: ReminderOptions): Reminder {
  let calls = 0;
  let pending: string | undefined;
  return {
    onCall() {
      calls += 1;
      if (everyCalls === 0 || calls < everyCalls) return;
      calls = 0;
      const open = findOpen();
      const text = describeOpen(open);
      if (text === undefined) return;
      pending = text;
      remind({ text, open: open.length });
    },
    onChange() {
      calls = 0;
      pending = undefined;
    },
    take() {
      const text = pending;
      pending = undefined;
      return text;
    },
  };
}

const maxNamed = 10;

export type OpenTask = Pick<Task, "id" | "title" | "status">;

/** Lists the open tasks as a reminder, in order; undefined if there are none. */
export function describeOpen(tasks: readonly OpenTask[]): string | undefined {
  const open = tasks.filter(isOpen);
  if (open.length === 0) return undefined;
  const lines = open
    .slice(0, maxNamed)
    .map(({ id, title, status }) => `- [${status}] ${id}: ${oneLine(title, maxTitleCharacters)}`);
  const more = open.length > maxNamed ? [`- … and ${open.length - maxNamed} more`] : [];
  return [`${open.length} still to do:`, ...lines, ...more].join("\n");
}

export function isOpen({ status }: Pick<Task, "status">): boolean {
  return status === "pending" || status === "in_progress";
}
