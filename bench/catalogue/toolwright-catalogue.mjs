import { defineTool, openRuntime } from "../../dist/index.js";
// Not published, so imported from the source, which Node can run directly.
import { createRegistry } from "../../src/kernel/registry/create-registry.ts";
import { timeOnce } from "../support/time-once.mjs";
import { catalogueParams, describeTool, lookUp } from "./catalogue-tools.mjs";

/** Builds the catalogue in a runtime and times each step. */
export async function openToolwrightCatalogue(workspace, toolNames) {
  const { elapsedMs: defineMs, result: tools } = await timeOnce(() => toolNames.map(defineLookup));
  const runtime = await openRuntime({ workspace, store: "memory:", permissions: { mode: "auto" } });
  const { elapsedMs: registerMs } = await timeOnce(() => registerAll(runtime.tools, tools));
  const session = await runtime.openSession();
  const { elapsedMs: firstRenderMs } = await timeOnce(() => JSON.stringify(session.tools()));
  const registry = createRegistry();
  registerAll(registry, tools);
  return { defineMs, registerMs, firstRenderMs, session, registry, close: () => runtime.close() };
}

function defineLookup(name) {
  return defineTool({ name, description: describeTool(name), params: catalogueParams, run: lookUp });
}

function registerAll(registry, tools) {
  for (const tool of tools) registry.register(tool);
}
