import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { Agent, Eko } from "../../../src/systems/eko/index.ts";
import { calling } from "../../capabilities/agents/open-agent.ts";
import { familyModel } from "../../capabilities/agents/sub-agents/family-model.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";
import { runEko, success, toolThat } from "./run-eko.ts";

test("E7: the variables of an agent are a Map that its tools share", async () => {
  const used: unknown[] = [];
  const write = toolThat("write_ids", async (_args, { variables }) => {
    variables.set("id1", "xxxx").set("id2", ["y"]);
    variables.set("gone", 1);
    used.push(variables.size, variables.delete("gone"), variables.has("gone"));
    return success;
  });
  const read = toolThat("read_ids", async (_args, { variables }) => {
    variables.forEach((value, name) => {
      used.push([name, value]);
    });
    used.push([...variables.keys()], [...variables.values()], [...variables.entries()], [...variables]);
    used.push(variables.get("id1"), variables.get("nothing"));
    variables.clear();
    used.push(variables.size);
    return success;
  });
  await runEko([write, read], [calling("write_ids"), calling("read_ids")]);
  const entries = [
    ["id1", "xxxx"],
    ["id2", ["y"]],
  ];
  const seen = [["id1", "id2"], ["xxxx", ["y"]], entries, entries, "xxxx", undefined, 0];
  expect(used).toEqual([3, true, false, ...entries, ...seen]);
});

test("E7: a value that cannot be kept as it is, such as a Map or a Set, is refused instead of becoming an empty object", async () => {
  const kept: unknown[] = [];
  const store = toolThat("store", async (_args, { variables }) => {
    for (const value of [new Map([["a", 1]]), new Set([1]), { inner: new Map() }, () => 1]) {
      try {
        variables.set("value", value);
      } catch (error) {
        kept.push((error as Error).message.split(";")[0]);
      }
    }
    variables.set("date", new Date(0));
    kept.push(variables.has("value"), variables.get("date"));
    return success;
  });
  await runEko([store], [calling("store")]);
  const refused = ["Map", "Set", "Map", "function"].map(
    (kind) => `variable value: a ${kind} cannot be stored`,
  );
  expect(kept).toEqual([...refused, false, "1970-01-01T00:00:00.000Z"]);
});

test("E8: the variables of a task are shared by all agents that work on it, those of an agent are its own", async () => {
  const seen: unknown[] = [];
  const write = toolThat("write_id", async (_args, { variables, context }) => {
    variables.set("id1", "mine");
    context.variables.set("id2", "xxxx");
    return success;
  });
  const read = toolThat("read_id", async (_args, { variables, context }) => {
    seen.push(variables.get("id1"), context.variables.get("id2"));
    return success;
  });
  const { model } = familyModel({
    FIRST: [calling("write_id"), { text: "Written." }],
    SECOND: [calling("read_id"), { text: "Read." }],
    PLAN: [
      calling("agent_run", { prompt: "FIRST", kind: "Writer" }),
      calling("agent_run", { prompt: "SECOND", kind: "Reader" }),
      { text: "Good." },
    ],
  });
  const agents = [
    new Agent({ name: "Writer", description: "Writes.", tools: [write] }),
    new Agent({ name: "Reader", description: "Reads.", tools: [read] }),
  ];
  const toolwright = { store: "memory:", workspace: await temporaryFolder() };
  const { success: isDone } = await new Eko({ llms: { default: model }, agents, toolwright }).run("PLAN");
  expect(isDone).toBe(true);
  const other = new Eko({
    llms: { default: scriptedModel([calling("read_id"), { text: "over" }]) },
    agents: [agents[1]!],
    toolwright,
  });
  await other.run("another task");
  expect(seen).toEqual([undefined, "xxxx", undefined, undefined]);
});
