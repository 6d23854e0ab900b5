import { expect, test } from "vitest";
import { defineTool, type ToolContext } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";

test.each<[string, (context: ToolContext) => Promise<unknown>]>([
  ["create", ({ tasks }) => tasks.create({ title: "A" })],
  ["update", ({ tasks }) => tasks.update("kept", { status: "done" })],
  ["cancel", ({ tasks }) => tasks.cancelBackground("bg_task_1")],
  ["write", ({ todos }) => todos.write([])],
])("in a preview a tool can look at tasks and not %s", async (_name, change) => {
  const tool = defineTool({
    name: "plan",
    description: "Plans.",
    params: {},
    run: () => "",
    dryRun: async (_input, context) => {
      expect(await context.tasks.list()).toHaveLength(1);
      expect(await context.todos.list()).toHaveLength(1);
      return change(context);
    },
  });
  const { session } = await openTestSession({ tools: [tool], permissions: { mode: "auto" } });
  await session.todos.write([{ id: "kept", title: "A" }]);
  const before = await session.tasks.list();
  expect((await session.dryRun("plan")).error).toMatchObject({ code: "unsupported" });
  expect(await session.tasks.list()).toEqual(before);
});

test("a tool whose call has ended changes no todos any more", async () => {
  const kept: ToolContext[] = [];
  const tool = defineTool({
    name: "keep",
    description: "Keeps its context.",
    params: {},
    run: (_input, context) => {
      kept.push(context);
    },
  });
  const { session } = await openTestSession({ tools: [tool], permissions: { mode: "auto" } });
  await session.call("keep");
  await expect(kept[0]!.tasks.create({ title: "late" })).rejects.toMatchObject({ code: "cancelled" });
  await expect(kept[0]!.todos.write([])).rejects.toMatchObject({ code: "cancelled" });
  await expect(kept[0]!.skills.list()).rejects.toMatchObject({ code: "cancelled" });
});
