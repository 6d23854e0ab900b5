import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Session } from "../../../../src/index.ts";
import { fc, fuzzRuns } from "../../../support/fuzz.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { calling, openTestAgent, recordedModel } from "../open-agent.ts";
import { familyModel } from "../sub-agents/family-model.ts";

async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".txt")).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return Object.fromEntries(names.map((name, index) => [name, texts[index]!]));
}

const textsOf = async (session: Session) => (await session.messages()).map(({ text }) => text);

type Deed =
  | { readonly does: "say"; readonly calls: readonly { readonly path: string; readonly content: string }[] }
  | { readonly does: "undo" | "redo" | "rewind" | "forget"; readonly which: number };

const names = fc.constantFrom("a.txt", "b.txt", "c.txt");
const deeds: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant("say" as const),
      calls: fc.array(fc.record({ path: names, content: fc.string({ maxLength: 3 }) }), { maxLength: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom("undo" as const, "redo" as const, "rewind" as const, "forget" as const),
      which: fc.nat(20),
    }),
  },
);

test("a rewind brings files, tasks and prompt back to their state at the message, whatever was done since", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deeds, { minLength: 3, maxLength: 12 }), async (all) => {
      const { runtime, session, workspace } = await openTestSession({
        permissions: { mode: "auto" },
      });
      let calls: readonly { readonly path: string; readonly content: string }[] = [];
      const { model, requests } = recordedModel(({ prompt }) =>
        prompt.at(-1)?.role === "user"
          ? {
              calls: [
                ...calls.map((input) => ({ name: "file_write", input })),
                { name: "todo_write", input: { todos: [{ title: `after ${prompt.length}` }] } },
              ],
            }
          : { text: "ok" },
      );
      const agent = runtime.agent({ model, session });
      /** What there was when each message that is still in the conversation was said. */
      let points: { text: string; files: object; tasks: string[]; prompt: object }[] = [];
      for (const [place, deed] of all.entries()) {
        const made = (await runtime.receipts({ sessionId: session.id })).filter(({ undo }) => undo);
        if (deed.does === "say") {
          const text = `message ${place}`;
          const files = await filesIn(workspace);
          const tasks = (await session.todos.list()).map(({ title }) => title);
          calls = deed.calls;
          await agent.run(text);
          points.push({ text, files, tasks, prompt: requests.at(-2)!.prompt });
        } else if (deed.does === "undo" || deed.does === "redo") {
          const receipt = made[deed.which % Math.max(1, made.length)];
          if (receipt !== undefined) await session[deed.does](receipt.callId);
        } else if (points.length > 0) {
          const messages = await session.messages();
          const which = deed.which % points.length;
          const before = await filesIn(workspace);
          await session.rewind(messages[which]!.sequence, { files: deed.does === "rewind" });
          expect(await filesIn(workspace)).toEqual(deed.does === "rewind" ? points[which]!.files : before);
          expect((await session.todos.list()).map(({ title }) => title)).toEqual(points[which]!.tasks);
          const { text } = points[which]!;
          points = points.slice(0, which);
          expect(await textsOf(session)).toEqual(points.map((point) => point.text));
          // Said again, it is asked of the model as it was the first time.
          calls = [];
          const files = await filesIn(workspace);
          const tasks = (await session.todos.list()).map(({ title }) => title);
          await agent.run(text);
          points.push({ text, files, tasks, prompt: requests.at(-2)!.prompt });
        }
        const messages = points.map((point) => point.text);
        const asked = requests.at(-1)?.prompt.filter(({ role }) => role === "user") ?? [];
        expect(asked.map(({ content }) => (content[0] as { text: string }).text)).toEqual(messages);
      }
    }),
    { numRuns: fuzzRuns({ sample: 8, full: 500 }) },
  );
});

