import type { Component, Container, TuiMainScreen } from "@earendil-works/pi-tui";
import { createLock } from "../../../../shared/lock.ts";
import { defined } from "../../../../shared/options/defined.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { columnsOf, cutToColumns } from "../../display/cut-to-columns.ts";
import type { TalkChoice, TalkView } from "../talk-view.ts";
import type { TerminalLibrary } from "./load-terminal-library.ts";
import type { ScreenTheme } from "./screen-theme.ts";
import type { ShownConversation } from "./shown-conversation.ts";
import type { StreamedSpeech } from "./streamed-speech.ts";
import type { TerminalPace } from "./terminal/terminal-pace.ts";
import type { WorkLine } from "./work-line.ts";

export type ScreenQuestions = ReturnType<typeof createScreenQuestions>;

export interface ScreenQuestionsParts {
  readonly library: TerminalLibrary;
  readonly theme: ScreenTheme;
  readonly conversation: ShownConversation;
  readonly speech: StreamedSpeech;
  readonly panel: Container;
  readonly work: WorkLine;
  readonly editor: Component;
  readonly pace: TerminalPace;
}

/** Makes the questions and lists that take the keys away from the editor for a while, one at a time. */
export function createScreenQuestions(
  tui: TuiMainScreen,
  { library, theme, conversation, speech, panel, work, editor, pace }: ScreenQuestionsParts,
) {
  const inTurn = createLock();
  let isGivenAway = false;
  /** Ends the screen; its text stays. */
  const end = (): void => {
    conversation.addBreak();
    tui.renderNow();
    const { previousLines, hardwareCursorRow } = tui.captureRenderState();
    const below = previousLines.length - 1 - hardwareCursorRow;
    // Otherwise the library writes a blank over the last row, and skips two.
    tui.terminal.write(`${below > 0 ? `\u001b[${below}B` : ""}\r${previousLines.length > 0 ? "\n" : ""}`);
    tui.stop({ preserveScreen: true });
  };
  /** Gives the terminal to other code: the text on it stays, and the editor comes back below it. */
  const withTerminal = <Result>(use: () => Promise<Result>): Promise<Result> =>
    inTurn(async () => {
      speech.end();
      work.pause();
      const parts = tui.children.filter((child) => child !== conversation.component);
      for (const part of parts) tui.removeChild(part);
      end();
      conversation.letGo();
      // A question writes to the terminal by another stream, which must not overtake ours.
      await pace.whenReady();
      isGivenAway = true;
      try {
        return await use();
      } finally {
        isGivenAway = false;
        conversation.noteOthers();
        for (const part of parts) tui.addChild(part);
        tui.start();
        work.goOn();
        tui.setFocus(editor);
        // Otherwise a frame that was requested while drawing was stopped would count as still to come.
        tui.renderNow();
      }
    });
  const toItem = ({ value, label, about }: TalkChoice) => ({
    value,
    label: escapeLine(label),
    ...defined({ description: about && escapeLine(about) }),
  });
  const choose: TalkView["choose"] = (title, choices) =>
    inTurn(
      () =>
        new Promise((resolve) => {
          const list = new library.SelectList(choices.map(toItem), maxChoices, theme.list, {
            minPrimaryColumnWidth: 1,
            truncatePrimary: ({ text, maxWidth }) => cutToColumns(text, maxWidth),
            maxPrimaryColumnWidth: labelColumns(choices, tui.terminal.columns),
          });
          const heading = new library.Text(theme.style("bold", escapeLine(title)), 0, 0);
          const close = (value: string | undefined) => {
            panel.removeChild(heading);
            panel.removeChild(list);
            tui.setFocus(editor);
            tui.requestRender();
            resolve(value);
          };
          list.onSelect = ({ value }) => close(value);
          list.onCancel = () => close(undefined);
          panel.addChild(heading);
          panel.addChild(list);
          tui.setFocus(list);
          tui.requestRender();
        }),
    );
  return {
    withTerminal,
    choose,
    end,
    /** Whether a question has the terminal, and waits for an answer here. */
    isAsking: () => isGivenAway,
  };
}

const maxChoices = 10;

/**
 * Labels that begin alike get up to half of the screen, so that they can be told apart; the descriptions get the rest.
 */
function labelColumns(choices: readonly TalkChoice[], columns: number): number {
  const longest = (texts: readonly string[]) => Math.max(0, ...texts.map(columnsOf));
  const label = longest(choices.map((choice) => choice.label)) + gapColumns;
  const about = longest(choices.map((choice) => choice.about ?? "")) + gapColumns;
  return Math.min(label, Math.max(columns - about, Math.floor(columns / 2)));
}

/** Columns that the list has before a label, and after it. */
const gapColumns = 2;
