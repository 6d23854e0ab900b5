/**
 * Run by Node itself, since a test runner's own loader has other caches than the ones to get past:
 * prints what a folder offers, at the start and after each change, until its input ends.
 */
import { createFolderSource } from "../../../src/kernel/registry/folders/folder-source.ts";
import type { ToolContext } from "../../../src/tool/tool-context.ts";

const source = createFolderSource(process.argv[2]!);
const context = {} as ToolContext;

async function report(): Promise<void> {
  const answers: Record<string, unknown> = {};
  for (const { tool } of source.tools()) answers[tool.name] = await tool.run({}, context);
  const problems = source.problems?.().map(({ subject, message }) => `${subject}: ${message}`);
  process.stdout.write(`${JSON.stringify({ answers, problems })}\n`);
}

await source.start?.(report);
await report();
process.stdin.resume().on("end", () => source.stop?.());
