import { expect, test } from "vitest";
import { openTestSession } from "../../support/open-test-session.ts";
import { flagsOf, shareFlyto, shown } from "./share-flyto.ts";

const flyto = shareFlyto();

const create = async (title: string): Promise<string> => {
  const { data } = await flyto.call("TaskCreate", { title });
  return (data as { id: string }).id;
};
const statusOf = async (id: string) =>
  ((await flyto.call("TaskList")).data as { tasks: { id: string; status: string }[] }).tasks.find(
    (task) => task.id === id,
  )?.status;

test("F58: TaskCreate, TaskList and TaskUpdate work on one list, and may run beside other calls", async () => {
  const schemas = ["TaskCreate", "TaskList", "TaskUpdate"].map(
    (name) => shown(flyto.session, name).inputSchema,
  );
  const [creating, listing, updating] = schemas;
  expect(creating).toMatchObject({ required: ["title"], properties: { description: { type: "string" } } });
  expect(listing?.properties ?? {}).toEqual({});
  expect(updating?.required).toEqual(["id", "status"]);
  expect(flagsOf(flyto.session, "TaskList")).toMatchObject({ concurrencySafe: true, readOnly: true });
  for (const name of ["TaskCreate", "TaskUpdate"])
    expect(flagsOf(flyto.session, name)).toMatchObject({ concurrencySafe: true, readOnly: false });
  const { data } = await flyto.call("TaskCreate", { title: "F58", description: "in words" });
  const { id } = data as { id: string };
  await flyto.call("TaskUpdate", { id, status: "in_progress" });
  const { tasks } = (await flyto.call("TaskList", {})).data as { tasks: unknown[] };
  const listed = { id, title: "F58", description: "in words", status: "in_progress" };
  expect(tasks).toContainEqual(expect.objectContaining(listed));
});

test("F59: a task is pending, then in_progress, then done, failed or cancelled, and nothing else", async () => {
  for (const end of ["done", "failed", "cancelled"]) {
    const id = await create(`F59 ${end}`);
    expect(await statusOf(id)).toBe("pending");
    for (const status of ["in_progress", end]) {
      expect((await flyto.call("TaskUpdate", { id, status })).status).toBe("done");
      expect(await statusOf(id)).toBe(status);
    }
  }
  const id = await create("F59 other");
  const other = await flyto.call("TaskUpdate", { id, status: "finished" });
  expect(other).toMatchObject({ error: { code: "invalid-input" } });
});

test("F60: tasks made and changed at once are all kept, and another conversation begins without them", async () => {
  const { runtime, session } = await openTestSession({ dialect: "flyto" });
  const titles = Array.from({ length: 30 }, (_, index) => `F60 ${index}`);
  const made = await session.callAll(titles.map((title) => ({ name: "TaskCreate", input: { title } })));
  const ids = made.map(({ data }) => (data as { id: string }).id);
  await session.callAll(ids.map((id) => ({ name: "TaskUpdate", input: { id, status: "in_progress" } })));
  const { tasks } = (await session.call("TaskList")).data as { tasks: { title: string; status: string }[] };
  expect(tasks.map(({ title }) => title).toSorted()).toEqual(titles.toSorted());
  expect(new Set(tasks.map(({ status }) => status))).toEqual(new Set(["in_progress"]));
  const other = await runtime.openSession();
  expect((await other.call("TaskList")).data).toMatchObject({ tasks: [] });
});
