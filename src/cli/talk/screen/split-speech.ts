/** Divides streamed Markdown into blocks that are complete and the rest, which may still change as more of it arrives. */
export function splitSpeech(text: string): { readonly whole: string; readonly rest: string } {
  let fence: string | undefined;
  let end = 0;
  let at = 0;
  for (const line of text.split("\n").slice(0, -1)) {
    at += line.length + 1;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    if (fence === undefined && line.trim() === "") end = at;
  }
  return { whole: text.slice(0, end), rest: text.slice(end) };
}
