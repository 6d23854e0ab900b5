// Started by slice.mjs with a reader, a folder, a file, which lines and how often to read them; prints its measurements as
// JSON.
import { open } from "node:fs/promises";
import { numberedLine } from "./large-file.mjs";
import { openFilesSession } from "./open-files-session.mjs";
import { openPiTools } from "./pi-tools.mjs";

const [reader, folder, file, ...counts] = process.argv.slice(2);
const [firstLine, lineCount, repeats] = counts.map(Number);
const { read, close } = await openReader(reader);
const times = [];
for (let repeat = 0; repeat < repeats; repeat++) {
  const startedAt = performance.now();
  const text = await read();
  times.push(performance.now() - startedAt);
  if (!text.includes(numberedLine(firstLine))) throw new Error(`${reader} did not return line ${firstLine}`);
}
await close?.();
console.log(JSON.stringify({ times, peakBytes: process.resourceUsage().maxRSS * 1024 }));

async function openReader(name) {
  if (name === "stream by hand") return { read: readByHand };
  if (name === "file_read") {
    const session = await openFilesSession(folder);
    const input = { path: file, offset: firstLine, limit: lineCount };
    return { read: async () => (await session.call("file_read", input)).content, close: session.close };
  }
  const pi = await openPiTools(folder, { leaveOut() {} });
  return { read: () => pi.read({ path: file, offset: firstLine, limit: lineCount }) };
}

/** Counts line ends in one reused buffer, and decodes only the wanted lines. */
async function readByHand() {
  const handle = await open(file);
  const buffer = Buffer.allocUnsafe(256 * 1024);
  const wanted = [];
  let line = 1;
  while (line < firstLine + lineCount) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    let [from, at] = [line >= firstLine ? 0 : -1, 0];
    while (line < firstLine + lineCount) {
      const end = chunk.indexOf(10, at);
      if (end === -1) break;
      at = end + 1;
      line += 1;
      if (line === firstLine) from = at;
    }
    const isComplete = line === firstLine + lineCount;
    if (from !== -1) wanted.push(Buffer.from(chunk.subarray(from, isComplete ? at : bytesRead)));
  }
  await handle.close();
  return Buffer.concat(wanted).toString();
}
