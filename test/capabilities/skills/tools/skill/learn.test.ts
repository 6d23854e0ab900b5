import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestSession } from "../../../../support/open-test-session.ts";

const skill = {
  name: "release-notes",
  description: 'How to write notes: "short"',
  content: "Read references/style.md first.",
  references: [{ name: "style.md", content: "One line each." }],
};

test("a learned skill is written once a person agrees, can be loaded at once, and undone", async () => {
  const { session, workspace } = await openTestSession({
    dialect: "canonical",
    permissions: { mode: "auto" },
    onApproval: () => "allow",
  });
  const learned = await session.call("skill_learn", skill);
  expect(learned).toMatchObject({ status: "done" });
  expect(await readFile(join(workspace, ".skills/release-notes/references/style.md"), "utf8")).toBe(
    "One line each.",
  );
  const loaded = await session.call("skill_load", { name: "release-notes" });
  expect(loaded.data).toMatchObject({ description: skill.description, references: ["references/style.md"] });
  await session.undo(learned.callId);
  expect(await session.call("skill_load", { name: "release-notes" })).toMatchObject({
    error: { code: "not-found" },
  });
});

test("no skill is learned in any mode while no person can be asked, and a name leads to no other folder", async () => {
  const { session } = await openTestSession({ dialect: "canonical", permissions: { mode: "auto" } });
  expect(await session.call("skill_learn", skill)).toMatchObject({ error: { code: "approval-needed" } });
  expect(await session.call("skill_learn", { ...skill, name: "../x" })).toMatchObject({
    error: { code: "invalid-input" },
  });
  const references = [{ name: "../SKILL.md", content: "" }];
  expect(await session.call("skill_learn", { ...skill, references })).toMatchObject({
    error: { code: "invalid-input" },
  });
});
