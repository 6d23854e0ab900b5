import { expect, test } from "vitest";
import { createDialectView } from "../../../src/kernel/dialects/dialect-view.ts";
import { flyto } from "../../../src/kernel/dialects/tables/flyto.ts";
import { createRegistry } from "../../../src/kernel/registry/create-registry.ts";
import { keptIn } from "../../../src/kernel/store/kept/kept-kind.ts";
import { createDeferral, type DeferralLimits } from "../../../src/kernel/tool-search/deferral.ts";
import { activeTools } from "../../../src/kernel/tool-search/open-tools.ts";
import { createSessionTools } from "../../../src/kernel/tool-search/session-tools.ts";
import { createToolIndex } from "../../../src/kernel/tool-search/tool-index.ts";
import { defineTool } from "../../../src/tool/define-tool.ts";
import type { Traits } from "../../../src/tool/traits.ts";
import { sampleSession } from "./sample-catalogue.ts";

interface Setting {
  readonly limits?: DeferralLimits;
  readonly denied?: readonly string[];
  readonly kept?: Map<string, number>;
}

/** A registry with two core tools, one of which searches, and what a session makes of it. */
function openTools({ limits = { maxTools: 3 }, denied = [], kept = new Map() }: Setting = {}) {
  const registry = createRegistry();
  const view = createDialectView(flyto, registry);
  const tools = createSessionTools(
    {
      registry,
      view,
      index: createToolIndex(registry, view),
      deferral: createDeferral(limits, new Set(["core"])),
      searchTool: "finder",
      wantedTools: () => [],
    },
    {
      session: () => sampleSession,
      allowance: {
        isNeverAllowed: ({ name }) => denied.includes(name),
        get revision() {
          return denied.join();
        },
        refresh: async () => {},
      },
      known: kept,
      onChange: (name, place) => void (place === undefined ? kept.delete(name) : kept.set(name, place)),
    },
  );
  const add = (name: string, traits: Partial<Traits<unknown>> = {}) =>
    registry.register(defineTool({ name, description: `Is ${name}.`, params: {}, traits, run: () => name }));
  const active = (only?: readonly string[]) => tools.active(only).map(({ name }) => name);
  for (const name of ["finder", "core"]) add(name);
  return { ...tools, active, add, registry, kept };
}

test("all tools are offered while there are few, and only the core once there are many", () => {
  const { active, add, isDeferred } = openTools();
  add("one");
  expect(isDeferred("one")).toBe(false);
  add("two");
  expect(active()).toEqual(["finder", "core"]);
  expect(isDeferred("one")).toBe(true);
  expect(isDeferred("core")).toBe(false);
  expect(isDeferred("finder")).toBe(false);
  expect(isDeferred("nobody")).toBe(false);
});

test("a tool that was offered before there were many stays, at its place", () => {
  const { active, add } = openTools();
  add("one");
  expect(active()).toEqual(["finder", "core", "one"]);
  for (const name of ["two", "three"]) add(name);
  expect(active()).toEqual(["finder", "core", "one"]);
});

test("an activated tool is added at the end, in the order of activation, whatever comes and goes besides", () => {
  const { active, add, activate, registry } = openTools();
  for (const name of ["a", "b", "c", "d"]) add(name);
  const before = active();
  expect(activate("d")).toBe(true);
  expect(activate("b")).toBe(true);
  expect(activate("d")).toBe(true);
  expect(active()).toEqual([...before, "d", "b"]);
  // Of a lower layer, so that the registry lists it before all others.
  const early = defineTool({
    name: "early",
    description: "Early.",
    params: {},
    traits: { deferrable: false },
    run: () => "",
  });
  registry.register(early, { layer: "folder" });
  expect(registry.list()[0]?.name).toBe("early");
  activate("a");
  expect(active()).toEqual([...before, "d", "b", "early", "a"]);
});

test("an unknown name activates no tool", () => {
  const { activate, active, kept } = openTools();
  expect(activate("nobody")).toBe(false);
  expect(activate("__proto__")).toBe(false);
  expect([active(), kept.size]).toEqual([["finder", "core"], 0]);
});

test("a reset takes back the activated tools", () => {
  const { active, add, activate, isDeferred, reset, kept } = openTools();
  for (const name of ["a", "b", "c"]) add(name);
  activate("c");
  expect(active()).toEqual(["finder", "core", "c"]);
  reset();
  expect(active()).toEqual(["finder", "core"]);
  expect(isDeferred("c")).toBe(true);
  expect(kept.size).toBe(0);
  activate("b");
  expect(active()).toEqual(["finder", "core", "b"]);
});

