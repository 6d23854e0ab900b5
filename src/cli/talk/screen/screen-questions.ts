import type { Component, Container, TuiMainScreen } from "@earendil-works/pi-tui";
import { createLock } from "../../../shared/lock.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import type { TalkChoice, TalkView } from "../talk-view.ts";
import type { TerminalLibrary } from "./load-terminal-library.ts";
import type { ScreenTheme } from "./screen-theme.ts";
import type { ShownConversation } from "./shown-conversation.ts";
import type { WorkLine } from "./work-line.ts";

/** What takes the keys away from the editor for a while, one at a time. */
export interface ScreenQuestions {
  /** Gives the terminal to something else: what is shown stays, and the editor comes back below it. */
  withTerminal<Result>(use: () => Promise<Result>): Promise<Result>;
  readonly choose: TalkView["choose"];
  /** Ends the screen; what is on it stays. */
  end(): void;
}

export interface ScreenQuestionsParts {
  readonly library: TerminalLibrary;
  readonly theme: ScreenTheme;
  readonly conversation: ShownConversation;
  readonly panel: Container;
  readonly work: WorkLine;
  readonly editor: Component;
  /** Before the terminal is given away. */
  settle(): void;
}

export function createScreenQuestions(
  tui: TuiMainScreen,
  { library: { SelectList, Text }, theme, conversation, panel, work, editor, settle }: ScreenQuestionsParts,
): ScreenQuestions {
  const inTurn = createLock();
  const end = (): void => {
    // The library writes a blank over the last row when it stops, so that row must be empty.
    conversation.addLines([""]);
    tui.renderNow();
    tui.stop();
  };
  const withTerminal: ScreenQuestions["withTerminal"] = (use) =>
    inTurn(async () => {
      settle();
      work.pause();
      const parts = tui.children.filter((child) => child !== conversation.component);
      for (const part of parts) tui.removeChild(part);
      end();
      conversation.component.clear();
      try {
        return await use();
      } finally {
        for (const part of parts) tui.addChild(part);
        tui.restoreRenderState({ ...blank });
        tui.start();
        work.goOn();
        tui.setFocus(editor);
        // What was asked for while it was stopped would otherwise count as still to come.
        tui.renderNow();
      }
    });
  const toItem = ({ value, label, about }: TalkChoice) => ({
    value,
    label: escapeLine(label),
    ...(about !== undefined && { description: escapeLine(about) }),
  });
  const choose: TalkView["choose"] = (title, choices) =>
    inTurn(
      () =>
        new Promise((resolve) => {
          const list = new SelectList(choices.map(toItem), maxChoices, theme.list, {
            maxPrimaryColumnWidth: Math.max(minLabel, tui.terminal.columns - aboutColumns),
          });
          const heading = new Text(theme.style("bold", escapeLine(title)), 0, 0);
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
  return { withTerminal, choose, end };
}

const maxChoices = 10;
const minLabel = 32;
/** For a time, or a short explanation. */
const aboutColumns = 36;

/** As before the first frame: what is on the screen is left alone. */
const blank = {
  previousLines: [],
  previousWidth: 0,
  previousHeight: 0,
  cursorRow: 0,
  hardwareCursorRow: 0,
  maxLinesRendered: 0,
  previousViewportTop: 0,
};
