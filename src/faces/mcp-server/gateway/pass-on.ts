import type {
  GetPromptRequest,
  GetPromptResult,
  InputRequiredResult,
  ReadResourceRequest,
  ReadResourceResult,
} from "@modelcontextprotocol/server";
import type { CallResult } from "../../../kernel/call/index.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { defined } from "../../../shared/options/defined.ts";
import { type ContentPart, isBeyondText, isContentPart, partToText } from "../../../tool/content-part.ts";
import { type Advance, advanceCall, type CallingClient, type WantedCall } from "../call/advance-call.ts";
import { protocolOf } from "../call/caller-of.ts";
import { explanationOf, metaOf, toKnownBlock } from "../call/to-mcp-result.ts";
import type { ServerSdk } from "../load-server-sdk.ts";
import type { McpServerParts } from "../mcp-server-parts.ts";
import { toForeignAddress } from "./gateway.ts";

/** Answers `resources/read` with a resource of ours, or by a call of the other server's reading tool. */
export async function readResource(
  parts: McpServerParts,
  { params: { uri, _meta: meta } }: ReadResourceRequest,
  connection: CallingClient,
): Promise<ReadResourceResult | InputRequiredResult> {
  const found = parts.gateway?.findResource(uri);
  if (found === undefined) return parts.resources.read(uri);
  const { server, own } = found;
  const tool = found.tool ?? refuseMissing(parts.sdk, server, "resources");
  const step = await passOn(parts, { name: tool, input: { uri: own }, meta }, connection);
  if (step.kind === "asks") return step.questions;
  const contents = partsOf(step.result).map(({ part }) => {
    if (part.type !== "resource") return { uri, mimeType: "text/plain", text: partToText(part) };
    const about = { uri: toForeignAddress(server, part.uri), mimeType: part.mimeType };
    return part.text === undefined ? { ...about, blob: part.blob } : { ...about, text: part.text };
  });
  // Unlike a receipt, another server's resource may change.
  return { contents, _meta: metaOf(step.result), ttlMs: 0, cacheScope: "private" };
}

/** Answers `prompts/get` by a call of the other server's prompting tool. */
export async function getPrompt(
  parts: McpServerParts,
  { params: { name, arguments: given, _meta: meta } }: GetPromptRequest,
  connection: CallingClient,
): Promise<GetPromptResult | InputRequiredResult> {
  const { gateway, sdk } = parts;
  const found = gateway?.findPrompt(name);
  if (gateway === undefined || found === undefined) {
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `there is no prompt ${name}`);
  }
  const tool = found.tool ?? refuseMissing(sdk, found.server, "prompts");
  const input = { name: found.own, ...defined({ arguments: given }) };
  const step = await passOn(parts, { name: tool, input, meta }, connection);
  if (step.kind === "asks") return step.questions;
  const { result } = step;
  const rendering = { protocol: protocolOf(connection.server), addressOf: gateway.addressFor(tool) };
  const description = isPlainObject(result.data) ? result.data.description : undefined;
  return {
    description: typeof description === "string" ? description : undefined,
    messages: partsOf(result).map(({ role, part }) => ({ role, content: toKnownBlock(part, rendering) })),
    _meta: metaOf(result),
  };
}

/** Makes the call. One that did not succeed is an error here, because these results have no other place to say so. */
async function passOn(
  parts: McpServerParts,
  wanted: WantedCall,
  connection: CallingClient,
): Promise<Advance> {
  const step = await advanceCall(parts, wanted, connection);
  if (step.kind === "asks" || step.result.status === "done") return step;
  const { result } = step;
  throw new parts.sdk.ProtocolError(codeFor(result, parts.sdk), explanationOf(result), metaOf(result));
}

function codeFor({ status, error }: CallResult, { ProtocolErrorCode }: ServerSdk): number {
  if (status === "denied") return ProtocolErrorCode.InvalidRequest;
  const { InvalidParams, InternalError } = ProtocolErrorCode;
  return error?.code === "invalid-input" ? InvalidParams : InternalError;
}

function refuseMissing({ ProtocolError, ProtocolErrorCode }: ServerSdk, server: string, what: string): never {
  const message = `the MCP server ${server} offers no ${what} here; list them again`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

interface PassedPart {
  readonly role: "user" | "assistant";
  readonly part: ContentPart;
}

/**
 * The parts as the server sent them. The data lists them in order, with each text whole; `null` in that list stands for the
 * next part of the content that is more than text. An answer that a hook gave instead is taken as it is.
 */
function partsOf({ data, content }: CallResult): PassedPart[] {
  const listed = isPlainObject(data) && Array.isArray(data.parts) ? (data.parts as unknown[]) : undefined;
  const beyondText = content.filter(isBeyondText);
  const parts = listed?.map((each): PassedPart | undefined => {
    if (!isPlainObject(each)) return undefined;
    const part = each.part === null ? beyondText.shift() : each.part;
    const role = each.role === "assistant" ? "assistant" : "user";
    return isContentPart(part) ? { role, part } : undefined;
  });
  if (parts?.every((part) => part !== undefined)) return parts;
  return content.map((part) => ({ role: "user", part }));
}
