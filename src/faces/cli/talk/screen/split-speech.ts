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
