import { expect, test } from "vitest";
import { readPrompt } from "../../../src/faces/acp/read-prompt.ts";
import { leastBlockMs, maxBlockMs } from "../../support/longest-block.ts";

test("an attachment of the editor is cut before it is quoted, in one short turn", async () => {
  const hidden = "\u202e".repeat(3_000_000);
  const ms = await leastBlockMs(() => {
    readPrompt([
      { type: "resource", resource: { uri: `file:///${hidden}`, text: hidden } },
      { type: "resource_link", uri: hidden, name: "a" },
    ]);
  });
  expect(ms).toBeLessThan(maxBlockMs);
});
