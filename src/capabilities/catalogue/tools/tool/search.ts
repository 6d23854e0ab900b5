import { orMeant } from "../../../../shared/text/did-you-mean.ts";
import { oneLine } from "../../../../shared/text/one-line.ts";
import { aFlag, arrayOf, aText, objectOf, texts } from "../../../../tool/builtin/schema-parts.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import type { MissingTool } from "../../../../tool/services/tool-catalogue.ts";

export default declareTool({
  name: "tool_search",
  description:
    "Find tools that are not listed yet and make them available. Searches names, aliases, hints and descriptions; part of a name is enough. Write select:Name,OtherName to get tools by their exact names.",
  prompt:
    "Not every tool is listed from the start. When no listed tool does what you need, search with a few words for the job, such as `fetch web page` or `create github issue`, before you say that it cannot be done. You can call the tools found from your next turn on. If you already know the names, `select:Name,OtherName` makes exactly those available.",
  params: {
    query: {
      type: "string",
      minLength: 1,
      description: "The tool's job or its name, such as 'fetch web page', or select:Name,OtherName",
    },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: 50,
      default: 10,
      description: "Maximum number of tools to find",
    },
  },
  traits: { readOnly: true, concurrencySafe: true, idempotent: true, deferrable: false },
  output: objectOf({
    query: aText,
    matches: arrayOf(objectOf({ name: aText, description: aText })),
    missing: arrayOf(objectOf({ name: aText, nearest: texts })),
    allActive: { ...aFlag, description: "All tools are offered anyway, so nothing was activated" },
  }),
  searchHint: "tool search find discover deferred",
  permission: () => ({ action: "read" }),
  async run({ query, limit }, { tools }): Promise<SearchOutput> {
    const found = await tools.search(query, { limit });
    const { missing, allActive } = found;
    const matches = found.tools.map(({ name, description }) => ({ name, description }));
    if (!allActive) for (const { name } of matches) await tools.activate(name);
    return { query: oneLine(query, maxShownCharacters), matches, missing, allActive };
  },
  toText({ query, matches, missing, allActive }) {
    if (allActive)
      return ["All tools are already active: use them directly.", ...guesses(missing)].join("\n");
    if (matches.length === 0) return [`No tool found matching '${query}'.`, ...guesses(missing)].join("\n");
    return [
      `Found ${matches.length} tool(s) matching '${query}':`,
      ...matches.map(({ name, description }) => `- ${name}: ${description}`),
      ...notes(missing),
      "These tools have been activated and are now available for use.",
    ].join("\n");
  },
});

interface SearchOutput {
  /** On one line, and cut if it is long. */
  readonly query: string;
  readonly matches: readonly { readonly name: string; readonly description: string }[];
  readonly missing: readonly MissingTool[];
  /** The model is offered all tools anyway, so nothing was activated. */
  readonly allActive: boolean;
}

const maxShownCharacters = 100;

function notes(missing: readonly MissingTool[]): string[] {
  return missing.map(({ name, nearest }) => `(There is no tool named ${name}${orMeant(nearest) || "."})`);
}

function guesses(missing: readonly MissingTool[]): string[] {
  return notes(missing.filter(({ nearest }) => nearest.length > 0));
}
