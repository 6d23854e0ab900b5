import { describe, expect, test } from "vitest";
import { createRegistry } from "../../../src/kernel/registry/create-registry.ts";
import {
  createStaticSource,
  type Layer,
  layers,
  type ProvidedTool,
  type ToolSource,
} from "../../../src/kernel/registry/tool-source.ts";
import { type AnyTool, defineTool } from "../../../src/tool/define-tool.ts";

function tool(name: string, aliases: string[] = []): AnyTool {
  return defineTool({ name, description: `Tool ${name}`, aliases, params: {}, run: () => name });
}

/** A source whose list a test can change, as a folder or an MCP server may. */
function changingSource(id: string, layer: Layer, tools: ProvidedTool[]) {
  let notify = () => {};
  const source: ToolSource = {
    id,
    layer,
    tools: () => tools,
    async start(onChange) {
      notify = onChange;
    },
  };
  return {
    source,
    change(next: ProvidedTool[]) {
      tools = next;
      notify();
    },
  };
}

function foundSource(id: string, layer: Layer, ...tools: ProvidedTool[]): ToolSource {
  return { id, layer, tools: () => tools };
}

const names = (listed: readonly { name: string }[]) => listed.map(({ name }) => name);

describe("which layer provides a name", () => {
  test("each layer above the built-in one shadows those beneath it", async () => {
    const registry = createRegistry();
    for (const layer of layers) {
      await registry.addSource(
        foundSource(`source ${layer}`, layer, { tool: tool("weather"), override: true }),
      );
      expect(registry.find("weather")).toMatchObject({ layer, source: `source ${layer}` });
    }
    expect(registry.list()).toHaveLength(1);
  });

  test("the priority holds whatever the order the sources are added in", async () => {
    const registry = createRegistry();
    await registry.addSource(createStaticSource("options", "inline", [tool("weather")]));
    await registry.addSource(foundSource("folder sky", "folder", { tool: tool("weather") }));
    await registry.addSource(foundSource("plugin sky", "plugin", { tool: tool("weather") }));
    expect(registry.find("weather")?.source).toBe("options");
    expect(registry.problems()).toEqual([]);
  });

  test.each(layers.filter((layer) => layer !== "builtin"))(
    "a %s tool may not take a built-in's name, unless it says so",
    async (layer) => {
      const registry = createRegistry();
      await registry.addSource(createStaticSource("built-in", "builtin", [tool("a"), tool("b")]));
      await registry.addSource(
        foundSource(
          "outside",
          layer,
          { tool: tool("a") },
          { tool: tool("b"), override: true },
          { tool: tool("c") },
        ),
      );
      expect(registry.find("a")?.source).toBe("built-in");
      expect(registry.find("b")?.source).toBe("outside");
      expect(registry.find("c")?.source).toBe("outside");
      expect(registry.problems()).toEqual([
        {
          source: "outside",
          subject: "a",
          message: expect.stringContaining("is the name of a built-in tool"),
        },
      ]);
    },
  );

  test("nor may it take a built-in's alias, neither as its name nor as an alias", async () => {
    const registry = createRegistry();
    await registry.addSource(createStaticSource("built-in", "builtin", [tool("shell_run", ["Bash"])]));
    await registry.addSource(
      foundSource("mcp evil", "mcp", { tool: tool("Bash") }, { tool: tool("other", ["Bash"]) }),
    );
    expect(registry.find("Bash")?.name).toBe("shell_run");
    expect(registry.find("other")?.source).toBe("mcp evil");
    expect(registry.problems().map(({ subject, severity }) => [subject, severity])).toEqual([
      ["Bash", undefined],
      ["Bash", "warning"],
    ]);
  });

  test("names that say where a tool comes from are kept for those that come from there", async () => {
    const registry = createRegistry();
    await registry.addSource(foundSource("plugin p", "plugin", { tool: tool("mcp_git_log") }));
    await registry.addSource(foundSource("folder f", "folder", { tool: tool("internal_file_read") }));
    expect(registry.list()).toEqual([]);
    expect(registry.problems().map(({ message }) => message)).toEqual([
      expect.stringContaining("internal_file_read starts with the reserved prefix internal_"),
      expect.stringContaining("mcp_git_log starts with the reserved prefix mcp_"),
    ]);
    await registry.addSource(foundSource("mcp git", "mcp", { tool: tool("mcp_git_log") }));
    expect(registry.find("mcp_git_log")?.source).toBe("mcp git");
    registry.register(tool("mcp_own"), { override: true });
    expect(registry.find("mcp_own")).toBeDefined();
  });
});

