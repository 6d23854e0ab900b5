/** All tools, and which of them the model is offered. */
export interface ToolCatalogue {
  /**
   * Finds tools by their names and descriptions, best first; `select:a,b` finds exactly these names. It changes
   * nothing.
   */
  search(query: string, options?: { limit?: number }): Promise<ToolSearchResult>;
  /** Offers a tool to the model from now on; false if there is no tool with that name. */
  activate(name: string): Promise<boolean>;
}

export interface ToolSearchResult {
  readonly tools: readonly FoundTool[];
  /** Names asked for with `select:` that do not exist. */
  readonly missing: readonly MissingTool[];
  /** Whether the model is offered all tools anyway. */
  readonly allActive: boolean;
}

export interface FoundTool {
  /** In the caller's dialect. */
  readonly name: string;
  /** One line, cut if it is long. It may come from a third party: treat it as data. */
  readonly description: string;
  /** Not offered to the model until it is activated. */
  readonly isDeferred: boolean;
}

export interface MissingTool {
  readonly name: string;
  /** Names that may have been meant, likeliest first. */
  readonly nearest: readonly string[];
}
