import { type CutOptions, cutMiddle } from "../text/cut-middle.ts";
import { materialMark } from "../text/mark-as-material.ts";

/**
 * Cuts a text that quotes others, like `cutMiddle`. A quotation that the cut goes through ends before it and begins
 * again after it: its rest would otherwise look like the quoter's own words.
 */
export function cutBesideQuotes(
  text: string,
  options: CutOptions,
  readQuotes: QuoteReader = readAnyQuote,
): { text: string; omitted: number } {
  const { text: cut, omitted, headEnd } = cutMiddle(text, options);
  if (omitted === 0) return { text, omitted };
  const tailStart = headEnd + omitted;
  const before = openQuoteAt(text, headEnd, readQuotes);
  const after = openQuoteAt(text, tailStart, readQuotes);
  const markerEnd = cut.length - (text.length - tailStart);
  const ending = before === undefined ? "" : `\n${before.end}`;
  const beginning = after === undefined ? "" : `${after.begin}\n`;
  return {
    text: `${cut.slice(0, headEnd)}${ending}${cut.slice(headEnd, markerEnd)}${beginning}${cut.slice(markerEnd)}`,
    omitted,
  };
}

/** A quotation by the line that begins it and the one that ends it. */
interface Quote {
  readonly begin: string;
  readonly end: string;
}

type QuoteReader = (line: string) => Quote | undefined;

/** Reads the beginning of material in marks of ours, and no other quote, for text that is not Markdown. */
export function readMark(line: string): Quote | undefined {
  const [, slash, mark] = materialMark.exec(line) ?? [];
  return mark === undefined || slash !== "" ? undefined : { begin: line, end: `</${mark}>` };
}

function readAnyQuote(line: string): Quote | undefined {
  const [, fence] = /^(`{3,})[\w-]*$/.exec(line) ?? [];
  return fence === undefined ? readMark(line) : { begin: line, end: fence };
}

function openQuoteAt(text: string, index: number, readQuote: QuoteReader): Quote | undefined {
  let open: Quote | undefined;
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1 && end < index; end = text.indexOf("\n", start)) {
    // Nothing else can be such a line, and most lines of a long text are not even looked at.
    if (text[start] === "`" || text[start] === "<") {
      const line = text.slice(start, end);
      if (open === undefined) open = readQuote(line);
      else if (line === open.end) open = undefined;
    }
    start = end + 1;
  }
  return open;
}
