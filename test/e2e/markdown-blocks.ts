/** One fenced block of a Markdown document. */
export interface MarkdownBlock {
  readonly language: string;
  /** What follows the language: the name of the file that the block shows, if it shows one. */
  readonly file: string | undefined;
  readonly text: string;
  /** Where it begins, counted from 1. */
  readonly line: number;
}

export function findBlocks(markdown: string): MarkdownBlock[] {
  return [...markdown.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map((match) => {
    const [, language = "", file, text = ""] = match;
    return { language, file, text, line: markdown.slice(0, match.index).split("\n").length };
  });
}
