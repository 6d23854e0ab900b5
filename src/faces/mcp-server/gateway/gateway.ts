import type {
  CompleteRequest,
  CompleteResult,
  ListPromptsResult,
  Prompt,
  Resource,
  ResourceTemplateType,
} from "@modelcontextprotocol/server";
import type { Session } from "../../../kernel/runtime/index.ts";
import type { Runtime } from "../../../open-runtime.ts";
import { defined } from "../../../shared/options/defined.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import { oneLine } from "../../../shared/text/one-line.ts";
import type { ServerSdk } from "../load-server-sdk.ts";
import { pageOf } from "../page-of.ts";

export type Gateway = NonNullable<ReturnType<typeof createGateway>>;

/**
 * Passes the resources and prompts of other MCP servers on to a session's clients. Their calls do the reading. Undefined
 * for a runtime without other MCP servers.
 */
export function createGateway(
  { mcp }: Pick<Runtime, "mcp">,
  { session, sdk }: { session: Pick<Session, "tools" | "explain">; sdk: ServerSdk },
) {
  if (mcp.servers().length === 0) return undefined;

  /** The catalogues whose reading tool is offered: as with tools, none is listed whose every call would be denied. */
  const offered = (kind: "readTool" | "promptTool") => {
    const usable = new Set(session.tools().flatMap(({ name, denied }) => (denied === undefined ? name : [])));
    return mcp.catalogues().filter((catalogue) => usable.has(catalogue[kind] ?? ""));
  };
  /** Gathers the servers' lists, and tells which of the servers could not be asked. */
  const gather = async <Item>(
    kind: "readTool" | "promptTool",
    list: (catalogue: Catalogue) => Promise<Item[]>,
  ) => {
    const asked = offered(kind);
    const answers = await Promise.allSettled(asked.map(list));
    const failures = answers.flatMap((answer, index) =>
      answer.status === "rejected"
        ? [[asked[index]!.server, oneLine(describeThrown(answer.reason), maxReasonCharacters)]]
        : [],
    );
    return {
      items: answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : [])),
      _meta: failures.length > 0 ? { "toolwright/unavailable": Object.fromEntries(failures) } : undefined,
    };
  };

  /**
   * Finds the server whose resource an address of ours means, its own URI for it, and the tool whose call reads it: undefined
   * if the server has none or it is not offered. Undefined if no server has the resource.
   */
  const findResource = (address: string) => {
    const meant = readForeignAddress(address);
    const catalogue = mcp.catalogues().find(({ server }) => server === meant?.server);
    return meant && catalogue && { ...meant, tool: catalogue.readTool };
  };
  /** Finds the same for a prompt, by its name here. */
  const findPrompt = (name: string) => {
    for (const { server, promptTool } of mcp.catalogues()) {
      const own = readPromptName(server, name);
      if (own !== undefined) return { server, tool: promptTool, own };
    }
    return undefined;
  };
  /** The typed text goes to the server, so it is sent only if the call itself would need no approval. */
  const mayComplete = async (tool: string | undefined, input: object): Promise<boolean> => {
    if (tool === undefined) return false;
    const verdict = await session.explain(tool, input).catch(() => undefined);
    return verdict?.decision === "allow";
  };

  return {
    resources: () =>
      gather<Resource>("readTool", async ({ server, resources }) =>
        (await resources()).map(({ uri, sizeBytes, ...about }) => ({
          uri: toForeignAddress(server, uri),
          ...about,
          size: sizeBytes,
        })),
      ),
    templates: () =>
      gather<ResourceTemplateType>("readTool", async ({ server, resourceTemplates }) =>
        (await resourceTemplates()).map(({ uriTemplate, ...about }) => ({
          uriTemplate: toForeignAddress(server, uriTemplate),
          ...about,
        })),
      ),
    async prompts(cursor: string | undefined): Promise<ListPromptsResult> {
      const { items: all, ...rest } = await gather<Prompt>("promptTool", async ({ server, prompts }) =>
        (await prompts()).map(({ name, ...about }) => ({
          name: promptName(server, name),
          ...about,
          arguments: about.arguments.map((each) => ({ ...each })),
        })),
      );
      const { items, nextCursor } = pageOf(all, { cursor, pageSize: promptsPerPage, sdk });
      return { prompts: [...items], nextCursor, ...rest };
    },
    findResource,
    findPrompt,
    /** Returns the server's suggestions; none if reading with the typed value would be denied or needs approval. */
    async complete({ ref, argument, context }: CompleteRequest["params"]): Promise<CompleteResult> {
      const isPrompt = ref.type === "ref/prompt";
      const found = isPrompt ? findPrompt(ref.name) : findResource(ref.uri);
      const catalogue = mcp.catalogues().find(({ server }) => server === found?.server);
      if (found === undefined || catalogue === undefined) return noSuggestions;
      const { tool, own } = found;
      const others = context?.arguments;
      const values = { ...others, [argument.name]: argument.value };
      const input = isPrompt ? { name: own, arguments: values } : { uri: fillTemplate(own, values) };
      if (!(await mayComplete(tool, input))) return noSuggestions;
      const isListed = isPrompt
        ? (await catalogue.prompts()).some(({ name }) => name === own)
        : (await catalogue.resourceTemplates()).some(({ uriTemplate }) => uriTemplate === own);
      if (!isListed) return noSuggestions;
      const of = isPrompt ? { prompt: own } : { uriTemplate: own };
      const { values: suggested, ...rest } = await catalogue.complete({
        of,
        argument,
        ...defined({ others }),
      });
      return { completion: { values: [...suggested], ...rest } };
    },
    /** An address for a link in the result of a tool, by which the client can read it here. */
    addressFor: (tool: string) => (uri: string) => {
      // A client may fetch such an address from the web by itself.
      if (/^https?:/i.test(uri)) return uri;
      const owner = mcp.catalogues().find(({ owns }) => owns(tool));
      return owner?.readTool === undefined ? uri : toForeignAddress(owner.server, uri);
    },
  };
}

type Catalogue = ReturnType<Runtime["mcp"]["catalogues"]>[number];

const noSuggestions: CompleteResult = { completion: { values: [], total: 0, hasMore: false } };

/** Fills in the values that are known, so that rules can judge the address. */
function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{[^{}]*\}/g, (place) => {
    const names = place.slice(1, -1).replace(/^[+#./;?&]/, "");
    return names
      .split(",")
      .map((name) => encodeURIComponent(values[name.replace(/\*$|:\d+$/, "")] ?? ""))
      .join("/");
  });
}

// For clients that do not support pages.
const promptsPerPage = 1000;

const maxReasonCharacters = 300;

/**
 * The address of another server's resource: its own URI after the server's name, so that two servers may have the same
 * one. The URI is not encoded, because a template's values would then be encoded once more than the rest of it.
 */
export function toForeignAddress(server: string, uri: string): string {
  return `${prefix}${server}/${uri}`;
}

export function readForeignAddress(address: string): { server: string; own: string } | undefined {
  if (!address.startsWith(prefix)) return undefined;
  const end = address.indexOf("/", prefix.length);
  const own = address.slice(end + 1);
  return end === -1 || own === "" ? undefined : { server: address.slice(prefix.length, end), own };
}

const prefix = "toolwright://mcp/";

function promptName(server: string, own: string): string {
  return `${server}__${own}`;
}

/** Reads the server's own name of a prompt. Servers' names are checked, so that none can be taken for another here. */
function readPromptName(server: string, name: string): string | undefined {
  const start = promptName(server, "");
  return name.startsWith(start) && name.length > start.length ? name.slice(start.length) : undefined;
}
