import type { CompleteResult, Prompt, Resource, ResourceTemplateType } from "@modelcontextprotocol/client";
import { capText, cleanText } from "../../../shared/text/clean-text.ts";
import { isAddress, maxDescriptionBytes, maxNameBytes, mimeTypeIfFit } from "../call/to-part.ts";
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
    .map(({ uri, mimeType, size, ...about }) => ({
      uri,
      ...describe(about),
      ...mimeTypeIfFit(mimeType),
      ...(size !== undefined && Number.isSafeInteger(size) && size >= 0 && { sizeBytes: size }),
    }));
}

export function cleanTemplates(listed: readonly ResourceTemplateType[]): McpResourceTemplate[] {
  return unique(listed, ({ uriTemplate }) => uriTemplate)
    .filter(({ uriTemplate }) => isPassable(uriTemplate))
    .map(({ uriTemplate, mimeType, ...about }) => ({
      uriTemplate,
      ...describe(about),
      ...mimeTypeIfFit(mimeType),
    }));
}

export function cleanPrompts(listed: readonly Prompt[]): McpPrompt[] {
  return unique(listed, ({ name }) => name)
    .filter(({ name }) => isName(name))
    .map((prompt) => ({ ...describe(prompt), arguments: cleanArguments(prompt.arguments ?? []) }));
}

/** Suggestions that a client would send back exactly as a person has seen them. */
export function cleanCompletion(completion: CompleteResult["completion"] | undefined): McpCompletion {
  const { values = [], total, hasMore = false } = completion ?? {};
  const fit = values.filter((value) => value.length <= maxNameCharacters && cleanText(value) === value);
  const isCount = total !== undefined && Number.isSafeInteger(total) && total >= fit.length;
  return {
    values: fit.slice(0, maxSuggestions),
    ...(isCount && { total }),
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
      ...(description !== undefined && { description: clean(description, maxDescriptionBytes) }),
      ...(required !== undefined && { required }),
    }));
}

const maxArguments = 100;
const maxNameCharacters = 256;

function isName(name: string): boolean {
  return name !== "" && name.length <= maxNameCharacters && cleanText(name) === name;
}

function describe({
  name,
  title,
  description,
}: {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
}) {
  return {
    name: clean(name, maxNameBytes),
    ...(title !== undefined && { title: clean(title, maxNameBytes) }),
    ...(description !== undefined && { description: clean(description, maxDescriptionBytes) }),
  };
}

function clean(text: string, maxBytes: number): string {
  return capText(cleanText(text), maxBytes);
}

function unique<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const seen = new Map<string, Item>();
  for (const item of items) if (!seen.has(keyOf(item))) seen.set(keyOf(item), item);
  return [...seen.values()];
}
