import type { KeyId } from "@earendil-works/pi-tui";

/** A key of an interactive session, or several that do the same. */
export interface TalkKey {
  /** As a person knows them. */
  readonly names: readonly string[];
  readonly about: string;
  /** As the library knows it; the editor takes those without it. */
  readonly id?: KeyId;
  /** False leaves it to the editor. */
  press?(screen: KeyTarget): boolean;
}

/** What keys act on. */
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
  /** Leaves if it was pressed a moment ago, and otherwise says so. */
  leaveIfAgain(): void;
}

/** What /help and docs/interactive.md list. */
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
    about: "begins a new line; what is pasted stays one message",
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