test("a file that was changed from outside since stops the whole rewind, and is named", async () => {
  const { agent, session, workspace, requests } = await openTestAgent(
    (_request, step) =>
      [
        calling("file_write", { path: "a.txt", content: "1" }),
        { text: "a" },
        calling("file_write", { path: "b.txt", content: "2" }),
        { text: "b" },
        { text: "again" },
      ][step - 1],
  );
  await agent.run("first");
  await agent.run("second");
  await writeFile(join(workspace, "a.txt"), "by hand");
  const [first, second] = await session.messages();
  for (const dryRun of [true, false])
    await expect(session.rewind(first!.sequence, { dryRun })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("a.txt"),
    });
  expect(await filesIn(workspace)).toEqual({ "a.txt": "by hand", "b.txt": "2" });
  expect(await textsOf(session)).toEqual(["first", "second"]);
  // What is not concerned can still be rewound, and the conversation alone as well.
  expect(await session.rewind(second!.sequence, { dryRun: true })).toMatchObject({ paths: ["b.txt"] });
  expect(await filesIn(workspace)).toHaveProperty("b.txt", "2");
  await session.rewind(second!.sequence);
  expect(await filesIn(workspace)).toEqual({ "a.txt": "by hand" });
  await session.rewind(first!.sequence, { files: false });
  expect(await textsOf(session)).toEqual([]);
  await agent.run("third");
  expect(JSON.stringify(requests.at(-1)!.prompt.slice(1))).not.toContain("first");
  await expect(session.rewind(first!.sequence)).rejects.toMatchObject({ code: "not-found" });
});

test("a rewind tells what cannot be undone, can itself be undone for files, and has no call redone alone", async () => {
  const { agent, session, workspace, runtime } = await openTestAgent([
    {
      calls: [
        { name: "file_write", input: { path: "a.txt", content: "1" } },
        { name: "shell_run", input: { command: "echo x > c.txt" } },
      ],
    },
    { text: "done" },
  ]);
  await agent.run("go");
  const [message] = await session.messages();
  const { paths, undone, others } = await session.rewind(message!.sequence);
  expect({ paths, undone: undone.map(({ tool }) => tool), others: others.map(({ tool }) => tool) }).toEqual({
    paths: ["a.txt"],
    undone: ["file_write"],
    others: ["shell_run"],
  });
  expect(await filesIn(workspace)).toEqual({ "c.txt": "x\n" });
  const { callId } = undone[0]!;
  expect(await session.undo(callId)).toMatchObject({ error: { code: "conflict" } });
  expect(await session.redo(callId)).toMatchObject({ error: { code: "unavailable" } });
  const [rewind] = await runtime
    .receipts({ sessionId: session.id, limit: 3 })
    .then((all) => all.filter(({ tool }) => tool === "rewind"));
  expect(await session.undo(rewind!.callId)).toMatchObject({ status: "done" });
  expect(await filesIn(workspace)).toEqual({ "a.txt": "1", "c.txt": "x\n" });
  expect(await session.undo(callId)).toMatchObject({ status: "done" });
});

test("the rules of the tools that made the changes hold for a rewind, and one that would have to ask is asked once", async () => {
  const write = (path: string) => ({ name: "file_write", input: { path, content: "1" } });
  const { agent, session, workspace } = await openTestAgent(
    [
      { calls: [write("a.txt"), write("b.txt")] },
      { text: "done" },
      { calls: [{ name: "file_edit", input: { path: "a.txt", old_string: "1", new_string: "2" } }] },
      { text: "done" },
    ],
    { runtime: { permissions: { mode: "ask", allow: ["file_write"] } }, onApproval: () => "allow" },
  );
  await agent.run("go");
  const [first] = await session.messages();
  await session.rewind(first!.sequence, { conversation: false });
  expect(await filesIn(workspace)).toEqual({});
  for (const path of ["a.txt", "b.txt"]) await session.call("file_write", { path, content: "1" });
  await agent.run("edit");
  await expect(session.rewind(first!.sequence)).rejects.toMatchObject({ code: "approval-needed" });
  const asked: string[] = [];
  await session.rewind(first!.sequence, {
    onApproval: ({ tool }) => {
      asked.push(tool);
      return "allow";
    },
  });
  expect(asked).toEqual(["rewind"]);
  expect(await filesIn(workspace)).toEqual({});
  expect(await textsOf(session)).toEqual([]);
});

test("a rewind is refused while the agent or one of its sub-agents works, and also takes back what a sub-agent changed", async () => {
  const { model } = familyModel({
    CHILD: [calling("file_write", { path: "child.txt", content: "c" }), { text: "Written." }],
    PARENT: [calling("Agent", { prompt: "CHILD, write" }), { text: "Good." }],
  });
  const { runtime, session, workspace } = await openTestSession({ permissions: { mode: "auto" } });
  const agent = runtime.agent({ model, session });
  const running = agent.run("PARENT, go");
  await expect(
    (async () => {
      for await (const event of session.events())
        if (event.type === "user-message") return session.rewind(event.sequence);
    })(),
  ).rejects.toThrow("another agent is already working");
  await running;
  expect(await filesIn(workspace)).toEqual({ "child.txt": "c" });
  const [message] = await session.messages();
  await session.rewind(message!.sequence);
  expect(await filesIn(workspace)).toEqual({});
});
