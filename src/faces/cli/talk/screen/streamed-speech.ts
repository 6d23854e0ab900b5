import type { Component, TuiMainScreen } from "@earendil-works/pi-tui";
import { showWords } from "../../display/show-words.ts";
import type { CommandOutput } from "../../terminal/command-output.ts";
import type { TerminalLibrary } from "./load-terminal-library.ts";
import type { ShownConversation } from "./shown-conversation.ts";

export type StreamedSpeech = ReturnType<typeof createStreamedSpeech>;
type Speech = "words" | "thoughts";

interface StreamedSpeechParts {
  readonly library: TerminalLibrary;
  readonly style: CommandOutput["style"];
  readonly conversation: ShownConversation;
  drawMarkdown(text: string): Component;
}

/**
 * Shows the model's answer while it is written: finished blocks go to the conversation, the last one is drawn again with
 * every word.
 */
export function createStreamedSpeech(tui: TuiMainScreen, parts: StreamedSpeechParts) {
  const { library, style, conversation, drawMarkdown } = parts;
  const component = new library.Container();
  const render = component.render.bind(component);
  // A table gets wider with its last row. If its first rows were off the screen, all of it would have to be drawn again,
  // and would stay in the scrollback each time.
  component.render = (width) => render(width).slice(-Math.max(1, Math.floor(tui.terminal.rows / 2)));
  let spoken = { kind: "words" as Speech, text: "" };
  const keep = (kind: Speech, text: string): void => {
    const lines = showWords(text.trimEnd()).split("\n");
    if (kind === "words") conversation.addMarkdown(text);
    else conversation.addLines([...lines.map((line) => style("dim", line)), ""]);
  };
  const end = (): void => {
    component.clear();
    if (spoken.text.trim() !== "") keep(spoken.kind, spoken.text);
    spoken = { kind: "words", text: "" };
  };
  return {
    component,
    end,
    say(kind: Speech, text: string) {
      if (kind !== spoken.kind) end();
      const { whole, rest } = splitSpeech(spoken.text + text);
      if (whole !== "") keep(kind, whole);
      spoken = { kind, text: rest };
      component.clear();
      tui.requestRender();
      if (rest.trim() === "") return;
      conversation.addBreak();
      const shown = showWords(rest);
      component.addChild(
        kind === "words" ? drawMarkdown(shown) : new library.Text(style("dim", shown), 0, 0),
      );
    },
  };
}

/**
 * Divides streamed Markdown into blocks that are complete and the rest, which may still change as more of it arrives. The rest
 * is drawn again with every word, so a block that does not end is divided too: a fence ends with the first part and begins
 * anew in the second.
 */
export function splitSpeech(text: string): { readonly whole: string; readonly rest: string } {
  let fence: { readonly mark: string; readonly line: string } | undefined;
  let end = 0;
  let at = 0;
  for (const line of text.split("\n").slice(0, -1)) {
    at += line.length + 1;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) fence = mark === undefined ? undefined : { mark, line };
    else if (mark?.startsWith(fence.mark) && line.trim() === mark) fence = undefined;
    if (fence === undefined && line.trim() === "") end = at;
  }
  if (text.length - end <= maxRest) return { whole: text.slice(0, end), rest: text.slice(end) };
  const lineEnd = text.lastIndexOf("\n") + 1;
  const cut = lineEnd > end + maxRest / 2 ? lineEnd : text.length;
  const [whole, rest] = [text.slice(0, cut), text.slice(cut)];
  if (fence === undefined) return { whole, rest };
  return {
    whole: `${whole}${whole.endsWith("\n") ? "" : "\n"}${fence.mark}\n`,
    rest: `${fence.line.slice(0, maxFenceLine)}\n${rest}`,
  };
}

const maxRest = 10_000;
const maxFenceLine = 100;
