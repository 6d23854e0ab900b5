import type { Component, Terminal, TuiMainScreen } from "@earendil-works/pi-tui";
import type { LoggedEvent } from "../../../../kernel/events/index.ts";
import { loadDiff } from "../../../../shared/diff/load-diff.ts";
import { escapeControls, escapeLine } from "../../../../shared/text/escape-controls.ts";
import { columnsOf } from "../../display/cut-to-columns.ts";
import type { CommandOutput } from "../../terminal/command-output.ts";
import type { TalkStatus, TalkView } from "../talk-view.ts";
import type { DiffWords } from "./diff-words.ts";
import { createEventDisplay } from "./event-display.ts";
import { loadMarkdown, type TerminalLibrary } from "./load-terminal-library.ts";
import { createScreenAnswers } from "./screen-answers.ts";
import { createScreenQuestions } from "./screen-questions.ts";
import { createScreenTheme } from "./screen-theme.ts";
import { createShownConversation } from "./shown-conversation.ts";
import { createStreamedSpeech } from "./streamed-speech.ts";
import { eraseLiveRows, keepScrollback, type Narrowing } from "./terminal/erase-live-rows.ts";
import { paceFrames, type TerminalPace } from "./terminal/terminal-pace.ts";
import { createTypedInput } from "./typed-input.ts";
import { createWorkLine } from "./work-line.ts";

export type TalkScreen = ReturnType<typeof openTalkScreen>;

export interface TalkScreenOptions {
  readonly terminal: Terminal;
  readonly style: CommandOutput["style"];
  readonly workspace: string;
  readonly narrowing: Narrowing;
  readonly pace: TerminalPace;
  /** The terminal is gone. */
  readonly hungUp: AbortSignal;
  /** Stops the process, and resolves when it was continued. */
  suspend(): Promise<void>;
  /** Is called when the person leaves before the conversation is open. */
  onLeave(): void;
}

/** Opens the conversation on the terminal's main screen: finished lines go up into its scrollback, and stay as they are. */
export function openTalkScreen(
  library: TerminalLibrary,
  { terminal, style, workspace, narrowing, pace, hungUp, suspend, onLeave }: TalkScreenOptions,
) {
  const { Container, Editor, Text, setCapabilities, truncateToWidth } = library;
  // A link is shown with its address, and an image of a model is not drawn, so that the screen shows the text as it is.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  const theme = createScreenTheme(style);
  const fit = (cursorColumn: number | undefined) =>
    eraseLiveRows(tui, { library, conversation, narrowing }, cursorColumn);
  const tui: TuiMainScreen = new library.TuiMainScreen(keepScrollback(terminal, fit));
  const render = tui.render.bind(tui);
  // The library fills rows with blanks, which a narrower terminal would break into further rows.
  tui.render = (width) => render(width).map((row) => row.trimEnd());
  const frames = paceFrames(tui, pace);
  let Markdown: Awaited<ReturnType<typeof loadMarkdown>> | undefined;
  let diffWords: DiffWords | undefined;
  const drawMarkdown = (text: string): Component =>
    Markdown === undefined ? new Text(text, 0, 0) : new Markdown(text, 0, 0, theme.markdown);

  const conversation = createShownConversation(tui, { library, drawMarkdown });
  const speech = createStreamedSpeech(tui, { library, style, conversation, drawMarkdown });
  const panel = new Container();
  const work = createWorkLine(tui, { library, style, panel });
  const editor = new Editor(tui, theme.editor);
  let status: TalkStatus | undefined;
  const statusLine = {
    render(width: number) {
      const text = status === undefined ? "starting …" : describeTalkStatus(status, width);
      return [style("dim", truncateToWidth(text, width, "…"))];
    },
    invalidate() {},
  };
  const tell: TalkView["tell"] = (text, tone = "note") => {
    speech.end();
    const shown = escapeControls(text).split("\n");
    conversation.addLines(shown.map((line) => style(tone === "problem" ? "yellow" : "dim", line)));
  };
  const display = createEventDisplay({
    ...{ conversation, speech, work, style, tell, workspace },
    columns: () => tui.terminal.columns,
    diffWords: () => diffWords,
  });
  const { withTerminal, choose, end, isAsking } = createScreenQuestions(tui, {
    ...{ library, theme, conversation, speech, panel, work, editor, pace },
  });

  const typed = createTypedInput(tui, {
    ...{ library, editor, tell, onLeave },
    // After a long session was resumed, no other event may come for a while.
    onKey: conversation.retire,
    showDetails: () => conversation.addLines(display.details.next()),
    suspend: () => void withTerminal(suspend),
  });
  const { note, ...answers } = createScreenAnswers({
    ...{ withTerminal, style, hungUp },
    interrupt: () => typed.talk?.interrupt(),
  });

  const parts = [conversation.component, speech.component, panel, editor, statusLine];
  for (const part of parts) tui.addChild(part);
  tell("Say what to do. /help lists commands and keys, Ctrl-D leaves.");
  conversation.addBreak();
  tui.setFocus(editor);
  tui.start();
  tui.renderNow();

  return {
    whenReady: frames.whenReady,
    show(event) {
      frames.noteShown(shownSize(event));
      note(event);
      display.show(event);
    },
    settle: display.settle,
    tell,
    tellMarkdown: conversation.addMarkdown,
    choose,
    fillEditor(text) {
      editor.setText(text);
      tui.requestRender();
    },
    setStatus(next) {
      status = next;
      tui.requestRender();
    },
    ...answers,
    isAsking,
    /** Loads the parts that the first frame does without. Until then, Markdown is shown as plain text. */
    async prepare() {
      const [markdown, diff] = await Promise.all([loadMarkdown(), loadDiff()]);
      Markdown = markdown;
      diffWords = diff.diffWordsWithSpace;
    },
    attach: typed.attach,
    stop() {
      speech.end();
      work.show(undefined);
      for (const part of parts.slice(1)) tui.removeChild(part);
      end();
    },
  } satisfies TalkView & Record<string, unknown>;
}

