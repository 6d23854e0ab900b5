import type { Container, TuiMainScreen } from "@earendil-works/pi-tui";
import type { CommandOutput } from "../../terminal/command-output.ts";
import type { TerminalLibrary } from "./load-terminal-library.ts";

export type WorkLine = ReturnType<typeof createWorkLine>;

/** Makes the moving line that describes the agent's present work. */
export function createWorkLine(
  tui: TuiMainScreen,
  parts: { library: TerminalLibrary; style: CommandOutput["style"]; panel: Container },
) {
  const { library, style, panel } = parts;
  const loader = new library.Loader(
    tui,
    (text) => style("cyan", text),
    (text) => style("dim", text),
    "",
  );
  loader.stop();
  let isShown = false;
  return {
    /** Shows a text; undefined hides the line. */
    show(text: string | undefined) {
      if (text === undefined) {
        if (isShown) panel.removeChild(loader);
        loader.stop();
      } else {
        loader.setMessage(text);
        if (!isShown) {
          panel.children.unshift(loader);
          loader.start();
        }
      }
      isShown = text !== undefined;
      tui.requestRender();
    },
    /** Stops the line while a question has the terminal. */
    pause: () => loader.stop(),
    goOn() {
      if (isShown) loader.start();
    },
  };
}
