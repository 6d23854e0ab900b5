import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { toMcpBlock } from "../../../formats/index.ts";
import type { CallResult } from "../../../kernel/call/index.ts";
import { defined } from "../../../shared/options/defined.ts";
import { type ContentPart, isBeyondText, type LinkPart, partToText } from "../../../tool/content-part.ts";
import { resourceAddress } from "../resources.ts";
import type { OutputPromise } from "../served-tools.ts";

/** A call's result in MCP's form. A denied or failed call is a result too, never a protocol error. */
export function toMcpResult(
  result: CallResult,
  { promise, ...rendering }: Rendering & { promise: OutputPromise | undefined },
): CallToolResult {
  const { status, storedPath, callId } = result;
  const isError = status !== "done";
  const links = storedPath === undefined ? [] : [linkToOutput(callId)];
  return {
    content: [
      ...partsOf(result).map((part) => toKnownBlock(part, rendering)),
      ...links.map((part) => toKnownBlock(part, { protocol: rendering.protocol })),
    ],
    ...(isError ? { isError } : defined({ structuredContent: promise?.contentOf(result) })),
    _meta: metaOf(result),
  };
}

function partsOf(result: CallResult): readonly ContentPart[] {
  const { content, status } = result;
  if (status === "done") return content;
  // The text says what went wrong; partial content other than text is kept.
  return [{ type: "text", text: explanationOf(result) }, ...content.filter(isBeyondText)];
}

/** Why a call did not succeed, and what to do. */
export function explanationOf({ text, error }: Pick<CallResult, "text" | "error">): string {
  return error?.code === "approval-needed" ? `${text}\n${howToApprove}` : text;
}

const howToApprove =
  "This client cannot ask a person for approval. To allow all such calls, add a rule to Toolwright's configuration, or " +
  "start Toolwright with --mode edit or --mode auto.";

interface Rendering {
  readonly protocol: string;
  /** Where the client can read what a link leads to. */
  readonly addressOf?: ((uri: string) => string) | undefined;
}

/** A part of a kind that the client's protocol does not know would make the whole result invalid. */
export function toKnownBlock(part: ContentPart, { protocol, addressOf }: Rendering): ContentBlock {
  const led = part.type === "link" && addressOf ? { ...part, uri: addressOf(part.uri) } : part;
  const isKnown = protocol >= (knownSince.get(led.type) ?? "");
  return toMcpBlock(isKnown ? led : { type: "text", text: partToText(led) });
}

const knownSince: ReadonlyMap<ContentPart["type"], string> = new Map([
  ["audio", "2025-03-26"],
  ["link", "2025-06-18"],
]);

function linkToOutput(callId: string): LinkPart {
  return {
    type: "link",
    uri: resourceAddress("outputs", callId),
    name: `output of ${callId}`,
    description: "The full output; the text above is a part of it",
    mimeType: "text/plain",
  };
}

/** For code that branches on the outcome, looks the call up or undoes it. */
export function metaOf(result: CallResult): Record<string, unknown> {
  const { callId, status, error, truncated, omitted, receipt } = result;
  return defined({
    "toolwright/callId": callId,
    "toolwright/status": status,
    "toolwright/error": error,
    "toolwright/truncated": truncated || undefined,
    "toolwright/omitted": omitted,
    "toolwright/receipt": receipt.hash === "" ? undefined : resourceAddress("receipts", callId),
  });
}
