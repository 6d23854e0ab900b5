import type { CompleteResult, Prompt, Resource, ResourceTemplateType } from "@modelcontextprotocol/client";
import { defined } from "../../../shared/options/defined.ts";
import { cleanText } from "../../../shared/text/clean-text.ts";
import { cleanAbout, cleanDescription, isAddress } from "../call/to-part.ts";

/**
 * Cleans the entries of a server's lists: without hidden characters, and of bounded size. An entry whose URI or name cannot
 * be passed back unchanged is left out, and so is one that is listed twice.
 */
export function cleanResources(listed: readonly Resource[]): McpResource[] {
  return distinct(listed, ({ uri }) => uri, isPassable).map((resource) => ({
    uri: resource.uri,
    ...cleanAbout(resource),
    ...defined({ sizeBytes: isCount(resource.size) ? resource.size : undefined }),
  }));
}

export function cleanTemplates(listed: readonly ResourceTemplateType[]): McpResourceTemplate[] {
  return distinct(listed, ({ uriTemplate }) => uriTemplate, isPassable).map((template) => ({
    uriTemplate: template.uriTemplate,
    ...cleanAbout(template),
  }));
}

export function cleanPrompts(listed: readonly Prompt[]): McpPrompt[] {
  return distinct(listed, ({ name }) => name, isName).map((prompt) => ({
    ...cleanAbout({ name: prompt.name, title: prompt.title, description: prompt.description }),
    arguments: cleanArguments(prompt.arguments ?? []),
  }));
}

/** Suggestions that a client would send back exactly as a person has seen them. */
export function cleanCompletion(completion: CompleteResult["completion"] | undefined): McpCompletion {
  const { values = [], total, hasMore = false } = completion ?? {};
  const fit = values.filter((value) => value.length <= maxNameCharacters && cleanText(value) === value);
  return {
    values: fit.slice(0, maxSuggestions),
    ...defined({ total: isCount(total) && total >= fit.length ? total : undefined }),
    hasMore: hasMore || fit.length > maxSuggestions,
  };
}

// As many as the protocol allows.
const maxSuggestions = 100;

/** Whether the server would get back exactly the address that a person has seen. */
export function isPassable(uri: string): boolean {
  return isAddress(uri) && cleanText(uri) === uri;
}

function cleanArguments(listed: NonNullable<Prompt["arguments"]>): McpPromptArgument[] {
  return distinct(listed, ({ name }) => name, isName)
    .slice(0, maxArguments)
    .map(({ name, description, required }) => ({
      name,
      ...defined({ description: cleanDescription(description), required }),
    }));
}

const maxArguments = 100;
const maxNameCharacters = 256;

function isName(name: string): boolean {
  return name !== "" && name.length <= maxNameCharacters && cleanText(name) === name;
}

function isCount(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && value! >= 0;
}

/** The items with a fit key, without those whose key came before. */
function distinct<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  isFit: (key: string) => boolean,
): Item[] {
  const seen = new Map<string, Item>();
  for (const item of items) if (!seen.has(keyOf(item))) seen.set(keyOf(item), item);
  return [...seen].flatMap(([key, item]) => (isFit(key) ? item : []));
}

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
