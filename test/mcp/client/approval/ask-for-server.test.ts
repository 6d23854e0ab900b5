import { expect, test } from "vitest";
import { askForServer } from "../../../../src/mcp/client/approval/ask-for-server.ts";
import type { ToolContext } from "../../../../src/tool/tool-context.ts";

const question = { text: "Well?", fields: {} };

/** A person who is told what was asked, and how many questions stood there at once. */
function createPerson() {
  const asked: string[] = [];
  let open = 0;
  let mostAtOnce = 0;
  const ask = async ({ text }: { text: string }) => {
    asked.push(text);
    open += 1;
    mostAtOnce = Math.max(mostAtOnce, open);
    await Promise.resolve();
    open -= 1;
    return {};
  };
  return { ask: ask as unknown as ToolContext["ask"], asked, mostAtOnce: () => mostAtOnce };
}

test("what a server asks at once is put one after the other, in its name", async () => {
  const person = createPerson();
  const ask = askForServer("files", person);
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 10 }, () => ask(question, { signal })));
  expect(person.asked).toEqual(Array(10).fill("The MCP server files asks:\nWell?"));
  expect(person.mostAtOnce()).toBe(1);
});

test("what is taken back before its turn is never put", async () => {
  const person = createPerson();
  const ask = askForServer("files", person);
  const controller = new AbortController();
  const first = ask(question, { signal: new AbortController().signal });
  const second = ask(question, { signal: controller.signal });
  controller.abort(new Error("never mind"));
  await expect(second).rejects.toThrow("never mind");
  await first;
  expect(person.asked).toHaveLength(1);
});

test("after a hundred questions nobody is asked any more", async () => {
  const person = createPerson();
  const ask = askForServer("files", person);
  const { signal } = new AbortController();
  const answers = await Promise.allSettled(Array.from({ length: 150 }, () => ask(question, { signal })));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(100);
  expect(answers.at(-1)).toMatchObject({ reason: { code: "nobody-to-ask" } });
});
