import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import type { CallResult, Session } from "../../src/index.ts";
import { defineTool, defineTools } from "../../src/tool/index.ts";

const common = { name: "t", description: "T." } as const;

test("params give run its input type", () => {
  defineTool({
    ...common,
    params: {
      path: { type: "string" },
      depth: { type: "integer", required: false },
      sort: { type: "string", enum: ["name", "size"], default: "name" },
      all: { type: "boolean", required: false, default: false },
      ranges: {
        type: "array",
        items: {
          type: "object",
          properties: { from: { type: "number" }, to: { type: "number", required: false } },
        },
      },
      anything: { type: "object" },
    },
    run(input) {
      expectTypeOf(input).toEqualTypeOf<{
        path: string;
        depth?: number;
        sort: "name" | "size";
        all: boolean;
        ranges: { from: number; to?: number }[];
        anything: Record<string, unknown>;
      }>();
      // @ts-expect-error there is no such parameter
      input.other;
      return "";
    },
  });
});

test("a JSON Schema gives run its input type", () => {
  defineTool({
    ...common,
    input: {
      type: "object",
      properties: {
        path: { type: "string" },
        mode: { enum: ["a", "b"] },
        fixed: { const: 1 },
        count: { type: "integer", default: 1 },
        maybe: { type: ["string", "null"] },
        nested: {
          type: "object",
          properties: { list: { type: "array", items: { type: "boolean" } } },
          required: ["list"],
        },
      },
      required: ["path", "nested"],
    },
    traits: { timeoutMs: (input) => input.count },
    permission: (input) => {
      expectTypeOf(input.path).toEqualTypeOf<string>();
      return { action: "read", target: input.path };
    },
    run(input) {
      expectTypeOf(input).toEqualTypeOf<{
        path: string;
        mode?: "a" | "b";
        fixed?: 1;
        count: number;
        maybe?: string | null;
        nested: { list: boolean[] };
      }>();
      return "";
    },
  });
});

test("a Zod schema gives run its output type", () => {
  defineTool({
    ...common,
    input: z.object({ a: z.string(), n: z.string().transform(Number).default(5), o: z.boolean().optional() }),
    run(input) {
      expectTypeOf(input).toEqualTypeOf<{ a: string; n: number; o?: boolean | undefined }>();
      return "";
    },
  });
});

test("toText and undo receive what run resolves to", () => {
  const tool = defineTool({
    ...common,
    params: { a: { type: "string" } },
    run: async ({ a }) => ({ lines: [a], total: 1 }),
    toText: (output, wording) => {
      expectTypeOf(output).toEqualTypeOf<{ lines: string[]; total: number }>();
      return wording.argument("total", output.total);
    },
    undo: ({ input, output }) => {
      expectTypeOf(input).toEqualTypeOf<{ a: string }>();
      expectTypeOf(output.total).toEqualTypeOf<number>();
    },
  });
  expectTypeOf(tool.run).parameter(0).toEqualTypeOf<{ a: string }>();
});

test("wrong use does not compile", () => {
  const never = () => {
    // @ts-expect-error run is missing
    defineTool({ ...common, params: {} });
    // @ts-expect-error there is no such type
    defineTool({ ...common, params: { a: { type: "text" } }, run: () => "" });
    // @ts-expect-error either input or params
    defineTool({ ...common, params: {}, input: z.object({}), run: () => "" });
    // @ts-expect-error there is no such trait
    defineTool({ ...common, params: {}, traits: { readonly: true }, run: () => "" });
    // @ts-expect-error toText returns text
    defineTool({ ...common, params: {}, run: () => 1, toText: (output) => output });
    // @ts-expect-error there is no such action
    defineTool({ ...common, params: {}, permission: () => ({ action: "delete" }), run: () => "" });
  };
  expectTypeOf(never).toBeFunction();
});

test("defineTools keeps the types of each", () => {
  const first = defineTool({
    name: "first",
    description: "T.",
    params: { a: { type: "string" } },
    run: ({ a }) => a,
  });
  const second = defineTool({
    name: "second",
    description: "T.",
    params: { n: { type: "number" } },
    run: ({ n }) => n,
  });
  const [one, two] = defineTools([first, second]);
  expectTypeOf(one).toEqualTypeOf(first);
  expectTypeOf(two).toEqualTypeOf(second);
});

test("defineTools gives each written-out run its own input type", () => {
  const tools = defineTools([
    {
      name: "first",
      description: "T.",
      params: { a: { type: "string" }, b: { type: "number", required: false } },
      run(input) {
        expectTypeOf(input).toEqualTypeOf<{ a: string; b?: number }>();
        return "";
      },
    },
    {
      name: "second",
      description: "T.",
      params: { n: { type: "number" } },
      run: ({ n }) => {
        expectTypeOf(n).toEqualTypeOf<number>();
        return n;
      },
    },
  ]);
  expectTypeOf(tools[0].name).toEqualTypeOf<string>();
});

test("a call of a built-in tool has its input checked and its data typed, any other call neither", () => {
  const session = {} as Session;
  const check = async () => {
    const read = await session.call("file_read", { path: "a.txt", limit: undefined }, { timeoutMs: 1 });
    if (read.status === "done" && read.data.kind === "text")
      expectTypeOf(read.data.content).toEqualTypeOf<string>();
    // @ts-expect-error it is not known to be done
    read.data.kind;
    expectTypeOf(read).toExtend<CallResult>();
    await session.call("todo_read");
    await session.call("file_list");
    // @ts-expect-error the path is missing
    await session.call("file_read");
    // @ts-expect-error it has no such parameter
    await session.call("file_read", { file: "a.txt" });
    // @ts-expect-error a number
    await session.dryRun("file_read", { path: "a.txt", limit: "3" });
    // @ts-expect-error one of three
    await session.explain("search_grep", { pattern: "a", output_mode: "lines" });

    const other = await session.call("Read", { file_path: "/a.txt" });
    expectTypeOf(other).toEqualTypeOf<CallResult>();
    const name: string = "file_read";
    expectTypeOf(await session.call(name, { anything: true })).toEqualTypeOf<CallResult>();
    // A name from a table of several tools takes the input of any of them.
    for (const [tool, input] of [
      ["file_read", { path: "a.txt" }],
      ["file_write", { path: "a.txt", content: "" }],
    ] as const)
      await session.call(tool, input);
  };
  expectTypeOf(check).toBeFunction();
});
