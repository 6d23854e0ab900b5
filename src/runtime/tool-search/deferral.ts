import type { AnyTool } from "../../tool/define-tool.ts";
import type { RegisteredTool } from "../registry/registry.ts";

/** From when on tools are kept back from the model until they are searched for. */
export interface DeferralLimits {
  /** With more tools than this, all but the core ones are kept back; 15 unless told, or unless a share is. */
  readonly maxTools?: number;
  /** The same, once the tools' definitions take up more than this share of the model's context. */
  readonly maxContextShare?: number;
  /** How large that context is; 200,000 tokens unless told. */
  readonly contextTokens?: number;
}

/** What is kept back of a list of tools. */
export interface Deferral {
  /** Whether there are so many that only core tools are offered unasked. */
  isOver(tools: readonly RegisteredTool[]): boolean;
  /** A tool that says so itself is always or never kept back. */
  mayHoldBack(tool: RegisteredTool, isOver: boolean): boolean;
}

export function createDeferral(
  { maxContextShare, contextTokens = defaultContextTokens, ...limits }: DeferralLimits,
  coreNames: ReadonlySet<string>,
): Deferral {
  const maxTools = limits.maxTools ?? (maxContextShare === undefined ? defaultMaxTools : Infinity);
  const measure = createTokenMeter();
  return {
    isOver(tools) {
      if (tools.length > maxTools) return true;
      return maxContextShare !== undefined && measure(tools) > maxContextShare * contextTokens;
    },
    // What took a core tool's place is core, too, unless it says otherwise.
    mayHoldBack: ({ name, tool }, isOver) => tool.traits.deferrable ?? (isOver && !coreNames.has(name)),
  };
}

const defaultMaxTools = 15;
const defaultContextTokens = 200_000;

/** About as many tokens as the definitions take; each tool and each list is measured once. */
function createTokenMeter(): (tools: readonly RegisteredTool[]) => number {
  const perTool = new WeakMap<AnyTool, number>();
  const perList = new WeakMap<readonly RegisteredTool[], number>();
  const measureTool = (tool: AnyTool) => {
    const known = perTool.get(tool);
    if (known !== undefined) return known;
    const { name, description, inputSchema } = tool;
    const text = JSON.stringify({ name, description, inputSchema });
    const tokens = text.length / charactersPerToken;
    perTool.set(tool, tokens);
    return tokens;
  };
  return (tools) => {
    const known = perList.get(tools);
    if (known !== undefined) return known;
    const tokens = tools.reduce((sum, { tool }) => sum + measureTool(tool), 0);
    perList.set(tools, tokens);
    return tokens;
  };
}

const charactersPerToken = 4;

/** Refuses limits that would silently mean something else. */
export function checkLimits({ maxTools, maxContextShare, contextTokens }: DeferralLimits): void {
  if (maxTools !== undefined && !(maxTools >= 0)) {
    throw new TypeError(`deferral.maxTools must be a number from 0 on; received ${JSON.stringify(maxTools)}`);
  }
  if (maxContextShare !== undefined && !(maxContextShare > 0 && maxContextShare <= 1)) {
    throw new TypeError(
      `deferral.maxContextShare must be above 0 and at most 1; received ${JSON.stringify(maxContextShare)}`,
    );
  }
  if (contextTokens !== undefined && !(contextTokens > 0)) {
    throw new TypeError(
      `deferral.contextTokens must be a number above 0; received ${JSON.stringify(contextTokens)}`,
    );
  }
}
