import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { createRegistry } from "../../../../src/kernel/registry/create-registry.ts";
import { maxLoadMs } from "../../../../src/kernel/registry/load-code.ts";
import { loadPlugins } from "../../../../src/kernel/registry/plugins/load-plugins.ts";
import type { PluginApiOf, PluginOf } from "../../../../src/kernel/registry/plugins/plugin.ts";
import { type AnyTool, defineTool } from "../../../../src/tool/define-tool.ts";
import type { Logger } from "../../../../src/tool/tool-context.ts";
import { stopClock } from "../../../support/stop-clock.ts";
import { createTempFolder } from "../temp-folder.ts";

function tool(name: string): AnyTool {
  return defineTool({ name, description: `Tool ${name}`, params: {}, run: () => name });
}

function recordingLogger() {
  const lines: string[] = [];
  const write = (message: string) => {
    lines.push(message);
  };
  const logger: Logger = { debug: write, info: write, warn: write, error: write };
  return { lines, logger };
}

const { logger } = recordingLogger();

/** A registry with these plugins loaded and started, as a runtime does it. */
async function openWith(plugins: readonly (PluginOf<string> | string)[], folder?: string) {
  const loaded = await loadPlugins<string>(plugins, { logger, ...(folder !== undefined && { folder }) });
  const registry = createRegistry();
  for (const source of loaded.sources) await registry.addSource(source);
  return { registry, hooks: loaded.hooks };
}

describe("what a plugin gives", () => {
  test("tools from its list and through the api, hooks in both ways, under its name", async () => {
    const { registry, hooks } = await openWith([
      {
        name: "weather",
        version: "1.0.0",
        tools: [tool("forecast")],
        hooks: "listed",
        async register(api) {
          api.registerTool(tool("radar"));
          api.registerTools([tool("wind"), tool("rain")]);
          api.addHooks("added");
        },
      },
    ]);
    expect(registry.list().map(({ name, source, layer }) => [name, source, layer])).toEqual(
      ["forecast", "radar", "wind", "rain"].map((name) => [name, "plugin weather", "plugin"]),
    );
    expect(registry.list().map(({ versionOf }) => versionOf?.())).toEqual(Array(4).fill("1.0.0"));
    expect(hooks()).toEqual(["listed", "added"]);
  });

  test("a tool that takes another plugin's name is reported, unless it overrides", async () => {
    const { registry } = await openWith([
      { name: "one", tools: [tool("a"), tool("b")] },
      { name: "two", tools: [tool("a")], register: (api) => api.registerTool(tool("b"), { override: true }) },
    ]);
    expect(registry.find("a")?.source).toBe("plugin one");
    expect(registry.find("b")?.source).toBe("plugin two");
    expect(registry.problems()).toMatchObject([{ source: "plugin two", subject: "a" }]);
  });

  test("log lines that say whose they are", async () => {
    const recorded = recordingLogger();
    await loadPlugins([{ name: "weather", register: ({ logger }) => logger.info("ready") }], recorded);
    expect(recorded.lines).toEqual(["[weather] ready"]);
  });

  test("more tools and hooks while it runs, and none after it is stopped", async () => {
    let api: PluginApiOf<string> | undefined;
    const { registry, hooks } = await openWith([
      {
        name: "weather",
        register(given) {
          api = given;
        },
      },
    ]);
    const before = registry.revision;
    api?.registerTool(tool("late"));
    api?.addHooks("late");
    expect(registry.find("late")?.source).toBe("plugin weather");
    expect(registry.revision).toBeGreaterThan(before);
    expect(hooks()).toEqual(["late"]);
    await registry.close();
    expect(() => api?.registerTool(tool("too_late"))).toThrow("plugin weather is stopped");
    expect(() => api?.addHooks("too late")).toThrow("plugin weather is stopped");
  });
});

describe("the order of plugins", () => {
  const plugin = (name: string, ...dependencies: string[]): PluginOf<string> => ({
    name,
    dependencies,
    hooks: name,
  });

  test("is the one given, but dependencies come first", async () => {
    const { hooks } = await openWith([
      plugin("report", "weather", "mail"),
      plugin("alone"),
      plugin("mail", "net"),
      plugin("net"),
      plugin("weather"),
    ]);
    expect(hooks()).toEqual(["weather", "net", "mail", "report", "alone"]);
  });

  test("rules registering and starting; stopping goes the other way, each even if another fails", async () => {
    const steps: string[] = [];
    const recording = (name: string, ...dependencies: string[]): PluginOf<string> => ({
      name,
      dependencies,
      async register() {
        steps.push(`register ${name}`);
      },
      async start() {
        steps.push(`start ${name}`);
      },
      async stop() {
        steps.push(`stop ${name}`);
        if (name === "b") throw new Error("stuck");
      },
    });
    const { registry } = await openWith([recording("c", "b"), recording("b", "a"), recording("a")]);
    await expect(registry.close()).rejects.toMatchObject({
      errors: [{ message: "plugin b failed to stop: stuck" }],
    });
    expect(steps).toEqual([
      ...["register a", "register b", "register c"],
      ...["start a", "start b", "start c"],
      ...["stop c", "stop b", "stop a"],
    ]);
  });

  test("cannot be found when a dependency is missing: the error names the chain", async () => {
    await expect(openWith([plugin("a", "b"), plugin("b", "c")])).rejects.toThrow(
      "plugin c is required but missing: a → b → c",
    );
  });

  test("cannot be found in a circle: the error names it", async () => {
    await expect(
      openWith([plugin("x", "a"), plugin("a", "b"), plugin("b", "c"), plugin("c", "a")]),
    ).rejects.toThrow("plugins depend on each other in a cycle: a → b → c → a");
    await expect(openWith([plugin("a", "a")])).rejects.toThrow("in a cycle: a → a");
  });

  test("knows each name once", async () => {
    await expect(openWith([plugin("a"), plugin("a")])).rejects.toThrow("plugin a is given twice");
  });

  test("is not misled by names that every object has", async () => {
    await expect(openWith([plugin("a", "constructor")])).rejects.toThrow(
      "plugin constructor is required but missing",
    );
  });
});