describe("a clash inside one layer", () => {
  test("is reported when sources found it; the first keeps the name and the others go on", async () => {
    const registry = createRegistry();
    await registry.addSource(foundSource("plugin one", "plugin", { tool: tool("a") }));
    await registry.addSource(foundSource("plugin two", "plugin", { tool: tool("a") }, { tool: tool("b") }));
    expect(registry.find("a")?.source).toBe("plugin one");
    expect(registry.find("b")?.source).toBe("plugin two");
    expect(registry.problems()).toEqual([
      {
        source: "plugin two",
        subject: "a",
        message: expect.stringMatching(/a is already provided by plugin one.*override: true/),
      },
    ]);
  });

  test("goes to the later one when it says override, and the earlier is shown as shadowed", async () => {
    const registry = createRegistry();
    await registry.addSource(foundSource("plugin one", "plugin", { tool: tool("a") }));
    await registry.addSource(foundSource("plugin two", "plugin", { tool: tool("a"), override: true }));
    expect(registry.explain("a")).toEqual({
      name: "a",
      providedBy: { tool: "a", source: "plugin two", layer: "plugin", asAlias: false },
      shadowed: [{ tool: "a", source: "plugin one", layer: "plugin" }],
      nearest: [],
    });
  });

  test("in a list written in code stops at once, and nothing of that list stays", async () => {
    const registry = createRegistry();
    await registry.addSource(createStaticSource("built-in", "builtin", [tool("a")]));
    const options = createStaticSource("options", "inline", [tool("x"), tool("b"), tool("b")]);
    await expect(registry.addSource(options)).rejects.toMatchObject({
      code: "already-exists",
      message: "b is already provided by options",
    });
    expect(names(registry.list())).toEqual(["a"]);
    await registry.addSource(createStaticSource("options", "inline", [tool("b")]));
    expect(names(registry.list())).toEqual(["a", "b"]);
  });

  test("in a list written in code is allowed with override", async () => {
    const registry = createRegistry();
    const later = tool("b");
    await registry.addSource(
      createStaticSource("options", "inline", [tool("b"), { tool: later, override: true }]),
    );
    expect(registry.find("b")?.tool).toBe(later);
  });
});

describe("registering at run time", () => {
  test("offers the tool at once", () => {
    const registry = createRegistry();
    registry.register(tool("made_here"));
    expect(registry.find("made_here")).toMatchObject({ layer: "made", source: "registered" });
  });

  test("throws on a clash, says how to go on, and changes nothing", async () => {
    const registry = createRegistry();
    await registry.addSource(createStaticSource("built-in", "builtin", [tool("file_read")]));
    registry.register(tool("a"));
    const before = registry.revision;
    const clash = { code: "already-exists", hint: expect.stringContaining("override: true") };
    expect(() => registry.register(tool("a"))).toThrow(expect.objectContaining(clash));
    expect(() => registry.register(tool("file_read"))).toThrow(expect.objectContaining(clash));
    expect(registry.revision).toBe(before);
    expect(registry.find("file_read")?.source).toBe("built-in");
    registry.register(tool("file_read"), { override: true });
    expect(registry.find("file_read")?.source).toBe("registered");
  });

  test("survives changes of other sources", async () => {
    const registry = createRegistry();
    const { source, change } = changingSource("mcp m", "mcp", [{ tool: tool("x") }]);
    await registry.addSource(source);
    registry.register(tool("a"));
    registry.register(tool("b"), { layer: "inline" });
    change([{ tool: tool("y") }]);
    expect(names(registry.list())).toEqual(["y", "a", "b"]);
  });

  test("refuses what was not made by defineTool, and names no vendor accepts", () => {
    const registry = createRegistry();
    expect(() => registry.register({ name: "x" } as AnyTool)).toThrow("this is not a tool");
    expect(() => registry.register({ ...tool("x"), name: "__proto__" })).toThrow("starting with a letter");
  });
});

