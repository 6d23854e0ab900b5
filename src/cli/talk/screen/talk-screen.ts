import type { Component } from "@earendil-works/pi-tui";
import type { LoggedEvent } from "../../../runtime/events/session-event.ts";
import { loadDiff } from "../../../runtime/services/files/diff/load-diff.ts";
import { createLock } from "../../../shared/lock.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { escapeControls, escapeLine } from "../../../shared/text/escape-controls.ts";
import { createKnownAgents } from "../../ask/known-agents.ts";
import { screenColumns } from "../../ask/screen-columns.ts";
import { createChildrenDisplay } from "../../display/children-display.ts";
import { describeCallInLine, describeStart, formatDiff } from "../../display/describe-call.ts";
import { describeGivenNotes } from "../../display/describe-given-notes.ts";
import { formatDuration } from "../../display/format-time.ts";
import { showWords } from "../../display/show-words.ts";
import type { CommandOutput } from "../../terminal/command-output.ts";
import type { Talk } from "../talk.ts";
import type { TalkChoice, TalkView } from "../talk-view.ts";
import { describeTalkStatus } from "./describe-talk-status.ts";
import { type DiffWords, formatDiffWords } from "./diff-words.ts";
import type { TerminalLibrary } from "./load-terminal-library.ts";
import { createScreenTheme } from "./screen-theme.ts";
import { splitSpeech } from "./split-speech.ts";
import { createTalkCompletion } from "./talk-completion.ts";
import { createTalkLines } from "./talk-lines.ts";
import { createTalkTerminal } from "./talk-terminal.ts";

export interface TalkScreen extends TalkView {
  /** Who gets what is typed. Keys before that are kept in the editor. */
  attach(talk: Talk): void;
  stop(): void;
}