describe("a plugin that fails", () => {
  test("to register stops the opening under its name, and those before it are stopped again", async () => {
    const stopped: string[] = [];
    const recorded = recordingLogger();
    const stoppable = (name: string): PluginOf => ({
      name,
      stop() {
        stopped.push(name);
        if (name === "two") throw new Error("stuck");
      },
    });
    const failing: PluginOf = {
      name: "bad",
      async register() {
        throw new Error("no licence");
      },
    };
    const loading = loadPlugins([stoppable("one"), stoppable("two"), failing], recorded);
    await expect(loading).rejects.toThrow("plugin bad failed to register: no licence");
    expect(stopped).toEqual(["two", "one"]);
    expect(recorded.lines).toEqual(["plugin two failed to stop: stuck"]);
  });

  test("to start does so under its name, too", async () => {
    const failing: PluginOf<string> = { name: "bad", start: () => Promise.reject(new Error("port in use")) };
    await expect(openWith([failing])).rejects.toThrow("plugin bad failed to start: port in use");
  });

  test.each([
    [
      "something that is no tool in its list",
      { name: "bad", tools: [{ name: "x" }] },
      "plugin bad provides something that is not a tool",
    ],
    ["something that is no list of tools", { name: "bad", tools: {} }, "plugin bad: tools must be a list"],
    [
      "dependencies that are no list",
      { name: "bad", dependencies: "a" },
      "plugin bad: dependencies must be a list",
    ],
    ["no name", { tools: [] }, "a plugin must have a name"],
    ["nothing at all", null, "a plugin must be an object"],
  ])("to be one, with %s", async (_what, value, message) => {
    await expect(openWith([value as unknown as PluginOf<string>])).rejects.toThrow(message);
  });
});

describe("a plugin named by a string", () => {
  const text = (name: string) => `{ name: ${JSON.stringify(name)}, hooks: ${JSON.stringify(name)} }`;

  test("is imported by path, by file address, or by package name from the folder given", async () => {
    const folder = await createTempFolder({
      "by_path.mjs": `export default ${text("path")};`,
      "by_address.mjs": `export default ${text("address")};`,
      "by_require.cjs": `module.exports = ${text("require")};`,
      "node_modules/toolwright-plugin-sky/package.json": '{ "type": "module", "exports": "./main.js" }',
      "node_modules/toolwright-plugin-sky/main.js": `export default async () => (${text("package")});`,
      "node_modules/only-import/package.json":
        '{ "exports": { ".": { "browser": "./no.mjs", "import": { "types": "./no.d.ts", "default": "./yes.mjs" } } } }',
      "node_modules/only-import/yes.mjs": `export default ${text("import")};`,
      "node_modules/@sky/plugin/index.js": `module.exports = () => (${text("scoped")});`,
    });
    const address = pathToFileURL(join(folder, "by_address.mjs")).href;
    const absolute = join(folder, "by_require.cjs");
    const { hooks } = await openWith(
      [
        "./by_path.mjs",
        address,
        absolute,
        "toolwright-plugin-sky",
        "only-import",
        "@sky/plugin",
        { name: "object", hooks: "object" },
      ],
      folder,
    );
    expect(hooks()).toEqual(["path", "address", "require", "package", "import", "scoped", "object"]);
  });

  test("that cannot be imported or is no plugin fails the opening under that string", async () => {
    const folder = await createTempFolder({ "empty.mjs": "export const tools = [];" });
    await expect(openWith(["./nowhere.mjs"], folder)).rejects.toThrow(
      "plugin ./nowhere.mjs cannot be loaded",
    );
    await expect(openWith(["toolwright-plugin-nowhere"], folder)).rejects.toThrow(
      /plugin toolwright-plugin-nowhere cannot be loaded: .*nowhere/,
    );
    await expect(openWith(["./empty.mjs"], folder)).rejects.toThrow(
      "plugin ./empty.mjs cannot be loaded: a plugin must be an object with a name",
    );
  });
});

test("a plugin that never ends its start or its stop is given up after a time", async () => {
  stopClock();
  const never = () => new Promise<void>(() => {});
  const { sources } = await loadPlugins([{ name: "slow", start: never, stop: never }], { logger });
  for (const step of ["start", "stop"] as const) {
    const ended = expect(sources[0]![step]!(() => {})).rejects.toThrow(
      `plugin slow failed to ${step}: it did not end within 30 s`,
    );
    await vi.advanceTimersByTimeAsync(maxLoadMs);
    await ended;
  }
});