/** Estimates the number of characters that are drawn for an event. */
function shownSize(event: LoggedEvent): number {
  const text = "text" in event && typeof event.text === "string" ? event.text.length : 0;
  return usualSize + (event.type === "call-end" ? Math.min(text, maxCallSize) : text);
}

const usualSize = 80;
const maxCallSize = 3000;

/**
 * The line at the bottom, in as many words as fit. What matters most comes first, because a line that is still too long is
 * cut at its end.
 */
export function describeTalkStatus(status: TalkStatus, columns = Number.POSITIVE_INFINITY): string {
  const { mode, isPlanning, sandbox, tokens, cost, contextLeft, queued, waiting } = status;
  const model = escapeLine(status.model);
  const bare = model.slice(model.lastIndexOf("/") + 1);
  const line = ({ name, isShort }: { name: string; isShort: boolean }) =>
    [
      name,
      isPlanning ? "plan" : mode,
      waiting > 0 && `${waiting} waiting: /approve`,
      queued > 0 && `${queued} queued`,
      `${Math.round(contextLeft * 100)}% ${isShort ? "" : "context "}left`,
      `${shortNumber(tokens)} tokens`,
      cost !== undefined && `$${cost.toFixed(2)}`,
      sandbox === "none" ? "no sandbox" : isShort ? sandbox : `sandbox ${sandbox}`,
    ]
      .filter(Boolean)
      .join(" · ");
  const forms = [
    line({ name: shortName(model, maxName), isShort: false }),
    line({ name: shortName(bare, maxName), isShort: false }),
    line({ name: shortName(bare, maxName), isShort: true }),
    line({ name: shortName(bare, minName), isShort: true }),
  ];
  return forms.find((form) => columnsOf(form) <= columns) ?? forms.at(-1) ?? "";
}

function shortNumber(value: number): string {
  if (value < 1000) return String(value);
  return value < 1_000_000 ? `${(value / 1000).toFixed(1)}k` : `${(value / 1_000_000).toFixed(1)}M`;
}

/** The end of a long name, such as that of a file, tells more than its beginning. */
function shortName(name: string, max: number): string {
  return name.length <= max ? name : `…${name.slice(1 - max)}`;
}

const maxName = 32;
const minName = 16;
