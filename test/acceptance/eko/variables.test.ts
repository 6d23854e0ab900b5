import { expect, test } from "vitest";
import { defineTool, type ToolContext, type Variables } from "../../../src/index.ts";
import { calling, openTestAgent } from "../../agent/open-agent.ts";
import { familyModel } from "../../agent/sub-agents/family-model.ts";
import { openTestSession } from "../../support/open-test-session.ts";

/** A tool that does something with its context. */
const doing = (name: string, run: (context: ToolContext) => unknown) =>
  defineTool({
    name,
    description: "Uses variables.",
    params: {},
    traits: { readOnly: true },
    run: (_input, context) => run(context),
  });

test("E7: the variables of a context are a Map that the tools of one agent share, and no other agent", async () => {
  const used: unknown[] = [];
  const write = doing("write_ids", ({ variables }) => {
    variables.set("id1", "xxxx").set("id2", ["y"]);
    variables.set("gone", 1);
    used.push(variables.size, variables.delete("gone"), variables.has("gone"));
  });
  const read = doing("read_ids", ({ variables }) => {
    variables.forEach((value, name) => {
      used.push([name, value]);
    });
    used.push([...variables.keys()], [...variables.values()], [...variables.entries()], [...variables]);
    used.push(variables.get("id1"), variables.get("nothing"));
    variables.clear();
    used.push(variables.size);
  });
  const { agent, runtime } = await openTestAgent(
    [calling("write_ids"), calling("read_ids"), { text: "over" }],
    {
      runtime: { dialect: "eko", tools: [write, read] },
    },
  );
  await agent.run("go");
  const entries = [
    ["id1", "xxxx"],
    ["id2", ["y"]],
  ];
  const read_ = [["id1", "id2"], ["xxxx", ["y"]], entries, entries, "xxxx", undefined, 0];
  expect(used).toEqual([3, true, false, ...entries, ...read_]);
  const other = await runtime.openSession();
  expect(other.variables.size).toBe(0);
});

test("E7: a value that cannot be kept as it is, such as a Map or a Set, is refused instead of becoming an empty object", async () => {
  const refused: string[] = [];
  const store = doing("store", ({ variables }) => {
    const values = [new Map([["a", 1]]), new Set([1]), { inner: new Map() }, () => 1];
    for (const value of values) {
      try {
        variables.set("value", value);
      } catch (error) {
        refused.push((error as Error).message);
      }
    }
    variables.set("date", new Date(0));
    return [variables.has("value"), variables.get("date")];
  });
  const { session } = await openTestSession({ dialect: "eko", tools: [store] });
  expect((await session.call("store")).data).toEqual([false, "1970-01-01T00:00:00.000Z"]);
  expect(refused).toEqual(
    ["Map", "Set", "Map", "function"].map((kind) =>
      expect.stringContaining(`variable value: a ${kind} cannot be stored`),
    ),
  );
});

test("E8: the variables of a task are shared by all agents that work on it, and by no other task", async () => {
  const write = doing("write_id", ({ taskVariables }) => taskVariables.set("id2", "xxxx"));
  const read = doing("read_id", ({ taskVariables }) => String(taskVariables.get("id2")));
  const { model, requests } = familyModel({
    CHILD: [calling("write_id"), { text: "Written." }],
    PARENT: [calling("agent_run", { prompt: "CHILD" }), calling("read_id"), { text: "Good." }],
  });
  const { runtime, session } = await openTestSession(
    { dialect: "eko", tools: [write, read] },
    { taskId: "one" },
  );
  await runtime.agent({ model, session }).run("PARENT, go");
  expect(JSON.stringify(requests.PARENT!.at(-1)!.prompt.at(-1))).toContain("xxxx");
  const valueIn = async (taskId: string) => {
    const { taskVariables }: { taskVariables: Variables } = await runtime.openSession({ taskId });
    return taskVariables.get("id2");
  };
  expect([await valueIn("one"), await valueIn("two")]).toEqual(["xxxx", undefined]);
});
