import type { Task } from "../../tool/tasks.ts";
import { describeOpen, isOpen } from "./describe-open.ts";

export interface ReminderOptions {
  /** After how many calls without a change to the list; 0 never. */
  readonly everyCalls: number;
  list(): Promise<readonly Task[]>;
  remind(reminder: { readonly text: string; readonly open: number }): void;
}

/** Counts calls since the list was last changed, and reminds of what is open in it. */
export interface Reminder {
  onCall(): void;
  onChange(tasks: readonly Task[]): void;
}

export function createReminder({ everyCalls, list, remind }: ReminderOptions): Reminder {
  let calls = 0;
  let hasOpen = false;
  const remindOfOpen = async () => {
    const tasks = await list();
    const text = describeOpen(tasks);
    hasOpen = text !== undefined;
    if (text !== undefined) remind({ text, open: tasks.filter(isOpen).length });
  };
  return {
    onCall() {
      calls += 1;
      if (!hasOpen || everyCalls === 0 || calls < everyCalls) return;
      calls = 0;
      // A reminder that cannot be made is none; the call has ended and is not to suffer for it.
      remindOfOpen().catch(() => {});
    },
    onChange(tasks) {
      calls = 0;
      hasOpen = tasks.some(isOpen);
    },
  };
}
