import { stat } from "node:fs/promises";
import type {
  CompleteRequest,
  CompleteResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  Resource,
} from "@modelcontextprotocol/server";
import type { Receipt } from "../../kernel/events/index.ts";
import type { Runtime } from "../../open-runtime.ts";
import type { Gateway } from "./gateway/gateway.ts";
import type { ServerSdk } from "./load-server-sdk.ts";
import { pageOf, startOf } from "./page-of.ts";

type Kind = "receipts" | "outputs";

export function resourceAddress(kind: Kind, callId: string): string {
  return `toolwright://${kind}/${encodeURIComponent(callId)}`;
}

/** The resources of one session's clients: its receipts, outputs too long for a result, and those of a gateway's servers. */
export function createResources(
  { receipts, readOutput }: Pick<Runtime, "receipts" | "readOutput">,
  { sdk, sessionId, gateway }: { sdk: ServerSdk; sessionId: string; gateway: Gateway | undefined },
) {
  const find = async (uri: string): Promise<{ kind: Kind; receipt: Receipt }> => {
    const address = readAddress(uri);
    const [receipt] =
      address === undefined ? [] : await receipts({ sessionId, callId: address.callId, limit: 1 });
    if (address === undefined || receipt === undefined) throw new sdk.ResourceNotFoundError(uri);
    return { kind: address.kind, receipt };
  };
  return {
    async list(cursor: string | undefined): Promise<ListResourcesResult> {
      const start = startOf(cursor, sdk);
      // The servers' come first: there is one more receipt after every call.
      const { items: passedOn, ...rest } = (await gateway?.resources()) ?? none;
      const pageSize = Math.max(receiptsPerPage, Math.min(passedOnPerPage, passedOn.length - start));
      // One more than a page, to know whether there is a next one.
      const limit = start + pageSize + 1 - passedOn.length;
      const own = limit > 0 ? await receipts({ sessionId, limit }) : [];
      const { items, nextCursor } = pageOf([...passedOn, ...own], { cursor, pageSize, sdk });
      const resources = items.flatMap((item) => ("uri" in item ? item : describe(item)));
      return { resources, nextCursor, ...rest };
    },
    async templates(cursor: string | undefined): Promise<ListResourceTemplatesResult> {
      const { items: passedOn, ...rest } = (await gateway?.templates()) ?? none;
      const all = [...resourceTemplates, ...passedOn];
      const { items, nextCursor } = pageOf(all, { cursor, pageSize: passedOnPerPage, sdk });
      return { resourceTemplates: [...items], nextCursor, ...rest };
    },
    /** Reads a receipt or an output. */
    async read(uri: string): Promise<ReadResourceResult> {
      const { kind, receipt } = await find(uri);
      if (kind === "receipts") return contents(uri, "application/json", JSON.stringify(receipt, null, 2));
      await refuseTooLarge(receipt, sdk);
      const text = await readOutput(receipt);
      if (text === undefined) throw new sdk.ResourceNotFoundError(uri);
      return contents(uri, "text/plain", text);
    },
    /** Suggests call ids that begin with the typed value. */
    async complete({ ref, argument: { name, value } }: CompleteRequest["params"]): Promise<CompleteResult> {
      const isOwn = resourceTemplates.some(({ uriTemplate }) => "uri" in ref && ref.uri === uriTemplate);
      const recent =
        isOwn && name === "callId" ? await receipts({ sessionId, limit: completionsSearched }) : [];
      const values = recent.map(({ callId }) => callId).filter((callId) => callId.startsWith(value));
      const { length: total } = values;
      return { completion: { values: values.slice(0, 100), total, hasMore: total > 100 } };
    },
  };
}

const receiptsPerPage = 100;
// For clients that do not support pages.
const passedOnPerPage = 1000;
const none = { items: [] };
const completionsSearched = 1000;

const resourceTemplates = [
  {
    uriTemplate: "toolwright://receipts/{callId}",
    name: "receipt",
    title: "Receipt of a call",
    description:
      "Who made the call, when and with which input, who approved it, its effects and how it ended",
    mimeType: "application/json",
  },
  {
    uriTemplate: "toolwright://outputs/{callId}",
    name: "output",
    title: "Full output of a call",
    description: "The full output, if it was too long for the call's result",
    mimeType: "text/plain",
  },
];

function readAddress(uri: string): { kind: Kind; callId: string } | undefined {
  const [, kind, callId] = /^toolwright:\/\/(receipts|outputs)\/([\w.:%-]{1,400})$/.exec(uri) ?? [];
  if (kind === undefined || callId === undefined) return undefined;
  try {
    return { kind: kind as Kind, callId: decodeURIComponent(callId) };
  } catch {
    return undefined;
  }
}

function describe({ callId, tool, status, startedAt, storedPath }: Receipt): Resource[] {
  const receipt = {
    uri: resourceAddress("receipts", callId),
    name: callId,
    title: `Receipt: ${tool}, ${status}`,
    mimeType: "application/json",
    annotations: { lastModified: startedAt },
  };
  if (storedPath === undefined) return [receipt];
  const output = {
    ...receipt,
    uri: resourceAddress("outputs", callId),
    name: `output of ${callId}`,
    title: `Full output: ${tool}`,
    mimeType: "text/plain",
  };
  return [receipt, output];
}

function contents(uri: string, mimeType: string, text: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text }] };
}

async function refuseTooLarge({ storedPath }: Receipt, sdk: ServerSdk): Promise<void> {
  if (storedPath === undefined) return;
  const { size } = await stat(storedPath).catch(() => ({ size: 0 }));
  if (size <= maxOutputBytes) return;
  const message = `the output has ${size} bytes, too many to send at once; read ${storedPath} in parts`;
  throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, message);
}

const maxOutputBytes = 8 * 1024 * 1024;
