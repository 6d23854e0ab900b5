import { join } from "node:path";
import { expect, test } from "vitest";
import { createKodeEvents } from "../../../src/capabilities/interop/index.ts";
import { openFileSession } from "../../support/open-file-session.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const openKode = (remindEveryCalls = 0) => openTestSession({ dialect: "kode" }, { remindEveryCalls });
const todo = (id: string, status: "pending" | "in_progress" = "pending") => ({
  id,
  title: `Todo ${id}`,
  status,
});

test("K18: todo_read returns the list", async () => {
  const { session } = await openKode();
  expect((await session.call("todo_read")).data).toEqual({ todos: [] });
  await session.call("todo_write", { todos: [todo("a", "in_progress"), todo("b")] });
  expect((await session.call("todo_read")).data).toMatchObject({
    todos: [todo("a", "in_progress"), todo("b")],
  });
});

test("K19: todo_write replaces the whole list, refuses a double id and two in progress, and the list reminds and tells", async () => {
  const { session } = await openKode(4);
  const write = (...todos: ReturnType<typeof todo>[]) => session.call("todo_write", { todos });
  await write(todo("a"), todo("b"));
  expect((await write(todo("b", "in_progress"))).status).toBe("done");
  expect((await write(todo("a"), todo("a"))).data).toMatchObject({ ok: false, errorType: "validation" });
  expect((await write(todo("a", "in_progress"), todo("b", "in_progress"))).data).toMatchObject({
    ok: false,
    error: "only one todo may be in progress, not 2: a, b",
  });
  expect((await session.call("todo_read")).data).toMatchObject({ todos: [todo("b", "in_progress")] });
  await session.close();
  const told = [];
  const translate = createKodeEvents();
  for await (const event of session.events()) told.push(...translate(event).map((each) => each.event));
  const todos = told.filter(({ type }) => type.startsWith("todo_"));
  expect(todos).toMatchObject([
    { channel: "monitor", type: "todo_changed", previous: [], current: [todo("a"), todo("b")] },
    { type: "todo_changed", current: [todo("b", "in_progress")] },
    { channel: "monitor", type: "todo_reminder", todos: [todo("b", "in_progress")] },
  ]);
});

const skill = (description: string) => `---\ndescription: ${description}\n---\n# Steps\n`;

test("K22: skills are found in .skills, and not in skills", async () => {
  const { session } = await openFileSession(
    { ".skills/here/SKILL.md": skill("Here"), "skills/there/SKILL.md": skill("There") },
    { dialect: "kode" },
  );
  expect((await session.skills.list()).map(({ name }) => name)).toEqual(["here"]);
  const load = (skill_name: string) => session.call("skills", { action: "load", skill_name });
  expect((await load("here")).status).toBe("done");
  expect((await load("there")).error?.code).toBe("not-found");
});

test("K23: skills loads one skill by its folder's name with all that belongs to it, and has no other action", async () => {
  const { session, workspace } = await openFileSession(
    {
      ".skills/pdf/SKILL.md": skill("Reads PDFs"),
      ".skills/pdf/references/format.md": "x",
      ".skills/pdf/scripts/read.sh": "x",
      ".skills/pdf/assets/logo.svg": "x",
    },
    { dialect: "kode" },
  );
  expect((await session.call("skills", { action: "load", skill_name: "pdf" })).data).toEqual({
    ok: true,
    data: {
      name: "pdf",
      description: "Reads PDFs",
      content: "# Steps\n",
      base_dir: join(workspace, ".skills/pdf"),
      references: ["references/format.md"],
      scripts: ["scripts/read.sh"],
      assets: ["assets/logo.svg"],
    },
  });
  for (const input of [{ action: "list" }, { action: "load" }, { skill_name: "pdf" }])
    expect((await session.call("skills", input)).error?.code).toBe("invalid-input");
});
