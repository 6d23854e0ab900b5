import { open } from "node:fs/promises";

export const lineBytes = 100;

/** Line `number`; all lines have the same length. */
export function numberedLine(number) {
  return `line ${String(number).padStart(9, "0")} `.padEnd(lineBytes - 1, "the quick brown fox ");
}

/** Writes lines numbered from 1, in pieces, so that any size fits in memory. */
export async function writeLargeFile(path, sizeBytes) {
  const handle = await open(path, "w");
  const lineCount = sizeBytes / lineBytes;
  for (let first = 1; first <= lineCount; first += linesAtOnce) {
    const count = Math.min(linesAtOnce, lineCount - first + 1);
    const lines = Array.from({ length: count }, (_, index) => numberedLine(first + index));
    await handle.write(`${lines.join("\n")}\n`);
  }
  await handle.close();
}

const linesAtOnce = 10_000;
