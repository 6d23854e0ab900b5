import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";
import { onTestFinished } from "vitest";
import type { Dial } from "../../../src/machine/web-client/connect.ts";
import type { TestCertificate } from "./certificates.ts";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** What a site answers: by path, or everything. */
export type Site = Handler | Readonly<Record<string, Handler | string>>;

export interface TestWeb {
  readonly port: number;
  /** Every request so far, as `METHOD host/path`. */
  readonly requests: readonly string[];
  /** How many connections there were. */
  readonly connections: () => number;
}

/** A web server on this machine, with http, or with https if it has a certificate. Closed when the test ends. */
export async function serveWeb(
  site: Site,
  { certificate, host = "127.0.0.1" }: { certificate?: TestCertificate; host?: string } = {},
): Promise<TestWeb> {
  const requests: string[] = [];
  const answer: Handler = (request, response) => {
    requests.push(`${request.method} ${request.headers.host}${request.url}`);
    handlerFor(site, request)(request, response);
  };
  const server = certificate ? createSecureServer(certificate, answer) : createServer(answer);
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  return { port: await listen(server, host), requests, connections: () => connections };
}

function handlerFor(site: Site, { url = "/" }: IncomingMessage): Handler {
  if (typeof site === "function") return site;
  const found = site[url] ?? site[url.replace(/\?.*$/, "")];
  if (typeof found === "function") return found;
  return (_request, response) => {
    response.writeHead(found === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
    response.end(found ?? "<h1>Not found</h1>");
  };
}

/** A server that writes bytes as it likes, for responses that no HTTP library would send. */
export async function serveBytes(
  answer: (socket: Socket) => void,
  host = "127.0.0.1",
): Promise<{ port: number }> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  return { port: await listen(server, host) };
}

async function listen(server: Server, host: string): Promise<number> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Leads every connection to servers on this machine, whatever address it is for, and lists those addresses. */
export function leadTo(ports: { http?: number; https?: number }): { dial: Dial; dialled: string[] } {
  const dialled: string[] = [];
  const dial: Dial = ({ port, addresses }) => {
    dialled.push(...addresses);
    return connect({ host: "127.0.0.1", port: (port === 443 ? ports.https : ports.http) ?? 1 });
  };
  return { dial, dialled };
}
