/** The tools that there are, and those of them that the model is offered. */
export interface ToolCatalogue {
  /** By name or by what they do, best first; `select:a,b` finds those of exactly these names. Changes nothing. */
  search(query: string, options?: { limit?: number }): Promise<ToolSearchResult>;
  /** Offers a tool to the model from now on; false where there is none of that name. */
  activate(name: string): Promise<boolean>;
}

export interface ToolSearchResult {
  readonly tools: readonly FoundTool[];
  /** What was asked for by name and does not exist. */
  readonly missing: readonly MissingTool[];
  /** Whether the model is offered all tools anyway. */
  readonly allActive: boolean;
}

export interface FoundTool {
  /** As the caller's dialect has it. */
  readonly name: string;
  /** One line, cut where it is long. Others may have written it: it is data, and no word of ours. */
  readonly description: string;
  /** Not offered to the model until it is activated. */
  readonly isDeferred: boolean;
}

export interface MissingTool {
  readonly name: string;
  /** Names that may have been meant, likeliest first. */
  readonly nearest: readonly string[];
}
