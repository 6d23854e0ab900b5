import { expect, test } from "vitest";
import { defineTool } from "../../../../../src/index.ts";
import { openTestTalk } from "../open-test-talk.ts";
import { openTestScreen } from "./open-test-screen.ts";

const steering = "\u001b]0;title\u0007\u001b[2J\u001b[Hover\rwritten\u202e\u009b31m";

test("neither a model nor a tool steers the terminal of an interactive session", async () => {
  const opened = await openTestScreen();
  const shout = defineTool({
    name: "shout",
    description: "Fails loudly.",
    params: { text: { type: "string" } },
    run: () => {
      throw new Error(`no ${steering}`);
    },
  });
  const { talk } = await openTestTalk(
    (_request, step) =>
      step === 1
        ? { text: `words ${steering}`, calls: [{ name: "shout", input: { text: `input ${steering}` } }] }
        : { text: `\`\`\`\n${steering}\n\`\`\`\n\nend of it` },
    { view: opened.screen, runtime: { tools: [shout], permissions: { mode: "auto" } } },
  );
  opened.screen.attach(talk);
  await opened.shows("context left");
  opened.type("begin");
  opened.press("\r");
  await opened.shows("end of it");
  const shown = opened.all();
  for (const part of ["❯ begin", "words ", "input ", "no "]) expect(shown).toContain(part);
  expect(shown).toMatch(/words \\u\{1b\}\]0;title\\u\{7\}\\u\{1b\}\[2J/);
  expect(opened.raw()).not.toMatch(/\u001b\]0;title|\u001b\[Hover|over\rwritten|\u202e|\u009b/);
});
