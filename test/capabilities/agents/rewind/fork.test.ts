import { expect, test } from "vitest";
import { defineTool, type Session } from "../../../../src/index.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { serveWeb } from "../../../support/web/test-web.ts";
import { recordedModel } from "../open-agent.ts";

const visit = defineTool({
  name: "visit",
  description: "Reads a page.",
  params: { url: { type: "string" } },
  permission: ({ url }) => ({ action: "network", target: new URL(url).host }),
  run: async ({ url }, { web }) => (await web.fetch(url)).body,
});

const said = (session: Session) => session.messages().then((all) => all.map(({ text }) => text));

test("a fork begins with the conversation before a message, what was read and the tasks, and goes its own way", async () => {
  const { port } = await serveWeb({ "/": "by a stranger" });
  const origin = `http://127.0.0.1:${port}`;
  const { runtime, session } = await openTestSession({
    permissions: { mode: "auto" },
    tools: [visit],
    web: { origins: [origin], proxy: false },
  });
  const { model, requests } = recordedModel((_request, step) =>
    step === 1
      ? {
          calls: [
            { name: "visit", input: { url: `${origin}/` } },
            { name: "todo_write", input: { todos: [{ title: "one" }] } },
          ],
        }
      : { text: `answer ${step}` },
  );
  const run = (to: Session, text: string) => runtime.agent({ model, session: to }).run(text);
  const prompt = () => requests.at(-1)!.prompt.slice(1);
  await run(session, "first");
  await run(session, "second");
  const whole = prompt();
  await session.todos.write([{ title: "two" }]);
  const [first, second] = await session.messages();

  const fork = await runtime.openSession({
    id: "fork",
    fork: { from: session.id, before: second!.sequence },
  });
  expect(await said(fork)).toEqual(["first"]);
  expect((await fork.todos.list()).map(({ title }) => title)).toEqual(["one"]);
  expect(session.taint.list()).not.toEqual([]);
  expect(fork.taint.list()).toEqual(session.taint.list());
  await run(fork, "second");
  expect(prompt()).toEqual(whole);
  expect(await said(session)).toEqual(["first", "second"]);

  // A fork of a fork, as it stands; what is rewound in one is not rewound in the other.
  const again = await runtime.openSession({ fork: { from: fork.id } });
  const [, ofFork] = await fork.messages();
  await fork.rewind(ofFork!.sequence);
  expect(await said(fork)).toEqual(["first"]);
  expect(await said(again)).toEqual(["first", "second"]);
  await run(again, "third");
  expect(JSON.stringify(prompt())).toContain("answer 2");
  expect(await said(again)).toEqual(["first", "second", "third"]);
  await expect(again.rewind(first!.sequence)).rejects.toThrow("forked from");

  await again.close();
  const later = await runtime.openSession({ id: again.id });
  expect(await said(later)).toEqual(["first", "second", "third"]);

  await expect(runtime.openSession({ fork: { from: "nobody" } })).rejects.toMatchObject({
    code: "not-found",
  });
  await expect(runtime.openSession({ fork: { from: session.id, before: 2 } })).rejects.toMatchObject({
    code: "not-found",
  });
  await later.close();
  await expect(runtime.openSession({ id: again.id, fork: { from: session.id } })).rejects.toMatchObject({
    code: "conflict",
  });
});
