import { readFile } from "node:fs/promises";
import { afterAll, describe, expect, test } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { Eko } from "../../../src/systems/eko/index.ts";
import { Agent } from "../../../src/systems/kode/index.ts";
import { type SystemName, systemNames } from "../../../src/systems/migrate/migration.ts";
import { kodeEventTypes } from "../../../src/systems/migrate/moves/kode-move.ts";
import { moves } from "../../../src/systems/migrate/moves/moves.ts";
import { pulseHookNames } from "../../../src/systems/migrate/moves/pulse-move.ts";
import { openSourceReader } from "../../../src/systems/migrate/open-source-reader.ts";
import { Engine } from "../../../src/systems/pulse/index.ts";

const reader = openSourceReader();
afterAll(() => reader.close());
const { signal } = new AbortController();
const namesIn = (system: SystemName) => reader.exportsOf(system, signal);

describe.each(systemNames)("what is known about %s", (system) => {
  test("comes from its entry point, and nothing that is there is called missing", async () => {
    const names = Object.keys(await namesIn(system));
    expect(names.length).toBeGreaterThan(0);
    const { missing, kept = [] } = moves[system];
    expect([...Object.keys(missing), ...kept].filter((name) => names.includes(name))).toEqual([]);
  });
});

test("values of an entry point are told apart from its types", async () => {
  const module = await import("../../../src/systems/kode/index.ts");
  const names = Object.entries(await namesIn("kode"));
  const values = names.flatMap(([name, kind]) => (kind === "value" ? [name] : []));
  expect(values.toSorted()).toEqual(Object.keys(module).toSorted());
});

test("no method that a class has is called missing, nor one that the real class does not have", () => {
  const classes = { Agent, Eko, Engine };
  for (const system of systemNames) {
    for (const [name, methods] of Object.entries(moves[system].missingMethods)) {
      const own = classes[name as keyof typeof classes];
      const there = Object.keys(methods).filter((method) => method in own.prototype || method in own);
      expect(there).toEqual([]);
    }
  }
});

test("every name of the real Eko is there, or it is known what to do without it", async () => {
  const file = new URL("../../../node_modules/@eko-ai/eko/dist/index.d.ts", import.meta.url);
  const text = await readFile(file, "utf8");
  const exported = [...text.matchAll(/export \{([^}]*)\}/g)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.replace("type ", "").trim()),
  );
  const { missing, kept = [] } = moves.eko;
  const known = new Set([...Object.keys(await namesIn("eko")), ...Object.keys(missing), ...kept]);
  const wanted = exported.filter((name) => name !== "");
  expect(wanted.length).toBeGreaterThan(20);
  expect(wanted.filter((name) => !known.has(name))).toEqual([]);
});

test("the events that are said to be sent are those that are translated", async () => {
  const folder = new URL("../../../src/capabilities/interop/events/", import.meta.url);
  const text = await readFile(new URL("kode-events.ts", folder), "utf8");
  for (const [type, when] of Object.entries(kodeEventTypes))
    expect([type, text.includes(`"${type}"`)]).toEqual([type, when === "sent"]);
});

test("the hooks that are said to be called are called", async () => {
  const called = new Set<string>();
  const note = (name: string) => () => void called.add(name);
  const inPlugins = Object.keys(pulseHookNames).filter((name) => !/^on(?:Before|After)/.test(name));
  const steps = [{ calls: [{ name: "ls", input: {} }] }, { text: "Done." }];
  const engine = new Engine({
    model: scriptedModel(steps),
    hooks: { onBeforeToolCall: note("onBeforeToolCall"), onAfterToolCall: note("onAfterToolCall") },
    enginePlugins: {
      plugins: [
        {
          name: "notes",
          initialize({ registerHook }) {
            for (const name of inPlugins) registerHook(name as "beforeRun", note(name));
          },
        },
      ],
    },
    toolwright: { store: "memory:", permissions: { mode: "auto" } },
  });
  await engine.run("Go.");
  await engine.close();
  const expected = Object.entries(pulseHookNames).flatMap(([name, when]) =>
    when === "called" ? [name] : [],
  );
  expect([...called].toSorted()).toEqual(expected.toSorted());
});