test("another run of the session offers the same tools in the same order", () => {
  const first = openTools();
  for (const name of ["a", "b", "c", "d"]) first.add(name);
  for (const name of ["d", "core", "a"]) first.activate(name);
  const before = first.active();
  const second = openTools({ kept: first.kept });
  for (const name of ["a", "b", "c", "d"]) second.add(name);
  expect(second.active()).toEqual(before);
  second.activate("b");
  expect(second.active()).toEqual([...before, "b"]);
});

test("rows of a store that make no sense are passed over, and tools that are gone are waited for", async () => {
  const rows: [string, unknown][] = [
    ["late", 2],
    ["a", "x"],
    ["b", null],
  ];
  const stored = keptIn({ readVariables: async () => new Map(rows) }, activeTools, "one");
  const { active, add } = openTools({ kept: await stored.list() });
  for (const name of ["a", "b", "c"]) add(name);
  expect(active()).toEqual(["finder", "core"]);
  add("late");
  expect(active()).toEqual(["finder", "core", "late"]);
});

test("a tool's definition can say that it is always kept back, or never", () => {
  const few = openTools();
  few.add("shy", { deferrable: true });
  expect(few.active()).toEqual(["finder", "core"]);
  expect(few.isDeferred("shy")).toBe(true);
  const many = openTools();
  for (const name of ["a", "b", "c"]) many.add(name);
  many.add("bold", { deferrable: false });
  expect(many.active()).toEqual(["finder", "core", "bold"]);
});

test("without a way to search, all tools are offered", async () => {
  const { active, add, isDeferred, search } = openTools({ denied: ["finder"] });
  for (const name of ["a", "b", "c"]) add(name);
  add("shy", { deferrable: true });
  expect(active()).toEqual(["core", "a", "b", "c", "shy"]);
  expect(isDeferred("shy")).toBe(false);
  expect(await search("a")).toMatchObject({ allActive: true });
});

test("a tool whose every call is denied is neither offered nor found, by whatever way", async () => {
  const { active, add, isDeferred, search, activate } = openTools({ denied: ["core", "c"] });
  for (const name of ["a", "b", "c", "d"]) add(name);
  expect(active()).toEqual(["finder"]);
  expect(activate("c")).toBe(false);
  expect(isDeferred("c")).toBe(false);
  expect((await search("c")).tools).toEqual([]);
  expect(await search("select:c,d")).toMatchObject({ tools: [{ name: "d" }], missing: [{ name: "c" }] });
  expect(active(["core", "c", "d"])).toEqual(["d"]);
});

test("a caller that may use only some tools is offered those: all of them unless the search tool is among them", () => {
  const { active, add, activate } = openTools();
  for (const name of ["a", "b", "c", "d"]) add(name);
  expect(active(["a", "b", "c", "d", "unknown"])).toEqual(["a", "b", "c", "d"]);
  expect(active(["finder", "a", "b", "c"])).toEqual(["finder"]);
  expect(active(["finder", "a"])).toEqual(["finder", "a"]);
  activate("c");
  expect(active(["finder", "a", "b", "c"])).toEqual(["finder", "c"]);
  expect(active()).toEqual(["finder", "core", "c"]);
});

test("a share of the context can be the limit in place of a count, or beside it", () => {
  const share = { maxContextShare: 0.5, contextTokens: 400 };
  const byShare = openTools({ limits: share });
  for (let count = 0; count < 3; count++) byShare.add(`tool_${count}`);
  expect(byShare.active()).toHaveLength(5);
  const over = openTools({ limits: share });
  for (let count = 0; count < 20; count++) over.add(`tool_${count}`);
  expect(over.active()).toEqual(["finder", "core"]);
  const both = openTools({ limits: { ...share, maxTools: 3 } });
  for (let count = 0; count < 3; count++) both.add(`tool_${count}`);
  expect(both.active()).toEqual(["finder", "core"]);
});

test("select finds tools by their exact names, and tells the nearest of those that there are not", async () => {
  const { add, search } = openTools();
  for (const name of ["alpha_get", "alpha_set", "beta_get"]) add(name);
  const found = await search("select: beta_get, alpha_gte,alpha_set,beta_get");
  expect(found.tools.map(({ name }) => name)).toEqual(["beta_get", "alpha_set"]);
  expect(found.missing).toEqual([{ name: "alpha_gte", nearest: expect.arrayContaining(["alpha_get"]) }]);
  expect(await search("select:")).toMatchObject({ tools: [], missing: [] });
});

test("a selection of thousands of names is answered in bounds", async () => {
  const { add, search } = openTools();
  for (let count = 0; count < 100; count++) add(`tool_${count}`);
  const all = await search(`select:${Array.from({ length: 9000 }, (_, count) => `tool_${count}`).join(",")}`);
  expect(all.tools.length).toBeLessThanOrEqual(50);
  const long = await search(`select:${"x".repeat(100_000)}`);
  expect(long.missing[0]!.name.length).toBeLessThanOrEqual(64);
});
