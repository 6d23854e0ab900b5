import type { Task } from "../../../tool/services/tasks.ts";
import { describeOpen, isOpen } from "./describe-open.ts";

export interface ReminderOptions {
  /** After how many calls without a change to the list; 0 never. */
  readonly everyCalls: number;
  remind(reminder: { readonly text: string; readonly open: number }): void;
}

/** Counts calls since the list was last changed, and reminds of what is open in it. */
export interface Reminder {
  onCall(): void;
  onChange(tasks: readonly Task[]): void;
  /** What a model is to be told, once; a change to the list since then shows that it has it in sight. */
  take(): string | undefined;
}

export function createReminder({ everyCalls, remind }: ReminderOptions): Reminder {
  let calls = 0;
  let open: readonly Task[] = [];
  let untold: string | undefined;
  return {
    onCall() {
      calls += 1;
      if (everyCalls === 0 || calls < everyCalls) return;
      calls = 0;
      const text = describeOpen(open);
      if (text === undefined) return;
      untold = text;
      remind({ text, open: open.length });
    },
    onChange(tasks) {
      calls = 0;
      open = tasks.filter(isOpen);
      untold = undefined;
    },
    take() {
      const text = untold;
      untold = undefined;
      return text;
    },
  };
}
