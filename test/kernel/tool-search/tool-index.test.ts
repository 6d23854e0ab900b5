import { expect, test } from "vitest";
import { createDialectView } from "../../../src/kernel/dialects/dialect-view.ts";
import { flyto } from "../../../src/kernel/dialects/tables/flyto.ts";
import { createRegistry } from "../../../src/kernel/registry/create-registry.ts";
import type { ProvidedTool, ToolSource } from "../../../src/kernel/registry/tool-source.ts";
import { createWordList } from "../../../src/kernel/tool-search/text-index.ts";
import { createToolIndex } from "../../../src/kernel/tool-search/tool-index.ts";
import { defineTool } from "../../../src/tool/define-tool.ts";
import { type SampleTool, sampleSession, sampleTool } from "./sample-catalogue.ts";

function openIndex() {
  const registry = createRegistry();
  const index = createToolIndex(registry, createDialectView(flyto, registry));
  const search = async (query: string) => {
    const found = await index.search(query, { limit: 10, session: sampleSession });
    return found.map(({ name }) => name);
  };
  return { registry, search };
}

/** A source whose tools come and go, as those of an MCP server do. */
function createChangingSource(): { source: ToolSource; put(tools: readonly SampleTool[]): void } {
  let tools: readonly ProvidedTool[] = [];
  let tell = () => {};
  const source: ToolSource = {
    id: "changing",
    layer: "mcp",
    tools: () => tools,
    start: async (onChange) => {
      tell = onChange;
    },
  };
  return {
    source,
    put(samples) {
      tools = samples.map((sample) => ({ tool: sampleTool(sample) }));
      tell();
    },
  };
}

test("a tool is found as soon as it is registered", async () => {
  const { registry, search } = openIndex();
  expect(await search("barometer")).toEqual([]);
  registry.register(sampleTool({ name: "read_barometer", description: "Tells the air pressure." }));
  expect(await search("barometer")).toEqual(["read_barometer"]);
  expect(await search("pressure of air")).toEqual(["read_barometer"]);
});

test("a removed tool is found no more, and a changed tool is found by its new words", async () => {
  const { registry, search } = openIndex();
  const { source, put } = createChangingSource();
  await registry.addSource(source);
  put([
    { name: "first", description: "Counts sheep." },
    { name: "second", description: "Counts goats." },
  ]);
  expect(await search("sheep")).toEqual(["first"]);
  put([{ name: "second", description: "Counts geese." }]);
  expect(await search("sheep")).toEqual([]);
  expect(await search("goats")).toEqual([]);
  expect(await search("geese")).toEqual(["second"]);
  put([]);
  expect(await search("geese second")).toEqual([]);
  put([{ name: "first", description: "Counts sheep again." }]);
  expect(await search("sheep")).toEqual(["first"]);
});

test("thousands of changes leave the same as a fresh index", async () => {
  const { registry, search } = openIndex();
  const { source, put } = createChangingSource();
  await registry.addSource(source);
  const numbered = (count: number, word: string) =>
    Array.from({ length: count }, (_, number) => ({
      name: `tool_${word}_${number}`,
      description: `Does ${word} number ${number}.`,
    }));
  for (let round = 0; round < 20; round++) {
    put(numbered(50 + (round % 7) * 20, `round${round}`));
    expect((await search(`round${round}`)).length).toBe(10);
  }
  put(numbered(3, "z"));
  expect(await search("round19")).toEqual([]);
  expect(await search("tool")).toEqual(["tool_z_0", "tool_z_1", "tool_z_2"]);
});

test("searches at once, while tools come, all get an answer", async () => {
  const { registry, search } = openIndex();
  const searches: Promise<string[]>[] = [];
  for (let count = 0; count < 300; count++) {
    registry.register(sampleTool({ name: `late_${count}`, description: "Comes late." }));
    if (count % 3 === 0) searches.push(search("late"));
  }
  for (const found of await Promise.all(searches)) expect(found.length).toBe(10);
  expect((await search("late_299"))[0]).toBe("late_299");
});

