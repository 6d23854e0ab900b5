/** One fenced block of a Markdown document. */
export interface MarkdownBlock {
  readonly language: string;
  /** The file that the block shows, if it shows one; it follows the language. */
  readonly file?: string;
  /** Why it cannot be tried, where it says so in place of a file: `not run: serves until it is stopped`. */
  readonly reason?: string;
  readonly text: string;
  /** Where it begins, counted from 1. */
  readonly line: number;
}

export function findBlocks(markdown: string): MarkdownBlock[] {
  return [...markdown.matchAll(/^```(\w*)(?: ([^\n]+))?\n(.*?)^```$/gms)].map((match) => {
    const [, language = "", note, text = ""] = match;
    const reason = note && /^not run: (.+)$/.exec(note)?.[1];
    return {
      language,
      ...(reason ? { reason } : note && { file: note }),
      text,
      line: markdown.slice(0, match.index).split("\n").length,
    };
  });
}
