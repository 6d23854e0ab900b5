import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { ScriptedStep } from "../../../src/capabilities/agents/index.ts";
import { anthropicWire } from "./anthropic-wire.ts";
import { geminiWire } from "./gemini-wire.ts";
import { openaiChatWire } from "./openai-chat-wire.ts";
import { openaiResponsesWire } from "./openai-responses-wire.ts";
import type { Phase, RequestBody, WireEvent, WireFormat } from "./wire-format.ts";

/** What the server answers to one request. */
export interface ServedStep extends ScriptedStep {
  /** An HTTP error instead of an answer. */
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly message?: string;
  /** Lines that come in between, as they are. */
  readonly interject?: { readonly at: Phase; readonly lines: string };
  /** Where the connection is cut. */
  readonly breakOffAt?: Phase;
  /** Where the vendor tells of a fault of its own in the middle of the stream. */
  readonly failAt?: Phase;
  /** Where the answer just ends, as if that were all of it. */
  readonly endAt?: Phase;
  /** Where the server stops talking, and keeps the connection; `answer` is before it has said anything. */
  readonly hangAt?: Phase | "answer";
}

interface ServedRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: RequestBody;
  /** The body to the letter. */
  readonly text: string;
  /** What the vendor's API would refuse about it. */
  readonly problems: readonly string[];
  /** Whether the client left before the answer was over. */
  wasAbandoned: boolean;
}

export type ServedScript =
  | readonly ServedStep[]
  | ((request: ServedRequest, count: number) => ServedStep | undefined | Promise<ServedStep | undefined>);

export interface ModelServer {
  /** What clients take as their base URL. */
  readonly url: string;
  readonly requests: ServedRequest[];
  close(): Promise<void>;
}

const formats: readonly WireFormat[] = [anthropicWire, openaiChatWire, openaiResponsesWire, geminiWire];

/**
 * A server on the loopback address that speaks as OpenAI's, Anthropic's and Gemini's APIs do, so that the real code of their
 * providers runs in tests. It is as strict with a transcript as they are: what they refuse, it refuses.
 */
export async function startModelServer(script: ServedScript): Promise<ModelServer> {
  const server = await listenAsModel(script);
  onTestFinished(server.close);
  return server;
}

/** The same for as long as nobody closes it. */
export async function listenAsModel(script: ServedScript): Promise<ModelServer> {
  const requests: ServedRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response, { script, requests }).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests, close };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { script, requests }: { script: ServedScript; requests: ServedRequest[] },
): Promise<void> {
  const path = request.url ?? "";
  const [place = ""] = path.split("?");
  const format = formats.find((each) => place.endsWith(each.path));
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  if (format === undefined) {
    response.writeHead(404).end();
    return;
  }
  const body = JSON.parse(text);
  const problems = format.findProblems(body);
  const served: ServedRequest = { path, headers: request.headers, body, text, problems, wasAbandoned: false };
  requests.push(served);
  response.on("close", () => {
    served.wasAbandoned = !response.writableFinished;
  });
  const count = requests.length;
  const step = typeof script === "function" ? await script(served, count) : script[count - 1];
  if (problems.length > 0) return fail(response, format, { status: 400, message: problems.join("; ") });
  if (step === undefined) return fail(response, format, { status: 400, message: `no step ${count}` });
  if (step.status !== undefined) return fail(response, format, step);
  await send(response, format, { step, count });
}

function fail(response: ServerResponse, format: WireFormat, step: ServedStep): void {
  const { status = 500, message = "no", headers = {} } = step;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(format.error(status, message)));
}

async function send(
  response: ServerResponse,
  format: WireFormat,
  { step, count }: { step: ServedStep; count: number },
): Promise<void> {
  if (step.hangAt === "answer") return;
  response.writeHead(200, { "content-type": "text/event-stream" });
  let interjected = step.interject;
  for (const event of format.stream(step, count)) {
    const { phase } = event;
    if (phase !== undefined && phase === step.breakOffAt) {
      response.destroy();
      return;
    }
    if (phase !== undefined && phase === step.endAt) break;
    if (phase !== undefined && phase === step.failAt) {
      const fault = format.streamError?.("overloaded") ?? {
        data: JSON.stringify(format.error(503, "overloaded")),
      };
      writeEvent(response, fault);
      break;
    }
    if (phase !== undefined && phase === interjected?.at) {
      response.write(interjected.lines);
      interjected = undefined;
    }
    writeEvent(response, event);
    if (phase !== undefined && phase === step.hangAt) return;
  }
  response.end();
}

function writeEvent(response: ServerResponse, { name, data }: WireEvent): void {
  response.write(`${name === undefined ? "" : `event: ${name}\n`}data: ${data}\n\n`);
}
