import { isWaitingForTyping } from "./pty-input.ts";

/** Watches whether the programs in a terminal are blocked until a key is typed. */
export interface InputWatch {
  /** Call when something is printed or typed: nothing is blocked then. */
  noteActivity(): void;
  onChange(listener: (isWaiting: boolean) => void): void;
  close(): void;
}

const lookEveryMs = 250;
// A single look may catch a program reading input that is already there.
const looksToBelieve = 2;

export function watchInput(pid: number): InputWatch {
  const listeners: ((isWaiting: boolean) => void)[] = [];
  let looks = 0;
  let isLooking = false;

  const change = (isWaiting: boolean) => {
    for (const listener of listeners) listener(isWaiting);
  };
  const noteActivity = () => {
    const wasWaiting = looks >= looksToBelieve;
    looks = 0;
    if (wasWaiting) change(false);
  };
  const look = async () => {
    const before = looks;
    const isBlocked = await isWaitingForTyping(pid);
    // Activity during the look makes its result outdated.
    if (looks !== before) return;
    if (!isBlocked) return noteActivity();
    looks += 1;
    if (looks === looksToBelieve) change(true);
  };
  const timer = setInterval(() => {
    // Without listeners the result has no use.
    if (isLooking || listeners.length === 0) return;
    isLooking = true;
    look().finally(() => {
      isLooking = false;
    });
  }, lookEveryMs).unref();

  return {
    noteActivity,
    onChange: (listener) => listeners.push(listener),
    close: () => clearInterval(timer),
  };
}
