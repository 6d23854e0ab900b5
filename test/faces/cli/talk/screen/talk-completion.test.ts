import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTalkCompletion } from "../../../../../src/faces/cli/talk/screen/talk-completion.ts";
import type { Talk } from "../../../../../src/faces/cli/talk/talk.ts";
import { openTestSession } from "../../../../support/open-test-session.ts";

test("a path is completed as it is written, unless it could steer the terminal", async () => {
  const { session, workspace } = await openTestSession({}, { dialect: "canonical" });
  for (const name of ["notes.md", "notes\u001b[2J.md", "notes\u202egnp.md", "notes\n.md"])
    await writeFile(join(workspace, name), "x");
  const completion = createTalkCompletion(() => ({ session }) as Talk);
  const found = await completion.getSuggestions(["look at @not"], 0, 12, {
    signal: new AbortController().signal,
  });
  expect(found?.items.map(({ value }) => value)).toEqual(["@notes.md"]);
});
