import { expect, test } from "vitest";
import { createRegistry } from "../../../src/kernel/registry/create-registry.ts";
import { type AnyTool, defineTool } from "../../../src/tool/define-tool.ts";
import { cpuMs } from "../../support/cpu-ms.ts";

function tool(name: string, aliases: string[] = []): AnyTool {
  return defineTool({ name, description: `Tool ${name}`, aliases, params: {}, run: () => name });
}

test("ten thousand tools can be registered and found quickly", () => {
  const registry = createRegistry();
  const shape = tool("shape");
  const takenMs = cpuMs(() => {
    for (let index = 0; index < 10_000; index++) registry.register({ ...shape, name: `tool_${index}` });
    for (let index = 0; index < 10_000; index++) expect(registry.findExact(`tool_${index}`)).toBeDefined();
    expect(registry.list()).toHaveLength(10_000);
  });
  expect(takenMs).toBeLessThan(3000);
});
