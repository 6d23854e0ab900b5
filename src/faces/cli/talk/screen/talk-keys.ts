import type { KeyId } from "@earendil-works/pi-tui";

/** A key of an interactive session, or several that do the same. */
export interface TalkKey {
  /** The names by which people know the keys. */
  readonly names: readonly string[];
  readonly about: string;
  /** The name by which the library knows the key; the editor takes keys without one. */
  readonly id?: KeyId;
  /** Acts on the key. False leaves it to the editor. */
  press?(screen: KeyTarget): boolean;
}

/** The part of the screen that keys act on. */
export interface KeyTarget {
  readonly isWorking: boolean;
  readonly isCompleting: boolean;
  readonly typed: string;
  /** Empties the editor. */
  takeTyped(): string;
  interrupt(): void;
  queue(text: string): void;
  showDetails(): void;
  suspend(): void;
  leave(): void;
  /** Leaves if the key was pressed a moment ago; otherwise tells the person to press it again. */
  leaveIfAgain(): void;
}

/** The keys that /help and docs/interactive.md list. */
export const talkKeys: readonly TalkKey[] = [
  { names: ["Enter"], about: "sends; while the agent works, it reads the message at its next step" },
  {
    names: ["Alt-Enter"],
    about: "sends when the agent has ended its work",
    id: "alt+enter",
    press(screen) {
      const text = screen.takeTyped();
      if (text.trim() !== "") screen.queue(text);
      return true;
    },
  },
  {
    names: ["Shift-Enter", "Ctrl-J", "\\ and Enter"],
    about: "begins a new line; a pasted text stays one message",
  },
  {
    names: ["Esc"],
    about: "interrupts the agent and its sub-agents",
    id: "escape",
    press(screen) {
      if (!screen.isWorking || screen.isCompleting) return false;
      screen.interrupt();
      return true;
    },
  },
  {
    names: ["Ctrl-C"],
    about: "interrupts too; otherwise empties the line, and twice leaves",
    id: "ctrl+c",
    press(screen) {
      if (screen.isWorking) screen.interrupt();
      else if (screen.takeTyped() === "") screen.leaveIfAgain();
      return true;
    },
  },
  {
    names: ["Ctrl-D"],
    about: "leaves, if nothing is typed",
    id: "ctrl+d",
    press(screen) {
      if (screen.typed !== "") return false;
      screen.leave();
      return true;
    },
  },
  {
    names: ["Ctrl-O"],
    about: "shows the latest call in full; again, the one before",
    id: "ctrl+o",
    press(screen) {
      screen.showDetails();
      return true;
    },
  },
  {
    names: ["Ctrl-Z"],
    about: "goes back to the shell until `fg`; an agent at work stands still",
    id: "ctrl+z",
    press(screen) {
      screen.suspend();
      return true;
    },
  },
  {
    names: ["@", "/"],
    about: "completes paths and commands; ignored files, and files that rules hide, are not offered",
  },
  { names: ["Up", "Down"], about: "what you said before" },
  { names: ["Ctrl-W", "Ctrl-U", "Ctrl-K", "Ctrl-Y"], about: "deletes, and brings back, as in a shell" },
];
