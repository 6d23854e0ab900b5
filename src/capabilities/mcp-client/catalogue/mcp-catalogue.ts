/** The resources and prompts of a server. Its texts about them are cleaned and bounded, and grant nothing. */
export interface McpCatalogue {
  readonly server: string;
  /** The tool that reads one of its resources. Undefined if the server has no resources, or if that tool is not offered. */
  readonly readTool?: string;
  /** The tool that gets one of its prompts. */
  readonly promptTool?: string;
  /** Whether a tool of this name is one of this server's. */
  owns(tool: string): boolean;
  /** Lists the resources. Asks the server, unless it was asked in the last seconds and has announced no change since. */
  resources(): Promise<readonly McpResource[]>;
  resourceTemplates(): Promise<readonly McpResourceTemplate[]>;
  prompts(): Promise<readonly McpPrompt[]>;
  /** Suggests values for an argument of one of its prompts or templates, of which a person has typed the beginning. */
  complete(typed: McpTypedArgument): Promise<McpCompletion>;
}

export interface McpTypedArgument {
  /** The prompt's name, or the template; one of those that it lists. */
  readonly of: { readonly prompt: string } | { readonly uriTemplate: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** The other arguments, as far as they are known. */
  readonly others?: Readonly<Record<string, string>>;
}

export interface McpCompletion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore: boolean;
}

export interface McpResource {
  readonly uri: string;
  readonly name: string;
  /** Shown to people instead of the name. */
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly sizeBytes?: number;
}

export interface McpResourceTemplate extends Omit<McpResource, "uri" | "sizeBytes"> {
  /** By RFC 6570. */
  readonly uriTemplate: string;
}

export interface McpPrompt extends Pick<McpResource, "name" | "title" | "description"> {
  readonly arguments: readonly McpPromptArgument[];
}

export interface McpPromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
}