describe("aliases", () => {
  test("lead to the tool after exact names were tried", async () => {
    const registry = createRegistry();
    await registry.addSource(createStaticSource("built-in", "builtin", [tool("file_read", ["Read"])]));
    expect(registry.find("Read")?.name).toBe("file_read");
    expect(registry.findExact("Read")).toBeUndefined();
    expect(registry.explain("Read").providedBy).toMatchObject({ tool: "file_read", asAlias: true });
  });

  test("never shadow an exact name, not even from a higher layer", async () => {
    const registry = createRegistry();
    await registry.addSource(createStaticSource("built-in", "builtin", [tool("file_read")]));
    const other = { tool: tool("other", ["file_read"]), override: true };
    await registry.addSource(createStaticSource("options", "inline", [other]));
    expect(registry.find("file_read")?.source).toBe("built-in");
  });

  test("that clash belong to the higher layer", async () => {
    const registry = createRegistry();
    const reader = { tool: tool("new_read", ["Read"]), override: true };
    await registry.addSource(createStaticSource("options", "inline", [reader]));
    await registry.addSource(createStaticSource("built-in", "builtin", [tool("file_read", ["Read"])]));
    expect(registry.find("Read")?.name).toBe("new_read");
    expect(registry.explain("Read").shadowed).toEqual([
      { tool: "file_read", source: "built-in", layer: "builtin" },
    ]);
    expect(registry.problems()).toEqual([]);
  });

  test("that clash inside a layer stay with the first, and the tool is offered without", async () => {
    const registry = createRegistry();
    await registry.addSource(foundSource("plugin one", "plugin", { tool: tool("a", ["x"]) }));
    await registry.addSource(foundSource("plugin two", "plugin", { tool: tool("b", ["x", "y"]) }));
    expect(registry.find("x")?.name).toBe("a");
    expect(registry.find("y")?.name).toBe("b");
    expect(registry.problems()).toMatchObject([{ source: "plugin two", subject: "x", severity: "warning" }]);
    registry.register(tool("c", ["z"]));
    expect(() => registry.register(tool("d", ["z"]))).toThrow("z is already an alias of c");
    expect(registry.find("d")).toBeUndefined();
    registry.register(tool("d", ["z"]), { override: true });
    expect(registry.find("z")?.name).toBe("d");
  });

  test("of a shadowed tool lead to the one that took its name, so nothing reaches around it", async () => {
    const registry = createRegistry();
    await registry.addSource(createStaticSource("built-in", "builtin", [tool("file_read", ["Read"])]));
    const reader = { tool: tool("file_read"), override: true };
    await registry.addSource(createStaticSource("options", "inline", [reader]));
    expect(registry.find("Read")?.source).toBe("options");
  });
});

describe("looking up", () => {
  test.each(["__proto__", "constructor", "toString", "hasOwnProperty", ""])(
    "%j is unknown unless a tool has it",
    (name) => {
      const registry = createRegistry();
      registry.register(tool("a", ["b"]));
      expect(registry.find(name)).toBeUndefined();
      expect(registry.explain(name)).toEqual({ name, shadowed: [], nearest: [] });
    },
  );

  test("a tool may be called what every object has a member for", () => {
    const registry = createRegistry();
    registry.register(tool("constructor", ["toString"]));
    expect(registry.find("constructor")?.name).toBe("constructor");
    expect(registry.find("toString")?.name).toBe("constructor");
    expect(registry.find("valueOf")).toBeUndefined();
  });

  test("an unknown name is explained by the nearest names and aliases", () => {
    const registry = createRegistry();
    registry.register(tool("file_read", ["ReadFile"]));
    registry.register(tool("web_fetch"));
    expect(registry.explain("file_raed").nearest).toEqual(["file_read"]);
    expect(registry.explain("readfile").nearest[0]).toBe("ReadFile");
    expect(registry.explain("file_raed").providedBy).toBeUndefined();
  });
});

