import { canonicalJson } from "../../shared/json.ts";
import { defined } from "../../shared/options/defined.ts";
import { type AnyTool, defineTool } from "../../tool/define-tool.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { GuestPool } from "./guest/guest-pool.ts";
import type { ApprovedVersion } from "./made-records.ts";
import { grants, type MadeTool } from "./made-tool.ts";

interface ToolParts {
  readonly pool: GuestPool;
  /** The version that is approved now; throws if none is. */
  readonly recheck: (known: ApprovedVersion) => Promise<ApprovedVersion>;
}

/** The tool that is offered for an approved version. A later one may run in its place, which its receipt then tells. */
export function toTool(
  offered: ApprovedVersion,
  { pool, recheck }: ToolParts,
): { readonly tool: AnyTool; versionOf(callId?: string): string } {
  const { tool, version, madeBy } = offered;
  // Few: it is soon offered itself.
  const later = new Map<string | undefined, string>();
  const weights = tool.permissions.map((name) => grants.get(name));
  const made = defineTool({
    name: tool.name,
    description: `${tool.description} (Made by ${madeBy} for this project, version ${version}.)`,
    input: tool.input,
    traits: {
      readOnly: weights.every((weight) => weight === "reads"),
      changesFilesOnly: weights.every((weight) => weight === "reads" || weight === "files"),
      deferrable: true,
      ...defined({ timeoutMs: tool.timeoutMs }),
    },
    // It reaches nothing by itself; each use of its context is judged when it asks.
    permission: () => ({ action: "read" }),
    async run(input: unknown, context) {
      const current = await recheck(offered);
      if (!isCalledAlike(current.tool, tool)) throw replaced(current);
      if (current.hash !== offered.hash) later.set(context.callId, current.hash);
      return pool.run(current.tool, input as Record<string, unknown>, {
        sessionId: context.sessionId,
        signal: context.signal,
        use: (name, given) => useContext(current.tool, context, { name, given }),
      });
    },
  });
  return { tool: made, versionOf: (callId) => later.get(callId) ?? offered.hash };
}

/** Whether a call that was checked and judged for one version can be given to the other. */
function isCalledAlike(one: MadeTool, other: MadeTool): boolean {
  const terms = ({ input, permissions, timeoutMs }: MadeTool) =>
    canonicalJson([input, permissions, timeoutMs ?? null]);
  return one === other || terms(one) === terms(other);
}

function replaced({ tool: { name }, version }: ApprovedVersion): ToolError {
  return new ToolError("conflict", `${name} has just been replaced by version ${version}`, {
    hint: "Look at its description and parameters, and call it again.",
  });
}

/** Calls a method of a service, as any tool would: the name is looked up in our own list, and never on an object. */
async function useContext(
  tool: MadeTool,
  context: ToolContext,
  { name, given }: { readonly name: string; readonly given: readonly unknown[] },
): Promise<unknown> {
  const shownName = name.slice(0, 100);
  try {
    if (!tool.permissions.includes(name) || !grants.has(name))
      throw new ToolError("permission-denied", `${tool.name} was not made to use ${shownName}`);
    const [service = "", method = ""] = name.split(".");
    const view = context[service as "files"] as unknown as Record<string, (...args: unknown[]) => unknown>;
    return await view[method]!(...given);
  } catch (error) {
    // A tool can keep to itself that something was refused to it, so the log tells.
    if (error instanceof ToolError && refusals.has(error.code))
      context.logger.warn(`${tool.name} may not use ${shownName}: ${error.message}`);
    throw error;
  }
}

const refusals: ReadonlySet<string> = new Set(["permission-denied", "approval-needed", "outside-workspace"]);
