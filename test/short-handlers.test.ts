import { expect, test } from "vitest";
import { type CallOptions, defineTool, type Plugin, type RuntimeOptions } from "../src/index.ts";
import { openTestSession } from "./support/open-test-session.ts";
import { act } from "./support/sample-tools.ts";

// That these are types at all is half of what is tested: what people write first has to compile.

test.each<[string, Pick<RuntimeOptions, "onApproval">]>([
  ["a word", { onApproval: () => "allow" }],
  ["a word, later", { onApproval: async () => "allow" }],
  ["a word, by what is asked", { onApproval: async ({ tool }) => (tool === "act" ? "allow" : "deny") }],
  ["a decision", { onApproval: () => ({ decision: "allow" }) }],
  ["a decision with a note, later", { onApproval: async () => ({ decision: "allow", note: "fine" }) }],
])("an approval can be given as %s, for all calls or for one", async (_how, options) => {
  const forAll = await openTestSession({ tools: [act], ...options });
  expect((await forAll.session.call("act")).status).toBe("done");
  const forNone = await openTestSession({ tools: [act], onApproval: async () => "deny" });
  expect((await forNone.session.call("act")).status).toBe("denied");
  expect((await forNone.session.call("act", {}, options)).status).toBe("done");
});

const greet = defineTool({
  name: "greet",
  description: "Asks for a name.",
  params: {},
  traits: { readOnly: true },
  run: (_input, { ask }) => ask("Who?"),
});

test.each<[string, Pick<CallOptions, "onQuestion">]>([
  ["at once", { onQuestion: () => "Ada" }],
  ["later", { onQuestion: async () => "Ada" }],
])("a question can be answered %s", async (_when, options) => {
  const { session } = await openTestSession({ tools: [greet], ...options });
  expect((await session.call("greet")).text).toBe("Ada");
});

test("a handler that throws at once has not answered the question", async () => {
  const { session } = await openTestSession({
    tools: [greet],
    onQuestion: () => {
      throw new Error("the line is dead");
    },
  });
  expect(await session.call("greet")).toMatchObject({
    status: "failed",
    text: expect.stringContaining("dead"),
  });
});

test.each<[string, NonNullable<RuntimeOptions["hooks"]>]>([
  ["at once", { beforeCall: ({ tool }) => ({ decision: "deny", reason: `no ${tool}` }) }],
  ["later", { beforeCall: async ({ tool }) => ({ decision: "deny", reason: `no ${tool}` }) }],
  [
    "in one case of several",
    {
      beforeCall: async ({ tool }) => {
        if (tool === "act") return { decision: "deny", reason: "no act" };
      },
    },
  ],
  [
    "as one of several",
    { beforeCall: [() => {}, async () => {}, () => ({ decision: "deny", reason: "no act" })] },
  ],
])("a hook can decide %s", async (_when, hooks) => {
  const { session } = await openTestSession({ tools: [act], hooks, permissions: { mode: "auto" } });
  expect((await session.call("act")).text).toContain("no act");
});

test("a plugin that is written down with its type can be given to a runtime", async () => {
  const calls: string[] = [];
  const plugin: Plugin = {
    name: "watcher",
    tools: [act],
    hooks: { afterCall: ({ tool }) => void calls.push(tool) },
    register: ({ addHooks }) => addHooks({ beforeCall: ({ tool }) => void calls.push(`before ${tool}`) }),
  };
  const { session } = await openTestSession({ plugins: [plugin], permissions: { mode: "auto" } });
  await session.call("act");
  expect(calls).toEqual(["before act", "act"]);
});
