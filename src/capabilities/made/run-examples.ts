import { canonicalJson } from "../../shared/json.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { GuestPool } from "./guest/guest-pool.ts";
import type { MadeTool } from "./made-tool.ts";

/**
 * Runs the tool's examples in the sandbox, in one process, where its context answers only what each example says. Throws if
 * one differs.
 */
export async function runExamples(tool: MadeTool, pool: GuestPool, signal: AbortSignal): Promise<void> {
  const sessionId = `examples of ${tool.name}`;
  try {
    for (const [index, example] of tool.examples.entries()) {
      await runExample(tool, pool, { ...example, number: index + 1, sessionId, signal });
    }
  } finally {
    await pool.forget(sessionId);
  }
}

type Example = MadeTool["examples"][number] & {
  readonly number: number;
  readonly sessionId: string;
  readonly signal: AbortSignal;
};

async function runExample(
  tool: MadeTool,
  pool: GuestPool,
  { number, input, output, context = {}, sessionId, signal }: Example,
): Promise<void> {
  const use = async (name: string) => {
    if (tool.permissions.includes(name) && Object.hasOwn(context, name)) return context[name];
    throw new ToolError("unavailable", `example ${number} does not say what ${name} answers`);
  };
  try {
    const given = await pool.run(tool, input, { sessionId, signal, use });
    if (canonicalJson(given) === canonicalJson(output)) return;
    throw new ToolError("tool-failed", `it returns ${show(given)} where ${show(output)} was expected`);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === "unavailable") throw error;
    throw new ToolError(error.code, `example ${number} of ${tool.name}: ${error.message}`, {
      hint: "Nothing was kept. Change the tool or its example, and propose it again.",
    });
  }
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 500) ?? "nothing";
}
