// Records `toolwright demo` and writes docs/demo.svg: `npm run --silent build && node scripts/picture.ts`.
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { toPicture } from "./demo/demo-picture.ts";
import { columns, recordDemo } from "./demo/record-demo.ts";
import { type TerminalRow, terminalRows, textOf } from "./demo/terminal-rows.ts";

const prompt: TerminalRow = [
  { text: "$ ", bold: false, dim: true },
  { text: "toolwright demo", bold: true, dim: false },
];
const recorded = terminalRows(await recordDemo(), columns);
while (textOf(recorded.at(-1) ?? []).trim() === "") recorded.pop();
const title = "toolwright demo: an agent is denied a file, asks before it runs a program, and fixes a bug";
await writeFile(
  fileURLToPath(new URL("../docs/demo.svg", import.meta.url)),
  toPicture([prompt, ...recorded], { columns, title }),
);
