/**
 * Loads the parts of the library that the first frame needs. The build leaves out the others, so that less is loaded
 * before that frame.
 */
export async function loadTerminalLibrary() {
  const {
    Container,
    Editor,
    Loader,
    ProcessTerminal,
    SelectList,
    Text,
    TuiMainScreen,
    matchesKey,
    setCapabilities,
    truncateToWidth,
    visibleWidth,
    wrapTextWithAnsi,
  } = await import("@earendil-works/pi-tui");
  return {
    Container,
    Editor,
    Loader,
    ProcessTerminal,
    SelectList,
    Text,
    TuiMainScreen,
    matchesKey,
    setCapabilities,
    truncateToWidth,
    visibleWidth,
    wrapTextWithAnsi,
  };
}

export type TerminalLibrary = Awaited<ReturnType<typeof loadTerminalLibrary>>;

/** Markdown with its parser, which nothing needs before something was said. */
export async function loadMarkdown() {
  const { Markdown } = await import("@earendil-works/pi-tui/dist/components/markdown.js");
  return Markdown;
}
