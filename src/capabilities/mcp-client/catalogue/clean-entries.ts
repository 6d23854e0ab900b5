import type { CompleteResult, Prompt, Resource, ResourceTemplateType } from "@modelcontextprotocol/client";
import { defined } from "../../../shared/options/defined.ts";
import { cleanText } from "../../../shared/text/clean-text.ts";
import { cleanAbout, cleanDescription, isAddress } from "../call/to-part.ts";
import type {
  McpCompletion,
  McpPrompt,
  McpPromptArgument,
  McpResource,
  McpResourceTemplate,
} from "./mcp-catalogue.ts";

/**
 * Cleans the entries of a server's lists: without hidden characters, and of bounded size. An entry whose URI or name cannot
 * be passed back unchanged is left out, and so is one that is listed twice.
 */
export function cleanResources(listed: readonly Resource[]): McpResource[] {
  return unique(listed, ({ uri }) => uri)
    .filter(({ uri }) => isPassable(uri))
    .map((listed) => ({
      uri: listed.uri,
      ...cleanAbout(listed),
      ...defined({ sizeBytes: isCount(listed.size) ? listed.size : undefined }),
    }));
}

export function cleanTemplates(listed: readonly ResourceTemplateType[]): McpResourceTemplate[] {
  return unique(listed, ({ uriTemplate }) => uriTemplate)
    .filter(({ uriTemplate }) => isPassable(uriTemplate))
    .map((listed) => ({ uriTemplate: listed.uriTemplate, ...cleanAbout(listed) }));
}

export function cleanPrompts(listed: readonly Prompt[]): McpPrompt[] {
  return unique(listed, ({ name }) => name)
    .filter(({ name }) => isName(name))
    .map(({ name, title, description, arguments: listed = [] }) => ({
      ...cleanAbout({ name, title, description }),
      arguments: cleanArguments(listed),
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
  return unique(listed, ({ name }) => name)
    .filter(({ name }) => isName(name))
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

function unique<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const seen = new Map<string, Item>();
  for (const item of items) if (!seen.has(keyOf(item))) seen.set(keyOf(item), item);
  return [...seen.values()];
}
