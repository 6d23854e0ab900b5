// Started by flood.mjs with a runner, a folder and how many bytes to print; prints its measurements as JSON.
import { openRunner } from "./runners.mjs";

const [, , name, folder, bytes] = process.argv;
const { run, close } = await openRunner(name, folder);
await run("true");
let worstGapMs = 0;
let lastTick = performance.now();
const ticking = setInterval(() => {
  worstGapMs = Math.max(worstGapMs, performance.now() - lastTick);
  lastTick = performance.now();
}, 1);
const startedAt = performance.now();
if (bytes !== "0") {
  const line =
    "the quick brown fox jumps over the lazy dog, again and again, until the gigabyte is full at last ";
  const printed = await run(`yes '${line}' | head -c ${bytes}`);
  if (printed !== Number(bytes)) throw new Error(`${name} reported ${printed} bytes`);
}
const elapsedMs = performance.now() - startedAt;
clearInterval(ticking);
await close();
console.log(JSON.stringify({ elapsedMs, worstGapMs, peakBytes: process.resourceUsage().maxRSS * 1024 }));
