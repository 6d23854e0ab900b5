import { defineTool, openRuntime } from "../../dist/index.js";
import { echo, echoDescription, echoSchema } from "./echo.mjs";

/** A session with the echo tool. `governed` turns on every stage: hooks, rules that decide, and a budget. */
export async function openEchoSession({ workspace, store, governed, schema = "params" }) {
  const input = schema === "zod" ? { input: echoSchema } : { params: { text: { type: "string" } } };
  const tool = defineTool({
    name: "echo",
    description: echoDescription,
    ...input,
    traits: { concurrencySafe: true },
    run: echo,
  });
  const stages = governed ? everyStage : { permissions: { mode: "auto" } };
  const runtime = await openRuntime({ workspace, store, tools: [tool], ...stages });
  return { session: await runtime.openSession(), close: () => runtime.close() };
}

const everyStage = {
  permissions: { mode: "ask", allow: ["echo"], deny: ["file_read"] },
  hooks: { beforeCall: async () => undefined, afterCall: async () => undefined },
  budget: { calls: 1e9, outputBytes: 1e12, wallTimeMs: 1e12 },
};
