import type { EditorTheme, MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";
import type { CommandOutput } from "../../terminal/command-output.ts";
import { highlightCode } from "./highlight-code.ts";

type Style = CommandOutput["style"];
type Paint = (text: string) => string;

export type ScreenTheme = ReturnType<typeof createScreenTheme>;

/** Colours from the terminal's own sixteen, so that they fit a dark and a light background. */
export function createScreenTheme(style: Style) {
  const paint =
    (name: Parameters<Style>[0]): Paint =>
    (text) =>
      text === "" ? "" : style(name, text);
  const plain: Paint = (text) => text;
  const list: SelectListTheme = {
    selectedPrefix: paint("cyan"),
    selectedText: paint("cyan"),
    description: paint("dim"),
    scrollInfo: paint("dim"),
    noMatch: paint("dim"),
  };
  return {
    style,
    list,
    editor: { borderColor: paint("dim"), selectList: list } satisfies EditorTheme,
    markdown: {
      heading: paint("bold"),
      link: paint("cyan"),
      linkUrl: paint("dim"),
      code: paint("cyan"),
      codeBlock: plain,
      codeBlockBorder: paint("dim"),
      quote: paint("italic"),
      quoteBorder: paint("dim"),
      hr: paint("dim"),
      listBullet: paint("cyan"),
      bold: paint("bold"),
      italic: paint("italic"),
      strikethrough: paint("strikethrough"),
      underline: paint("underline"),
      highlightCode: (code) => highlightCode(code, style),
    } satisfies MarkdownTheme,
  };
}
