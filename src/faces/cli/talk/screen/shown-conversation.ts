import type { Component, TuiMainScreen } from "@earendil-works/pi-tui";
import { countOf } from "../../../../shared/text/count-of.ts";
import { showWords } from "../../display/show-words.ts";
import type { TerminalLibrary } from "./load-terminal-library.ts";

export type ShownConversation = ReturnType<typeof createShownConversation>;

/** Shows the conversation so far, at the top of the screen. It grows upwards into the terminal's scrollback. */
export function createShownConversation(
  tui: TuiMainScreen,
  { library, drawMarkdown }: { library: TerminalLibrary; drawMarkdown: (text: string) => Component },
) {
  const component = new library.Container();
  let shownRows = 0;
  const render = component.render.bind(component);
  component.render = (width) => {
    const rows = render(width);
    shownRows = rows.length;
    return rows;
  };
  const add = (part: Component): void => {
    component.addChild(part);
    retire();
    tui.requestRender();
  };
  /** Lets go of the parts that have scrolled off the screen, so that a long conversation costs no more than a short one. */
  const retire = (): void => {
    if (component.children.length < maxKept) return;
    const state = tui.captureRenderState();
    const width = state.previousWidth;
    if (width === 0) return;
    let gone = 0;
    let rows = 0;
    for (const child of component.children) {
      const next = rows + child.render(width).length;
      if (next > state.previousViewportTop) break;
      rows = next;
      gone += 1;
    }
    if (rows === 0) return;
    component.children.splice(0, gone);
    shownRows -= rows;
    tui.restoreRenderState({
      ...state,
      previousLines: state.previousLines.slice(rows),
      cursorRow: state.cursorRow - rows,
      hardwareCursorRow: state.hardwareCursorRow - rows,
      maxLinesRendered: state.maxLinesRendered - rows,
      previousViewportTop: state.previousViewportTop - rows,
    });
  };
  let isBroken = true;
  /** Adds lines, which are printable already. */
  const addLines = (lines: readonly string[], margin?: LineMargin): void => {
    if (lines.length === 0) return;
    add(createTalkLines(fitLines(lines), library, margin));
    isBroken = lines.at(-1) === "";
  };
  /** Adds an empty row, unless there is one already. */
  const addBreak = (): void => {
    if (!isBroken) addLines([""]);
  };
  return {
    component,
    addLines,
    addBreak,
    retire,
    /** Leaves the conversation to the terminal: the next part is drawn at the cursor. */
    letGo() {
      component.clear();
      tui.restoreRenderState({ ...blank });
    },
    /** Notes that another part has written below the conversation. */
    noteOthers() {
      isBroken = false;
    },
    /** How many rows of the latest frame are part of it. */
    get shownRows() {
      return shownRows;
    },
    addMarkdown(text: string): void {
      if (text.trim() === "") return;
      addBreak();
      add(drawMarkdown(showWords(text.slice(0, maxCharacters).trimEnd())));
      if (text.length > maxCharacters) addLines([tellRest(text.length - maxCharacters)]);
      addLines([""]);
    },
  };
}

const maxKept = 100;
// The whole text is drawn at once, and again for another width: a pasted text or a model's message of a megabyte took seconds.
const maxCharacters = 50_000;

function fitLines(lines: readonly string[]): readonly string[] {
  let room = maxCharacters;
  for (const [index, line] of lines.entries()) {
    room -= line.length + 1;
    if (room >= 0) continue;
    const begun = line.slice(0, line.length + room);
    const rest = lines
      .slice(index + 1)
      .reduce((sum, each) => sum + each.length + 1, line.length - begun.length);
    return [...lines.slice(0, index), begun, tellRest(rest)];
  }
  return lines;
}

function tellRest(characters: number): string {
  return `… and ${countOf(characters, "character")} more`;
}

/** The state before the first frame, so that the library leaves text on the screen alone. */
const blank = {
  previousLines: [],
  previousWidth: 0,
  previousHeight: 0,
  cursorRow: 0,
  hardwareCursorRow: 0,
  maxLinesRendered: 0,
  previousViewportTop: 0,
};

/** The texts before the first row, and before all others; both are equally wide. */
interface LineMargin {
  readonly first: string;
  readonly indent: string;
}

/** Finished lines of the conversation. Their text is printable already; it is wrapped once per width. */
function createTalkLines(
  lines: readonly string[],
  { wrapTextWithAnsi }: Pick<TerminalLibrary, "wrapTextWithAnsi">,
  { first, indent }: LineMargin = { first: "", indent: "" },
): Component {
  let wrapped: { readonly width: number; readonly rows: string[] } | undefined;
  const wrap = (width: number): string[] => {
    const room = Math.max(1, width - indent.length);
    const rows = lines.flatMap((line) => wrapTextWithAnsi(line, room));
    return rows.map((row, index) => `${index === 0 ? first : indent}${row}`);
  };
  return {
    render(width) {
      if (wrapped?.width !== width) wrapped = { width, rows: wrap(width) };
      return wrapped.rows;
    },
    invalidate() {
      wrapped = undefined;
    },
  };
}
