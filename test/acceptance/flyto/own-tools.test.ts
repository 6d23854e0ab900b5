import { rm, stat, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { flagsOf, shareFlyto, shown } from "./share-flyto.ts";

const flyto = shareFlyto();

const text = { text: { type: "string" } } as const;
const base = { description: "For a test.", params: text, run: () => "ran" };

/** What the catalogue says of how a tool's calls can be taken back. */
const safetyOf = (name: string) => {
  const { annotations, metadata } = shown(flyto.session, name);
  return [metadata.safety, annotations.safetyLevel];
};

test("F1: a tool is a name, a description that may depend on the session, a JSON Schema and a function that reports progress", async () => {
  const tool = defineTool({
    name: "F1Count",
    description: ({ workspace }) => `Counts in ${workspace}.`,
    input: { type: "object", properties: { to: { type: "integer" } }, required: ["to"] },
    run: ({ to }, { progress }) => {
      if (to < 0) throw new Error("cannot count down");
      for (let count = 1; count <= to; count += 1) progress(count);
      return { counted: to };
    },
  });
  flyto.runtime.tools.register(tool);
  expect(shown(flyto.session, "F1Count")).toMatchObject({
    description: `Counts in ${flyto.workspace}.`,
    inputSchema: { type: "object", properties: { to: { type: "integer" } }, required: ["to"] },
  });
  const seen: unknown[] = [];
  const onProgress = (update: unknown) => void seen.push(update);
  const counted = await flyto.session.call("F1Count", { to: 3 }, { onProgress });
  expect(seen).toEqual([1, 2, 3]);
  expect(counted).toMatchObject({ status: "done", data: { counted: 3 } });
  const failed = await flyto.call("F1Count", { to: -1 });
  expect(failed).toMatchObject({ status: "failed", error: { message: "cannot count down" } });
});

test("F2: a tool may say that it runs beside others, only reads or destroys, which other names it has and what finds it", async () => {
  const traits = { concurrencySafe: true, readOnly: true };
  const reader = { ...base, name: "F2Reader", traits, aliases: ["F2Other"], searchHint: "marmalade" };
  flyto.runtime.tools.register(defineTool(reader));
  flyto.runtime.tools.register(defineTool({ ...base, name: "F2Wrecker", traits: { destructive: true } }));
  expect(shown(flyto.session, "F2Reader").metadata).toMatchObject({
    concurrencySafe: true,
    readOnly: true,
    destructive: false,
    aliases: ["F2Other"],
    searchHint: "marmalade",
  });
  const wrecker = { concurrencySafe: false, readOnly: false, destructive: true };
  expect(flagsOf(flyto.session, "F2Wrecker")).toEqual(wrecker);
  expect((await flyto.call("F2Other", { text: "x" })).receipt.tool).toBe("F2Reader");
  expect(await flyto.session.searchTools("marmalade")).toMatchObject([{ name: "F2Reader" }]);
});

test("F3: a result is a text, whether it failed, data where there are any, and what undoes it where that is possible", async () => {
  await flyto.put({ "f3.txt": "3\n" });
  const file = flyto.at("f3.txt");
  const read = await flyto.call("Read", { file_path: file });
  expect(read).toMatchObject({ status: "done", text: "     1\t3", data: { content: "3" } });
  expect(read).not.toHaveProperty("error");
  expect(read.receipt).not.toHaveProperty("undo");
  const written = await flyto.call("Write", { file_path: file, content: "4\n" });
  expect(written.receipt.undo).toEqual(expect.any(String));
  const missing = await flyto.call("Read", { file_path: flyto.at("f3-missing.txt") });
  expect(missing).toMatchObject({ status: "failed", error: { code: "not-found" } });
  expect(missing.text).toContain("f3-missing.txt");
});

test("F4: the catalogue tells a tool that can be previewed, one that can be undone, one with both, one with neither and one that needs none", () => {
  const dryRun = () => "would";
  const undo = () => {};
  const tools = {
    F4Neither: {},
    F4Preview: { dryRun },
    F4Undo: { undo },
    F4Both: { dryRun, undo },
    F4Reads: { traits: { readOnly: true } },
  };
  for (const [name, more] of Object.entries(tools))
    flyto.runtime.tools.register(defineTool({ ...base, ...more, name }));
  expect(Object.keys(tools).map((name) => shown(flyto.session, name).metadata.safety)).toEqual([
    "none",
    "preview",
    "undo",
    "preview-and-undo",
    "changes-nothing",
  ]);
});

test("F5: a dry run says what a call would do, and does none of it", async () => {
  const touched: string[] = [];
  const tool = defineTool({
    ...base,
    name: "F5Touch",
    dryRun: ({ text: name }) => `It would touch ${name}.`,
    run: ({ text: name }) => touched.push(name),
  });
  flyto.runtime.tools.register(tool);
  const preview = await flyto.session.dryRun("F5Touch", { text: "it" });
  expect(preview).toMatchObject({ status: "done", receipt: { isDryRun: true } });
  expect(preview.text).toContain("It would touch it.");
  expect(touched).toEqual([]);
  const file = flyto.at("f5.txt");
  const built = await flyto.session.dryRun("Write", { file_path: file, content: "new\n" });
  expect(built.text).toContain("+new");
  await expect(stat(file)).rejects.toThrow("ENOENT");
});

test("F6: a tool's undo gets what the call was given and what it returned, and reverts it", async () => {
  const tool = defineTool({
    ...base,
    name: "F6Make",
    run: async ({ text: name }) => {
      await writeFile(flyto.at(name), "");
      return { made: name };
    },
    undo: async ({ input, output }) => {
      expect(output).toEqual({ made: input.text });
      await rm(flyto.at(output.made));
    },
  });
  flyto.runtime.tools.register(tool);
  const { callId } = await flyto.call("F6Make", { text: "f6.txt" });
  expect((await stat(flyto.at("f6.txt"))).isFile()).toBe(true);
  expect((await flyto.session.undo(callId)).status).toBe("done");
  await expect(stat(flyto.at("f6.txt"))).rejects.toThrow("ENOENT");
});

test("F7: the level is 0 without undo, 1 with it and 2 with a preview as well; file tools have it, Bash does not", () => {
  const dryRun = () => "would";
  const undo = () => {};
  flyto.runtime.tools.register(defineTool({ ...base, name: "F7Undo", undo }));
  flyto.runtime.tools.register(defineTool({ ...base, name: "F7Preview", dryRun }));
  expect(safetyOf("Bash")).toEqual(["none", 0]);
  expect(safetyOf("F7Preview")).toEqual(["preview", 0]);
  expect(safetyOf("F7Undo")).toEqual(["undo", 1]);
  for (const name of ["Edit", "Write", "Gitignore"]) expect(safetyOf(name)).toEqual(["preview-and-undo", 2]);
  for (const name of ["Read", "Glob", "Grep", "WebFetch", "WebSearch"])
    expect(safetyOf(name)).toEqual(["changes-nothing", 0]);
});

test("F72: a tool registered at run time can be found, called and run beside others in a conversation that is open", async () => {
  const session = await flyto.runtime.openSession();
  flyto.runtime.tools.register(
    defineTool({
      name: "MyTool",
      description: "Does something",
      input: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
      traits: { concurrencySafe: true, readOnly: true },
      searchHint: "my custom tool keyword",
      run: ({ input }) => `result: ${input}`,
    }),
  );
  const results = await session.callAll([
    { name: "ToolSearch", input: { query: "keyword" } },
    { name: "MyTool", input: { input: "a" } },
  ]);
  expect(results.map(({ status }) => status)).toEqual(["done", "done"]);
  expect(results[0]?.text).toContain("- MyTool: Does something");
  expect(results[1]?.text).toBe("result: a");
  expect(session.activeTools().map(({ name }) => name)).toContain("MyTool");
  expect((await session.call("MyTool", {})).error?.code).toBe("invalid-input");
});
