import { text } from "node:stream/consumers";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { basicAnswer, listen } from "./http-servers.ts";
import { define } from "./sample-servers.ts";

/** What a server sends to ask for these fields. */
export function elicit(properties: object, message = "Well?") {
  const requestedSchema = { type: "object", properties };
  return { method: "elicitation/create", params: { message, requestedSchema } };
}

/** A server by the current protocol that asks so many times before it answers. */
export async function listenAskingFirst(asking: object, times = 1) {
  const retried: unknown[] = [];
  let calls = 0;
  const address = await listen(async (incoming, outgoing) => {
    if (incoming.method !== "POST") return void outgoing.writeHead(405).end();
    const { id, method, params } = JSON.parse(await text(incoming)) as {
      readonly id?: number;
      readonly method: string;
      readonly params: Record<string, unknown>;
    };
    if (id === undefined) return void outgoing.writeHead(202).end();
    const { inputResponses, requestState } = params;
    if (inputResponses !== undefined) retried.push({ inputResponses, requestState });
    const answers: Record<string, () => object> = {
      "server/discover": () => ({ supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }),
      "tools/list": () => ({ tools: [define("ask")], ttlMs: 0, cacheScope: "private" }),
      "tools/call": () =>
        ++calls <= times
          ? { resultType: "input_required", ...asking }
          : { content: [{ type: "text", text: "thanks" }] },
    };
    const result = { resultType: "complete", ...answers[method]?.() };
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  return { url: `${address}/mcp`, retried };
}

/** A server by an older protocol whose tool asks for a name in its call's own stream. */
export async function listenAsking({ isImpatient = false } = {}): Promise<string> {
  const answers = new Map<string, (name: string) => void>();
  return listen(async (incoming, outgoing) => {
    if (incoming.method !== "POST") return void outgoing.writeHead(405).end();
    const message = JSON.parse(await text(incoming)) as {
      readonly id?: number;
      readonly method?: string;
      readonly params?: { readonly arguments?: { readonly name: string } };
      readonly result?: ElicitResult;
    };
    const { id, method, params, result } = message;
    if (method === undefined) answers.get(String(id))?.(String(result?.content?.name));
    if (method === undefined || id === undefined) return void outgoing.writeHead(202).end();
    const send = (data: object) =>
      outgoing.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...data })}\n\n`);
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    const basic = basicAnswer({ method, id });
    if (basic !== undefined) {
      send({ id, ...basic });
      return void outgoing.end();
    }
    const question = `question-${id}`;
    const answer = new Promise<string>((resolve) => answers.set(question, resolve));
    send({ id: question, ...elicit({ name: { type: "string" } }) });
    if (isImpatient) send({ method: "notifications/cancelled", params: { requestId: question } });
    const words = isImpatient ? "never mind" : `${params?.arguments?.name} is ${await answer}`;
    send({ id, result: { content: [{ type: "text", text: words }] } });
    outgoing.end();
  });
}