describe("the list", () => {
  test("goes by layer, then by the order sources were added in, then by each source's own order", async () => {
    const registry = createRegistry();
    registry.register(tool("made_1"));
    await registry.addSource(
      createStaticSource("options", "inline", [tool("z"), { tool: tool("b"), override: true }]),
    );
    await registry.addSource(foundSource("plugin two", "plugin", { tool: tool("p2") }));
    await registry.addSource(foundSource("plugin one", "plugin", { tool: tool("p1") }));
    await registry.addSource(createStaticSource("built-in", "builtin", [tool("c"), tool("b"), tool("a")]));
    expect(names(registry.list())).toEqual(["c", "a", "p2", "p1", "made_1", "z", "b"]);
  });

  test("does not depend on which source starts first", async () => {
    const registry = createRegistry();
    const slow = Promise.withResolvers<void>();
    const slowSource = {
      ...foundSource("plugin slow", "plugin", { tool: tool("a") }),
      start: () => slow.promise,
    };
    const adding = registry.addSource(slowSource);
    await registry.addSource(foundSource("plugin fast", "plugin", { tool: tool("b") }, { tool: tool("a") }));
    expect(registry.find("a")?.source).toBe("plugin fast");
    slow.resolve();
    await adding;
    expect(names(registry.list())).toEqual(["a", "b"]);
    expect(registry.find("a")?.source).toBe("plugin slow");
  });

  test("is the same array until something changes", async () => {
    const registry = createRegistry();
    const { source, change } = changingSource("mcp m", "mcp", [{ tool: tool("x") }]);
    await registry.addSource(source);
    const { revision } = registry;
    const listed = registry.list();
    expect(registry.list()).toBe(listed);
    change([{ tool: tool("x") }, { tool: tool("y") }]);
    expect(registry.revision).toBeGreaterThan(revision);
    expect(names(registry.list())).toEqual(["x", "y"]);
    expect(names(listed)).toEqual(["x"]);
  });
});

describe("sources", () => {
  test("report their own problems through the registry", async () => {
    const registry = createRegistry();
    const problem = { source: "folder f", subject: "a.ts", message: "broken" };
    await registry.addSource({ ...foundSource("folder f", "folder"), problems: () => [problem] });
    expect(registry.problems()).toEqual([problem]);
  });

  test("have ids of their own", async () => {
    const registry = createRegistry();
    await registry.addSource(foundSource("plugin p", "plugin"));
    await expect(registry.addSource(foundSource("plugin p", "plugin"))).rejects.toThrow(
      "the tool source plugin p has already been added",
    );
  });

  test("that fail to start are not kept", async () => {
    const registry = createRegistry();
    const failing = {
      ...foundSource("mcp m", "mcp", { tool: tool("a") }),
      start: () => Promise.reject(new Error("no server")),
    };
    await expect(registry.addSource(failing)).rejects.toThrow("no server");
    expect(registry.list()).toEqual([]);
    await registry.addSource(foundSource("mcp m", "mcp", { tool: tool("a") }));
    expect(names(registry.list())).toEqual(["a"]);
  });

  test("are stopped in reverse order, each even if another fails", async () => {
    const registry = createRegistry();
    const stopped: string[] = [];
    for (const name of ["one", "two", "three"]) {
      await registry.addSource({
        ...foundSource(name, "plugin"),
        async stop() {
          stopped.push(name);
          if (name === "two") throw new Error("two is stuck");
        },
      });
    }
    await expect(registry.close()).rejects.toMatchObject({ errors: [new Error("two is stuck")] });
    expect(stopped).toEqual(["three", "two", "one"]);
    await registry.close();
    expect(stopped).toHaveLength(3);
  });

  test("that start while the registry closes are stopped again", async () => {
    const registry = createRegistry();
    const starting = Promise.withResolvers<void>();
    let isStopped = false;
    const adding = registry.addSource({
      ...foundSource("mcp m", "mcp"),
      start: () => starting.promise,
      async stop() {
        isStopped = true;
      },
    });
    await registry.close();
    starting.resolve();
    await expect(adding).rejects.toMatchObject({ code: "unavailable" });
    expect(isStopped).toBe(true);
    expect(() => registry.register(tool("late"))).toThrow("the registry is closed");
  });
});
