import type { FoundTool } from "../../tool/services/tool-catalogue.ts";
import type { DialectView } from "../dialects/index.ts";
import type { SessionKept } from "../session/index.ts";
import type { KeptKind } from "../store/index.ts";
import { createDeferral, type DeferralLimits } from "./deferral.ts";
import {
  createSessionTools,
  type SessionTools,
  type SessionToolsOptions,
  type ToolSearchParts,
} from "./session-tools.ts";
import { createToolIndex } from "./tool-index.ts";

/** Which tools a session's model is offered, besides `activeTools`. */
export interface ToolChoice {
  /** Finds tools by name or description, best first; activates none of them. */
  searchTools(query: string, options?: { limit?: number }): Promise<readonly FoundTool[]>;
  /**
   * Offers a tool to the model from now on, also after a resume; false if there is no tool with that name, or no call of it
   * could pass.
   */
  activateTool(name: string): boolean;
  /** Whether the model has to search for the tool before it is offered. */
  isDeferred(name: string): boolean;
  /** Undoes all activations. */
  resetActivations(): void;
  /** The `prompt` texts of the tools offered now, for the system prompt. Activating a tool adds its own at the end. */
  toolManuals(): string;
}

export function toolChoice(tools: SessionTools, view: Pick<DialectView, "nameOf">): ToolChoice {
  return {
    searchTools: async (query, options) => (await tools.search(query, options)).tools,
    activateTool: tools.activate,
    isDeferred: tools.isDeferred,
    resetActivations: tools.reset,
    toolManuals: () =>
      renderManuals(tools.active().map(({ name, tool }) => ({ ...tool, name: view.nameOf(name) }))),
  };
}

/** Offers a tool that is deferred; one that is offered already keeps its place in the order. */
export function offerIn(tools: SessionTools): (name: string) => void {
  return (name) => {
    if (tools.isDeferred(name)) tools.activate(name);
  };
}

/** Opens a session's tools, with those activated in earlier runs. */
export async function openTools(
  toolSearch: ToolSearchParts,
  { kept, ...options }: { kept: SessionKept } & Pick<SessionToolsOptions, "session" | "allowance">,
): Promise<SessionTools> {
  const { list, set } = kept(activeTools);
  return createSessionTools(toolSearch, { ...options, known: await list(), onChange: set });
}

/** The activated tools by name, each with its place in the order. */
export const activeTools: KeptKind<number> = {
  scope: "active-tools",
  isValue: (value) => typeof value === "number",
};

/** Creates the parts of tool search that all sessions of a runtime share. */
export function createToolSearch({ limits, coreTools, ...parts }: SearchingParts): ToolSearchParts {
  const { registry, view } = parts;
  return {
    ...parts,
    index: createToolIndex(registry, view),
    deferral: createDeferral(limits, coreTools),
  };
}

export interface SearchingParts extends Omit<ToolSearchParts, "index" | "deferral"> {
  readonly limits: DeferralLimits;
  /** Offered in every session. */
  readonly coreTools: ReadonlySet<string>;
}

/**
 * The `prompt` texts of tools, each once, for the system prompt. They keep the given order: as long as tools are only
 * added at the end, so is the text, and a provider's prompt cache stays valid.
 */
export function renderManuals(tools: Iterable<{ readonly name: string; readonly prompt?: string }>): string {
  const manuals = new Map<string, string>();
  for (const { name, prompt = "" } of tools) {
    const text = prompt.trim();
    if (text !== "" && !manuals.has(name)) manuals.set(name, text);
  }
  return [...manuals].map(([name, text]) => `## ${name}\n\n${text}`).join("\n\n");
}
