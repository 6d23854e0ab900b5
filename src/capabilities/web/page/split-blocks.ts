/**
 * Cuts Markdown or plain text into paragraphs, lists, tables and code blocks. A heading stays with the next block, and
 * a very long block is cut at the end of a line.
 */
export function splitBlocks(text: string): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  let length = 0;
  let hasContent = false;
  let fence = "";
  const flush = () => {
    const block = lines.join("\n").trim();
    if (block !== "") blocks.push(block);
    lines = [];
    length = 0;
    hasContent = false;
  };
  for (const line of text.split("\n")) {
    const isBeside = isHeadingOrBlank(line);
    if ((fence === "" && isBeside && hasContent) || length > maxBlockLength) flush();
    lines.push(line);
    length += line.length + 1;
    hasContent ||= !isBeside;
    fence = nextFence(fence, line);
  }
  flush();
  return blocks;
}

const maxBlockLength = 2000;

function isHeadingOrBlank(line: string): boolean {
  return line.trim() === "" || /^#{1,6} /.test(line);
}

/** A code block ends with a fence at least as long as the one that it starts with. */
function nextFence(fence: string, line: string): string {
  const [, found = "", rest = ""] = /^\s{0,40}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
  if (fence === "") return found;
  const closes = found.startsWith(fence) && rest.trim() === "";
  return closes ? "" : fence;
}
