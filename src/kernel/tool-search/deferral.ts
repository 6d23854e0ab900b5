import { kinds, option, propertiesOf } from "../../shared/options/option.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import type { RegisteredTool } from "../registry/index.ts";

/** When tools are deferred: not offered to the model until it searches for them. */
export interface DeferralLimits {
  /** With more tools than this, all but the core ones are deferred. Default: 15, or no limit with `maxContextShare`. */
  readonly maxTools?: number;
  /** The same, once the tools' definitions take more than this share of the model's context. */
  readonly maxContextShare?: number;
  /** Size of that context. Default: 200,000 tokens. */
  readonly contextTokens?: number;
}

export const deferralOption = option<DeferralLimits>({
  schema: {
    type: "object",
    description: "From how many tools on a model is offered only some and finds the others by searching",
    properties: propertiesOf<DeferralLimits>({
      maxTools: kinds.limit,
      maxContextShare: kinds.limit,
      contextTokens: kinds.limit,
    }),
  },
  check: checkLimits,
  example: { maxTools: 40 },
});

/** Decides which tools are deferred. */
export type Deferral = ReturnType<typeof createDeferral>;

export function createDeferral(
  { maxContextShare, contextTokens = defaultContextTokens, ...limits }: DeferralLimits,
  coreNames: ReadonlySet<string>,
) {
  const maxTools = limits.maxTools ?? (maxContextShare === undefined ? defaultMaxTools : Infinity);
  const measure = createTokenMeter();
  return {
    /** Whether there are so many tools that only the core ones are offered from the start. */
    isOver(tools: readonly RegisteredTool[]) {
      if (tools.length > maxTools) return true;
      return maxContextShare !== undefined && measure(tools) > maxContextShare * contextTokens;
    },
    /** The trait `deferrable` decides, if the tool sets it. A tool that replaces a core tool is core too. */
    mayHoldBack: ({ name, tool }: RegisteredTool, isOver: boolean) =>
      tool.traits.deferrable ?? (isOver && !coreNames.has(name)),
  };
}

const defaultMaxTools = 15;
const defaultContextTokens = 200_000;

/** Estimates the tokens of tool definitions; each tool and each list is measured once. */
function createTokenMeter() {
  const ofTool = measureOnce(({ name, description, inputSchema }: AnyTool) => {
    const text = JSON.stringify({ name, description, inputSchema });
    return text.length / charactersPerToken;
  });
  return measureOnce((tools: readonly RegisteredTool[]) =>
    tools.reduce((sum, { tool }) => sum + ofTool(tool), 0),
  );
}

function measureOnce<Measured extends object>(measure: (it: Measured) => number) {
  const measured = new WeakMap<Measured, number>();
  return (it: Measured): number => {
    const size = measured.get(it) ?? measure(it);
    measured.set(it, size);
    return size;
  };
}

const charactersPerToken = 4;

/** Rejects limits that would silently mean something else. */
function checkLimits({ maxTools, maxContextShare, contextTokens }: DeferralLimits): void {
  const refuse = (name: string, rule: string, received: unknown) =>
    new TypeError(`deferral.${name} must be ${rule}; received ${JSON.stringify(received)}`);
  if (maxTools !== undefined && !(maxTools >= 0))
    throw refuse("maxTools", "a number of at least 0", maxTools);
  if (maxContextShare !== undefined && !(maxContextShare > 0 && maxContextShare <= 1))
    throw refuse("maxContextShare", "more than 0 and at most 1", maxContextShare);
  if (contextTokens !== undefined && !(contextTokens > 0))
    throw refuse("contextTokens", "a number greater than 0", contextTokens);
}
