import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import fileRead from "../../src/capabilities/files/tools/file/read.ts";
import { runTool } from "../../src/testing/index.ts";
import { defineTool, ToolError } from "../../src/tool/index.ts";

const greet = defineTool({
  name: "greet",
  description: "Greets somebody.",
  params: { name: { type: "string" }, times: { type: "integer", default: 1, maximum: 3 } },
  run: ({ name, times }, { emit, progress, logger }) => {
    logger.info("greeting", { name });
    progress({ done: times });
    emit("greeted", { name });
    return { greeting: `Hello ${name}! `.repeat(times).trim() };
  },
  toText: ({ greeting }) => greeting,
});

test("runTool gives what the model reads, what code reads and what the tool told", async () => {
  expect(await runTool(greet, { name: "Ada", times: 2 })).toEqual({
    text: "Hello Ada! Hello Ada!",
    content: [{ type: "text", text: "Hello Ada! Hello Ada!" }],
    data: { greeting: "Hello Ada! Hello Ada!" },
    events: [{ type: "greeted", data: { name: "Ada" } }],
    progress: [{ done: 2 }],
    logs: [{ level: "info", message: "greeting", data: { name: "Ada" } }],
  });
});

test("runTool fills in defaults, and refuses an input that the schema does not allow before the tool runs", async () => {
  expect((await runTool(greet, { name: "Ada" })).text).toBe("Hello Ada!");
  await expect(runTool(greet, { name: "Ada", times: 4 })).rejects.toMatchObject({
    code: "invalid-input",
    message: expect.stringContaining("times"),
  });
  await expect(runTool(greet, { nmae: "Ada" })).rejects.toMatchObject({ code: "invalid-input" });
});

test("runTool rejects with the tool's own ToolError, and with one around any other error", async () => {
  const own = new ToolError("conflict", "somebody was faster", { hint: "Look again." });
  const other = new Error("the disk is on fire");
  await expect(runTool(failing(own), {})).rejects.toBe(own);
  await expect(runTool(failing(other), {})).rejects.toMatchObject({
    name: "ToolError",
    code: "tool-failed",
    message: "the disk is on fire",
    cause: other,
  });
});

test("runTool holds a tool to the output it promises", async () => {
  const tool = defineTool({
    name: "count",
    description: "Counts.",
    params: {},
    output: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] },
    run: () => ({ count: "three" }),
  });
  await expect(runTool(tool, {})).rejects.toMatchObject({ code: "invalid-output" });
});

test("runTool reads real files of the folder it is given, and no others", async () => {
  const workspace = await mkdtemp(join(tmpdir(), "toolwright-testing-"));
  onTestFinished(() => rm(workspace, { recursive: true, force: true }));
  await writeFile(join(workspace, "a.txt"), "one\n");
  expect((await runTool(fileRead, { path: "a.txt" }, { workspace })).text).toBe("     1\tone");
  await expect(runTool(fileRead, { path: "/etc/hostname" }, { workspace })).rejects.toMatchObject({
    code: "outside-workspace",
  });
  await expect(runTool(fileRead, { path: "a.txt" })).rejects.toMatchObject({ code: "unavailable" });
});

test("runTool ends a tool that takes too long, by the test's limit or else by the tool's own", async () => {
  const patient = { ...failing(new Error()), run: () => new Promise<string>(() => {}) };
  await expect(runTool(patient, {}, { timeoutMs: 5 })).rejects.toMatchObject({ code: "timed-out" });
  const hasty = { ...patient, traits: { ...patient.traits, timeoutMs: 5 } };
  await expect(runTool(hasty, {})).rejects.toMatchObject({ code: "timed-out" });
});

test("runTool ends a tool when the test's signal is aborted", async () => {
  const controller = new AbortController();
  const waiting = { ...failing(new Error()), run: () => new Promise<string>(() => controller.abort()) };
  await expect(runTool(waiting, {}, { signal: controller.signal })).rejects.toMatchObject({
    code: "cancelled",
  });
});

function failing(error: Error) {
  return defineTool({
    name: "fail",
    description: "Fails.",
    params: {},
    run: (): string => {
      throw error;
    },
  });
}
