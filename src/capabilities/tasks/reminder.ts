import type { Task } from "../../tool/services/tasks.ts";
import { describeOpen, isOpen } from "./describe-open.ts";

export interface ReminderOptions {
  /** Remind after this many calls without a change to the list; 0 means never. */
  readonly everyCalls: number;
  remind(reminder: { readonly text: string; readonly open: number }): void;
}

/** Counts calls since the list last changed, and reminds of open tasks. */
export interface Reminder {
  onCall(): void;
  onChange(tasks: readonly Task[]): void;
  /** Returns a due reminder for the model once; a change to the list cancels it. */
  take(): string | undefined;
}

export function createReminder({ everyCalls, remind }: ReminderOptions): Reminder {
  let calls = 0;
  let open: readonly Task[] = [];
  let pending: string | undefined;
  return {
    onCall() {
      calls += 1;
      if (everyCalls === 0 || calls < everyCalls) return;
      calls = 0;
      const text = describeOpen(open);
      if (text === undefined) return;
      pending = text;
      remind({ text, open: open.length });
    },
    onChange(tasks) {
      calls = 0;
      open = tasks.filter(isOpen);
      pending = undefined;
    },
    take() {
      const text = pending;
      pending = undefined;
      return text;
    },
  };
}