/** The conversation on the terminal's main screen: finished lines go up into its scrollback, and stay as they are. */
export function openTalkScreen(
  library: TerminalLibrary,
  { output, workspace }: { output: CommandOutput; workspace: string },
): TalkScreen {
  const { Container, Editor, Loader, Markdown, SelectList, Text, TuiMainScreen } = library;
  const { matchesKey, setCapabilities, truncateToWidth } = library;
  // A link is shown with its address, and an image of a model is not drawn: what is on screen is what was said.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  const theme = createScreenTheme(output.style);
  const { style } = output;
  const tui = new TuiMainScreen(createTalkTerminal(library));
  const transcript = new Container();
  const live = new Container();
  const panel = new Container();
  const editor = new Editor(tui, theme.editor);
  let statusText = "starting …";
  const statusLine = {
    render: (width: number) => [style("dim", truncateToWidth(statusText, width, "…"))],
    invalidate() {},
  };
  const loader = new Loader(
    tui,
    (text) => style("cyan", text),
    (text) => style("dim", text),
    "",
  );
  loader.stop();
  let talk: Talk | undefined;
  /** What was sent before there was anybody to read it. */
  const early: string[] = [];
  let diffWords: DiffWords | undefined;
  // Needed with the first change; until it is there, whole lines are coloured.
  loadDiff().then(
    ({ diffWordsWithSpace }) => {
      diffWords = diffWordsWithSpace;
    },
    () => {},
  );
  let isLoading = false;
  let quitAsked = Number.NEGATIVE_INFINITY;

  const children = createChildrenDisplay(
    { styleMessage: style, messageColumns: () => tui.terminal.columns },
    workspace,
  );
  const agents = createKnownAgents();
  const own = new Set<string>();
  const running = new Map<string, string>();
  const recent: string[][] = [];
  let detailsShown = 0;
  let spoken = { kind: "words" as "words" | "thoughts", text: "" };

  const add = (component: Component): void => {
    transcript.addChild(component);
    retire();
    tui.requestRender();
  };
  const addLines = (lines: readonly string[]): void => {
    if (lines.length > 0) add(createTalkLines(lines, library));
  };
  const addMarkdown = (text: string): void => {
    if (text.trim() !== "") add(new Markdown(showWords(text.trimEnd()), 0, 0, theme.markdown));
    addLines([""]);
  };

  /** Lets go of what has scrolled off the screen, so that a long conversation costs no more than a short one. */
  const retire = (): void => {
    if (transcript.children.length < maxKept) return;
    const state = tui.captureRenderState();
    const width = state.previousWidth;
    let gone = 0;
    let rows = 0;
    for (const child of transcript.children) {
      const next = rows + child.render(width).length;
      if (next > state.previousViewportTop) break;
      rows = next;
      gone += 1;
    }
    if (rows === 0) return;
    transcript.children.splice(0, gone);
    tui.restoreRenderState({
      ...state,
      previousLines: state.previousLines.slice(rows),
      cursorRow: state.cursorRow - rows,
      hardwareCursorRow: state.hardwareCursorRow - rows,
      maxLinesRendered: state.maxLinesRendered - rows,
      previousViewportTop: state.previousViewportTop - rows,
    });
  };

  const say = (kind: "words" | "thoughts", text: string): void => {
    if (kind !== spoken.kind) endSpeech();
    const { whole, rest } = splitSpeech(spoken.text + text);
    if (whole !== "") showSpeech(kind, whole);
    spoken = { kind, text: rest };
    live.clear();
    if (rest.trim() !== "")
      live.addChild(
        kind === "words"
          ? new Markdown(showWords(rest), 0, 0, theme.markdown)
          : new Text(style("dim", showWords(rest)), 0, 0),
      );
    tui.requestRender();
  };
  const showSpeech = (kind: "words" | "thoughts", text: string): void => {
    if (kind === "words") addMarkdown(text);
    else
      addLines([
        ...showWords(text.trimEnd())
          .split("\n")
          .map((line) => style("dim", line)),
        "",
      ]);
  };
  const endSpeech = (): void => {
    live.clear();
    if (spoken.text.trim() !== "") showSpeech(spoken.kind, spoken.text);
    spoken = { kind: "words", text: "" };
  };
  const showWork = (text: string | undefined): void => {
    if (text === undefined) {
      if (isLoading) panel.removeChild(loader);
      loader.stop();
    } else {
      loader.setMessage(text);
      if (!isLoading) {
        panel.children.unshift(loader);
        loader.start();
      }
    }
    isLoading = text !== undefined;
    tui.requestRender();
  };
  const describeRunning = (): string => {
    const [first = children.activity() ?? "thinking", ...more] = running.values();
    const calls = more.length > 0 ? `${first} and ${more.length} more` : first;
    return children.atWork > 0 ? `${calls} (${countOf(children.atWork, "agent")} at work)` : calls;
  };
  const showCall = (event: Extract<LoggedEvent, { type: "call-end" }>): void => {
    const { receipt, text, error } = event;
    const details = [
      style("bold", escapeLine(receipt.calledAs ?? receipt.tool)),
      ...escapeControls(JSON.stringify(receipt.input, null, 2) ?? "").split("\n"),
      ...escapeControls(error?.message ?? text).split("\n"),
    ];
    recent.push(details);
    if (recent.length > maxRecent) recent.shift();
    detailsShown = 0;
    const hasDiff = error === undefined && receipt.effects.writes.length > 0;
    const line = describeCallInLine(event, { style, workspace, maxColumns: tui.terminal.columns });
    const more = hasDiff ? formatDiffWords(text, style, diffWords) : [];
    addLines([line, ...more]);
  };
  /** The latest call in full; again, the one before it. */
  const showDetails = (): void => {
    const details = recent.at(-1 - detailsShown);
    if (details === undefined) return;
    detailsShown += 1;
    const shown = details.slice(0, maxDetails).map((line) => style("dim", line));
    const rest = details.length - shown.length;
    addLines([
      ...shown,
      ...(rest > 0 ? [style("dim", `… and ${rest} more lines; toolwright log has them`)] : []),
      "",
    ]);
  };

  const show = (event: LoggedEvent): void => {
    agents.note(event);
    switch (event.type) {
      case "user-message":
        endSpeech();
        addLines([
          ...showWords(event.text)
            .split("\n")
            .map((line, index) => `${style("cyan", index === 0 ? "❯" : " ")} ${line}`),
          ...(event.images ? [style("dim", `  (with ${countOf(event.images.length, "image")})`)] : []),
          "",
        ]);
        break;
      case "reminder-message":
        for (const line of describeGivenNotes(event.notes)) tell(line);
        break;
      case "agent-start":
        for (const line of describeGivenNotes(event.notes)) tell(line);
        showWork(describeRunning());
        break;
      case "step-start":
        showWork(describeRunning());
        break;
      case "text-delta":
        say("words", event.text);
        break;
      case "reasoning-delta":
        say("thoughts", event.text);
        break;
      case "call-draft":
        showWork(`writing a call to ${escapeLine(event.toolName)} (${event.characters} characters)`);
        break;
      case "assistant-message":
        endSpeech();
        for (const part of event.content) if (part.type === "tool-call") own.add(part.callId);
        break;
      case "call-start":
        if (!own.has(event.callId)) break;
        running.set(event.callId, describeStart(event, workspace));
        showWork(describeRunning());
        break;
      case "call-end":
        if (!own.delete(event.callId)) break;
        running.delete(event.callId);
        if (!children.takeParentCall(event.callId)) showCall(event);
        showWork(describeRunning());
        break;
      case "subagent-start":
      case "subagent-event":
      case "subagent-end":
        addLines(children.show(event));
        break;
      case "model-retry":
        tell(`${event.reason}; trying again in ${formatDuration(event.delayMs)}`, "problem");
        break;
      case "conversation-rewind":
        tell("the conversation went back; what came after that message is only in the log");
        break;
      case "context-compact":
        tell("a summary took the place of what was said so far; the log keeps all of it");
        break;
      case "context-trim":
        tell("older tool outputs were left out to save context");
        break;
      case "agent-end":
        endSpeech();
        running.clear();
        own.clear();
        showWork(undefined);
        break;
    }
  };
  const tell: TalkView["tell"] = (text, tone = "note") => {
    endSpeech();
    const shown = escapeControls(text).split("\n");
    addLines(shown.map((line) => style(tone === "problem" ? "yellow" : "dim", line)));
  };

  /** The library writes a blank over the last row when it stops, so that row must be empty. */
  const endScreen = (): void => {
    transcript.addChild(createTalkLines([""], library));
    tui.renderNow();
    tui.stop();
  };
  const inTurn = createLock();
  /** Gives the terminal to a question: what is shown stays, and the editor comes back below the answer. */
  const withTerminal = <Result>(ask: () => Promise<Result>): Promise<Result> =>
    inTurn(async () => {
      endSpeech();
      loader.stop();
      const parts = tui.children.filter((child) => child !== transcript);
      for (const part of parts) tui.removeChild(part);
      endScreen();
      transcript.clear();
      try {
        return await ask();
      } finally {
        for (const part of parts) tui.addChild(part);
        tui.restoreRenderState({ ...blank });
        tui.start();
        if (isLoading) loader.start();
        tui.setFocus(editor);
        // What was asked for while it was stopped would otherwise count as still to come.
        tui.renderNow();
      }
    });
  const choose = (title: string, choices: readonly TalkChoice[]): Promise<string | undefined> =>
    inTurn(
      () =>
        new Promise((resolve) => {
          const list = new SelectList(
            choices.map(({ value, label, about }) => ({
              value,
              label: escapeLine(label),
              ...(about !== undefined && { description: escapeLine(about) }),
            })),
            maxChoices,
            theme.list,
          );
          const heading = new Text(style("bold", escapeLine(title)), 0, 0);
          const end = (value: string | undefined) => {
            panel.removeChild(heading);
            panel.removeChild(list);
            tui.setFocus(editor);
            tui.requestRender();
            resolve(value);
          };
          list.onSelect = ({ value }) => end(value);
          list.onCancel = () => end(undefined);
          panel.addChild(heading);
          panel.addChild(list);
          tui.setFocus(list);
          tui.requestRender();
        }),
    );

  editor.setAutocompleteProvider(createTalkCompletion(() => talk));
  editor.onSubmit = (text) => {
    if (text.trim() === "") return;
    editor.addToHistory(text);
    if (talk === undefined) early.push(text);
    else void talk.submit(text);
  };
  tui.addInputListener((data) => {
    if (tui.getFocusedComponent() !== editor) return undefined;
    if (matchesKey(data, "escape") && !editor.isShowingAutocomplete() && talk?.isWorking) {
      talk.interrupt();
      return { consume: true };
    }
    if (matchesKey(data, "ctrl+c")) {
      onCtrlC();
      return { consume: true };
    }
    if (matchesKey(data, "ctrl+d") && editor.getText() === "") {
      talk?.leave();
      return { consume: true };
    }
    if (matchesKey(data, "ctrl+o")) {
      showDetails();
      return { consume: true };
    }
    if (matchesKey(data, "alt+enter")) {
      const text = editor.getExpandedText();
      editor.setText("");
      if (text.trim() !== "") talk?.queue(text);
      return { consume: true };
    }
    return undefined;
  });
  const onCtrlC = (): void => {
    if (talk?.isWorking) talk.interrupt();
    else if (editor.getText() !== "") editor.setText("");
    else if (performance.now() - quitAsked < quitMs) talk?.leave();
    else {
      quitAsked = performance.now();
      tell("press Ctrl-C again to leave");
    }
  };

  for (const part of [transcript, live, panel, editor, statusLine]) tui.addChild(part);
  tui.setFocus(editor);
  tui.start();
  tui.renderNow();

  return {
    show,
    tell,
    tellMarkdown: addMarkdown,
    choose,
    fillEditor(text) {
      editor.setText(text);
      tui.requestRender();
    },
    setStatus(status) {
      statusText = describeTalkStatus(status);
      tui.requestRender();
    },
    onApproval: (request, signal) =>
      withTerminal(async () => {
        if (signal.aborted) return "deny";
        // Not needed for the first frame.
        const { askApproval } = await import("../../ask/ask-approval.ts");
        const asking = agents.find(request.sessionId);
        return askApproval(request, signal, {
          preview: formatDiff(request.preview ?? "", style, { maxColumns: screenColumns() - 1 }),
          ...(asking && { asking }),
          onLeave: () => talk?.interrupt(),
        });
      }),
    onQuestion: (question, signal, from) =>
      withTerminal(async () => {
        signal.throwIfAborted();
        const { askAtTerminal } = await import("../../ask/ask-at-terminal.ts");
        return askAtTerminal(question, signal, from);
      }),
    attach(given) {
      talk = given;
      for (const text of early.splice(0)) given.queue(text);
    },
    stop() {
      endSpeech();
      showWork(undefined);
      for (const part of [live, panel, editor, statusLine]) tui.removeChild(part);
      endScreen();
    },
  };
}

const maxKept = 100;
const maxRecent = 50;
const maxDetails = 200;
const maxChoices = 10;
const quitMs = 2000;

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
