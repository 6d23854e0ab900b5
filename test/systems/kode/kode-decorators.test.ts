import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  extractTools,
  kodeTools,
  type ToolInstance,
  ToolKit,
  tool,
  toolMethod,
  tools,
} from "../../../src/systems/kode/index.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";

function openWith(instances: readonly ToolInstance[]) {
  return openTestSession({
    dialect: "kode",
    deferral: { maxTools: 1000 },
    permissions: { mode: "auto" },
    tools: kodeTools(instances),
  });
}

const summing = {
  description: "Adds.",
  params: { a: { type: "number" }, b: { type: "number", default: 1 } },
  attributes: { readonly: true, noEffect: true },
} as const;

/** As TypeScript compiles decorators with `experimentalDecorators`: called with the prototype, the name and the property. */
function decorateAsBefore(
  owner: { prototype: object },
  name: string,
  decorate: ReturnType<typeof toolMethod>,
) {
  decorate(owner.prototype, name, Object.getOwnPropertyDescriptor(owner.prototype, name));
}

/** As it compiles them without: called with the method and what is known about it. */
function decorateAsNow(
  owner: { prototype: object },
  name: string,
  decorate: ReturnType<typeof toolMethod>,
  more: object = {},
) {
  const method: unknown = Reflect.get(owner.prototype, name);
  decorate(method, { kind: "method", name, static: false, private: false, ...more });
}

const kinds = [
  ["with experimentalDecorators", decorateAsBefore],
  ["without", decorateAsNow],
] as const;

test.each(kinds)("K24: a method that @tool decorates is a tool, as compiled %s", async (_, decorate) => {
  class Sums {
    readonly #bonus = 10;
    async sum({ a, b }: { a: number; b: number }) {
      return a + b + this.#bonus;
    }
    plain() {}
  }
  decorate(Sums, "sum", tool(summing));
  const found = extractTools(new Sums());
  expect(found.map(({ name }) => name)).toEqual(["sum"]);
  expect(kodeTools(found)[0]?.traits).toMatchObject({ readOnly: true, idempotent: true });
  const { session } = await openWith(found);
  expect(await session.call("sum", { a: 1 })).toMatchObject({ data: 12 });
  expect(await session.call("sum", { a: "x" })).toMatchObject({ error: { code: "invalid-input" } });
});

test.each(kinds)("K24: a kit's tools have its name before theirs, as compiled %s", async (_, decorate) => {
  class Kit extends ToolKit {
    readonly found: string;
    constructor(found: string) {
      super("db");
      this.found = found;
    }
    async query({ text }: { text: string }) {
      return `${this.found} ${text}`;
    }
    async insert() {
      return "inserted";
    }
  }
  class Better extends Kit {
    override async query({ text }: { text: string }) {
      return `better ${text}`;
    }
    async drop() {
      return "dropped";
    }
  }
  decorate(Kit, "query", toolMethod({ description: "Asks.", parameters: z.object({ text: z.string() }) }));
  decorate(Kit, "insert", toolMethod());
  decorate(Better, "drop", toolMethod({ description: "Drops." }));
  // A child's tools are not its parent's.
  expect(new Kit("a").getToolNames()).toEqual(["db__query", "db__insert"]);
  expect(new Better("a").getToolNames()).toEqual(["db__query", "db__insert", "db__drop"]);
  const { session } = await openWith(new Better("a").getTools());
  expect((await session.call("db__query", { text: "x" })).text).toBe("better x");
  expect(await session.call("db__query", { text: 5 })).toMatchObject({ error: { code: "invalid-input" } });
  expect((await session.call("db__insert", { anything: 1 })).text).toBe("inserted");
});

test("K24: the decorators work in what TypeScript itself makes of them, with experimentalDecorators and without", async () => {
  const folder = await temporaryFolder();
  const entry = new URL("../../../src/systems/kode/index.ts", import.meta.url).href;
  await writeFile(
    join(folder, "tools.mts"),
    `import { extractTools, tool, ToolKit, toolMethod } from ${JSON.stringify(entry)};
class Sums {
  #bonus = 10;
  @tool({ description: "Adds.", params: { a: { type: "number" } } })
  async sum({ a }) { return a + this.#bonus; }
}
class Kit extends ToolKit {
  @toolMethod({ description: "Asks." })
  async query() { return "asked"; }
}
const [sum] = extractTools(new Sums());
const [query] = new Kit("db").getTools();
export const said = [sum.name, await sum.exec({ a: 1 }, {}), query.name, await query.exec({}, {})];
`,
  );
  const compile = async (kind: string, words: readonly string[]) => {
    const options = ["--noCheck", "--target", "es2022", "--module", "nodenext", "--outDir", kind];
    await promisify(execFile)("tsc", ["tools.mts", ...options, ...words], { cwd: folder });
    return import(pathToFileURL(join(folder, kind, "tools.mjs")).href);
  };
  const both = await Promise.all([compile("before", ["--experimentalDecorators"]), compile("now", [])]);
  for (const { said } of both) expect(said).toEqual(["sum", 11, "db__query", "asked"]);
});

test("K24: a class that was compiled with KODE's own decorators keeps its tools", async () => {
  class Old {
    static readonly _toolConfigs = new Map([
      ["greet", { description: "Greets.", params: {}, name: "greet", exec: async () => "hello" }],
    ]);
    async greet() {
      return "hello";
    }
  }
  const { session } = await openWith(extractTools(new Old()));
  expect((await session.call("greet", {})).text).toBe("hello");
});

test("K24: only public methods of instances can be decorated", () => {
  class Odd {
    static all() {}
    own() {}
  }
  const decorate = tool({ description: "No." });
  expect(() => decorate(Odd, "all", Object.getOwnPropertyDescriptor(Odd, "all"))).toThrow("public methods");
  for (const more of [{ static: true }, { private: true }])
    expect(() => decorate(() => {}, { kind: "method", name: "x", ...more })).toThrow("public methods");
  expect(() => decorate(undefined, { kind: "field", name: "x" })).toThrow("public methods");
});

test("K24, K36: `tool` takes a Zod schema or a function alone, and a time of its own", async () => {
  const instances = [
    tool("echo", async (args) => args),
    ...tools([
      {
        name: "double",
        parameters: z.object({ n: z.number() }),
        metadata: { readonly: true, timeout: 20 },
        execute: ({ n }, { signal }) => (n === 0 ? new Promise(() => {}) : n * 2 + Number(signal.aborted)),
      },
    ]),
  ];
  const { session } = await openWith(instances);
  expect((await session.call("echo", { any: ["thing"] })).data).toEqual({ any: ["thing"] });
  expect((await session.call("double", { n: 4 })).data).toBe(8);
  expect(await session.call("double", { n: "x" })).toMatchObject({ error: { code: "invalid-input" } });
  expect(await session.call("double", { n: 0 })).toMatchObject({ status: "timed-out" });
  expect(() => tool("nothing", undefined as never)).toThrow("nothing needs a function");
});
