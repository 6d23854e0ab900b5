import { HumanInteractTool, VariableStorageTool } from "@eko-ai/eko";
import { expect, test } from "vitest";
import type { RuntimeOptions } from "../../../src/index.ts";
import { ekoTools, type Tool } from "../../../src/systems/eko/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";

/** Eko's own tools, from its package. */
const tools = ekoTools([new VariableStorageTool(), new HumanInteractTool()] as unknown as Tool[]);

function openEkoSession(options: RuntimeOptions = {}) {
  return openTestSession({ permissions: { mode: "auto" }, tools, ...options });
}

test("Eko's tool for variables keeps them for the task", async () => {
  const { session } = await openEkoSession();
  const use = async (input: object) => (await session.call("variable_storage", input)).text;
  expect(await use({ operation: "write_variable", name: "city", value: "Oslo" })).toBe("success");
  expect(await use({ operation: "read_variable", name: "city, other" })).toBe('{"city":"Oslo"}');
  expect(await use({ operation: "list_all_variable" })).toBe('["city"]');
  expect(session.taskVariables.get("city")).toBe("Oslo");
  expect(await session.call("variable_storage", { operation: "drop" })).toMatchObject({
    error: { code: "invalid-input" },
  });
});

test("Eko's tool for questions asks the person whom the runtime asks", async () => {
  const asked: string[] = [];
  const { session } = await openEkoSession({
    onQuestion: ({ text, fields, choices }) => {
      asked.push(text);
      if (fields !== undefined) return "chosen" in fields ? { chosen: ["a", "b"] } : { yes: true };
      return choices === undefined ? "Ann" : "b";
    },
  });
  const use = async (interactType: string, more: object = {}) =>
    (await session.call("human_interact", { interactType, prompt: `${interactType}?`, ...more })).text;
  expect(await use("confirm")).toBe("confirm result: Yes");
  expect(await use("input")).toBe("input result: Ann");
  expect(await use("select", { selectOptions: ["a", "b"] })).toBe('select result: ["b"]');
  expect(await use("select", { selectOptions: ["a", "b"], selectMultiple: true })).toBe(
    'select result: ["a","b"]',
  );
  expect(await use("request_help")).toBe("request_help result: Solved");
  expect(asked).toEqual(["confirm?", "input?", "select?", "select?", "request_help?"]);
});

test("Eko's tool for questions fails as nobody-to-ask where no person can be asked", async () => {
  const { session } = await openEkoSession();
  const { error } = await session.call("human_interact", { interactType: "input", prompt: "Name?" });
  expect(error).toMatchObject({ code: "nobody-to-ask" });
});
