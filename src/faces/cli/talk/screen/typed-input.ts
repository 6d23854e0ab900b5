import type { Editor, TuiMainScreen } from "@earendil-works/pi-tui";
import type { Talk } from "../talk.ts";
import type { TerminalLibrary } from "./load-terminal-library.ts";
import { createTalkCompletion } from "./talk-completion.ts";
import { type KeyTarget, talkKeys } from "./talk-keys.ts";

export interface TypedInputOptions extends Pick<KeyTarget, "showDetails" | "suspend"> {
  readonly library: Pick<TerminalLibrary, "matchesKey">;
  readonly editor: Editor;
  tell(text: string): void;
  /** Is called when any key was pressed. */
  onKey(): void;
  /** Is called when the person leaves before the conversation is open. */
  onLeave(): void;
}

/** Reads the person's input: messages, and keys that act at once. */
export function createTypedInput(tui: TuiMainScreen, options: TypedInputOptions) {
  const { library, editor, tell, onKey, onLeave } = options;
  let talk: Talk | undefined;
  /** Messages that were sent before the session could read them. */
  const early: string[] = [];
  const send = (text: string, deliver: (to: Talk) => unknown): void => {
    editor.addToHistory(text);
    if (talk === undefined) early.push(text);
    else deliver(talk);
  };
  editor.setAutocompleteProvider(createTalkCompletion(() => talk));
  editor.onSubmit = (text) => {
    if (text.trim() !== "") send(text, (to) => to.submit(text));
  };
  const leave = () => (talk === undefined ? onLeave() : talk.leave());
  let quitAsked = Number.NEGATIVE_INFINITY;
  const target: KeyTarget = {
    get isWorking() {
      return talk?.isWorking ?? false;
    },
    get isCompleting() {
      return editor.isShowingAutocomplete();
    },
    get typed() {
      return editor.getText();
    },
    takeTyped() {
      const text = editor.getExpandedText();
      editor.setText("");
      return text;
    },
    interrupt: () => talk?.interrupt(),
    queue: (text) => send(text, (to) => to.queue(text)),
    showDetails: options.showDetails,
    suspend: options.suspend,
    leave,
    leaveIfAgain() {
      if (performance.now() - quitAsked < quitMs) return leave();
      quitAsked = performance.now();
      tell("press Ctrl-C again to leave");
    },
  };
  tui.addInputListener((data) => {
    onKey();
    if (tui.getFocusedComponent() !== editor) return undefined;
    const key = talkKeys.find(({ id }) => id !== undefined && library.matchesKey(data, id));
    return key?.press?.(target) ? { consume: true } : undefined;
  });
  return {
    /** The conversation; undefined until it is open. */
    get talk() {
      return talk;
    },
    /** Sends all messages to a conversation from now on, and those that were typed before. */
    attach(given: Talk) {
      talk = given;
      for (const text of early.splice(0)) given.queue(text);
    },
  };
}

const quitMs = 2000;
