import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { CallResult } from "../../runtime/pipeline/call.ts";
import type { ContentPart } from "../../tool/tool-result.ts";
import { resourceAddress } from "./resources.ts";

/** A call's result as MCP tells it. What was refused or went wrong is a result too, never a protocol error. */
export function toMcpResult(
  result: CallResult,
  { hasOutputSchema, canLink }: { hasOutputSchema: boolean; canLink: boolean },
): CallToolResult {
  const { status, data, storedPath, callId } = result;
  const isError = status !== "done";
  const links = storedPath !== undefined && canLink ? [linkToOutput(callId)] : [];
  return {
    content: [...contentOf(result), ...links],
    ...(hasOutputSchema && data !== undefined && !isError && { structuredContent: data as never }),
    ...(isError && { isError }),
    _meta: describe(result),
  };
}

function contentOf({ content, text: told, status, error }: CallResult): ContentBlock[] {
  if (status === "done") return content.map(toBlock);
  const text = error?.code === "approval-needed" ? `${told}\n${howToApprove}` : told;
  // The text holds what went wrong; images that came before it stay.
  const images = content.filter(({ type }) => type === "image").map(toBlock);
  return [{ type: "text", text: text.toWellFormed() }, ...images];
}

const howToApprove =
  "This client cannot put the question to a person. Whoever runs Toolwright can allow such calls by a rule in its " +
  "configuration, or start it with --mode edit or --mode auto.";

function toBlock(part: ContentPart): ContentBlock {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text.toWellFormed() };
    case "image":
      return { type: "image", data: part.data, mimeType: part.mimeType };
    case "structured":
      return { type: "text", text: JSON.stringify(part.data).toWellFormed() };
  }
}

function linkToOutput(callId: string): ContentBlock {
  return {
    type: "resource_link",
    uri: resourceAddress("outputs", callId),
    name: `output of ${callId}`,
    description: "The whole output, of which the text above is a part",
    mimeType: "text/plain",
  };
}

/** For code that wants to branch, look the call up or undo it. */
function describe({ callId, status, error, truncated, receipt }: CallResult): Record<string, unknown> {
  return {
    "toolwright/callId": callId,
    "toolwright/status": status,
    ...(error && { "toolwright/error": error }),
    ...(truncated !== undefined && { "toolwright/truncated": truncated }),
    ...(receipt.hash !== "" && { "toolwright/receipt": resourceAddress("receipts", callId) }),
  };
}
