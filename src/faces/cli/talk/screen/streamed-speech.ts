import type { Component, Container } from "@earendil-works/pi-tui";
import { showWords } from "../../display/show-words.ts";
import type { CommandOutput } from "../../terminal/command-output.ts";
import type { TerminalLibrary } from "./load-terminal-library.ts";
import type { ShownConversation } from "./shown-conversation.ts";
import { splitSpeech } from "./split-speech.ts";

/**
 * The model's answer while it is written: finished blocks go to the conversation, the last one is drawn again with
 * every word.
 */
export interface StreamedSpeech {
  readonly component: Container;
  say(kind: Speech, text: string): void;
  end(): void;
}

type Speech = "words" | "thoughts";

export function createStreamedSpeech(
  conversation: ShownConversation,
  {
    library: { Container, Text },
    style,
    drawMarkdown,
    redraw,
    screenRows,
  }: {
    library: TerminalLibrary;
    style: CommandOutput["style"];
    drawMarkdown: (text: string) => Component;
    redraw: () => void;
    screenRows: () => number;
  },
): StreamedSpeech {
  const component = new Container();
  const render = component.render.bind(component);
  // A table gets wider with its last row. Were its first rows off the screen then, all of it would have to be drawn again, and
  // stay in the scrollback each time.
  component.render = (width) => render(width).slice(-Math.max(1, Math.floor(screenRows() / 2)));
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
    say(kind, text) {
      if (kind !== spoken.kind) end();
      const { whole, rest } = splitSpeech(spoken.text + text);
      if (whole !== "") keep(kind, whole);
      spoken = { kind, text: rest };
      component.clear();
      redraw();
      if (rest.trim() === "") return;
      conversation.addBreak();
      const shown = showWords(rest);
      component.addChild(kind === "words" ? drawMarkdown(shown) : new Text(style("dim", shown), 0, 0));
    },
  };
}