test("a tool that comes while others are still being read is found by every later search", async () => {
  const { registry, search } = openIndex();
  let found: Promise<string[]> | undefined;
  // Read in the middle of the first search's update, whose list was made before.
  const description = () => {
    registry.register(sampleTool({ name: "late", description: "Tells the air pressure." }));
    found = search("air pressure");
    return "Comes first.";
  };
  registry.register(defineTool({ name: "early", description, params: {}, run: () => "" }));
  await search("anything");
  expect(await found).toEqual(["late"]);
});

test("a description that its author's code fails to make, or that is huge, does no harm", async () => {
  const { registry, search } = openIndex();
  const describe = () => {
    throw new Error("no");
  };
  registry.register(defineTool({ name: "broken_words", description: describe, params: {}, run: () => "" }));
  registry.register(sampleTool({ name: "huge", description: "verbose ".repeat(500_000) }));
  expect(await search("broken")).toEqual(["broken_words"]);
  expect(await search("verbose")).toEqual(["huge"]);
});

test("a tool cannot push itself to the front by repeating what people search for", async () => {
  const { registry, search } = openIndex();
  registry.register(sampleTool({ name: "send_email", description: "Sends a message to an address." }));
  registry.register(sampleTool({ name: "spam", description: "send email ".repeat(150) }));
  expect((await search("send email"))[0]).toBe("send_email");
});

test("aliases and the names of the dialect lead to a tool as its own name does", async () => {
  const { registry, search } = openIndex();
  registry.register(sampleTool({ name: "file_read", description: "Opens it." }), { layer: "builtin" });
  registry.register(sampleTool({ name: "x1", description: "Does x.", aliases: ["blow_whistle"] }));
  expect(await search("FileRead")).toEqual(["file_read"]);
  expect(await search("Read")).toEqual(["file_read"]);
  expect(await search("whistle")).toEqual(["x1"]);
  expect(await search("blow_whistle")).toEqual(["x1"]);
});

test("reading many tools lets others have their turns in between", async () => {
  const { registry, search } = openIndex();
  // What is loaded for the first search gives turns to others in any case.
  expect(await search("anything")).toEqual([]);
  // A tenth of a second in all, on the fastest machine too.
  const description = () => {
    const endAt = performance.now() + 1;
    while (performance.now() < endAt);
    return "Takes its time to say what it does.";
  };
  for (let count = 0; count < 100; count++) {
    registry.register(defineTool({ name: `tool_${count}`, description, params: {}, run: () => "" }));
  }
  let turns = 0;
  let isDone = false;
  const countTurns = () => {
    turns += 1;
    if (!isDone) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  expect(await search("tool_99")).toContain("tool_99");
  isDone = true;
  expect(turns).toBeGreaterThan(3);
});

test("a word is found by any part of it, until it was removed as often as it was added", () => {
  const words = createWordList();
  for (const word of ["webhook", "webhook", "hook", "fetch"]) words.add(word);
  expect(words.containing("hook")).toEqual(["webhook", "hook"]);
  words.remove("webhook");
  expect(words.containing("web")).toEqual(["webhook"]);
  words.remove("webhook");
  words.remove("never added");
  expect(words.containing("web")).toEqual([]);
  expect(words.containing("hook")).toEqual(["hook"]);
});

test("a part that is in a word twice finds it once, and too short a part finds nothing", () => {
  const words = createWordList();
  words.add("banana");
  words.add("");
  expect(words.containing("ana")).toEqual(["banana"]);
  expect(words.containing("an")).toEqual([]);
  expect(words.containing("")).toEqual([]);
  expect(words.containing("bananas")).toEqual([]);
});

test("of very many words with a part only the first are looked at", () => {
  const list = createWordList();
  for (let count = 0; count < 10_000; count++) list.add(`thing${count}`);
  expect(list.containing("thing")).toHaveLength(2000);
  expect(list.containing("thing9999")).toEqual(["thing9999"]);
});
