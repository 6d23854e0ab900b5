import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerRequests } from "../../../shared/web/answer-requests.ts";
import { limitConnections } from "../../../shared/web/limit-connections.ts";

/** The local server that the browser is redirected to after sign-in. */
export interface RedirectListener {
  readonly port: number;
  readonly address: string;
  /** The query of the next expected redirect. */
  returned(): Promise<URLSearchParams>;
  close(): void;
}

export async function listenForRedirect({
  port,
  isExpected,
}: {
  port: number;
  isExpected: (params: URLSearchParams) => boolean;
}): Promise<RedirectListener> {
  let next = Promise.withResolvers<URLSearchParams>();
  const http = await listen(port).catch(() => listen(0));
  const handle = ({ method, url = "/" }: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.setHeader("content-type", "text/plain; charset=utf-8");
    // Any program and any web page on this machine can send something here.
    const asked = URL.parse(url, "http://localhost");
    if (method !== "GET" || asked?.pathname !== path) outgoing.writeHead(404).end("Not found.\n");
    else if (!isExpected(asked.searchParams))
      outgoing.writeHead(400).end("No sign-in is waiting for this page.\n");
    else {
      outgoing.end("You are signed in. You can close this page.\n");
      next.resolve(asked.searchParams);
      next = Promise.withResolvers();
    }
  };
  answerRequests(http, handle, {
    onError: () => {},
    refuse: (outgoing) => outgoing.writeHead(400).end("This request could not be read.\n"),
  });
  http.unref();
  const { port: taken } = http.address() as AddressInfo;
  return {
    port: taken,
    address: `http://127.0.0.1:${taken}${path}`,
    returned: () => next.promise,
    close() {
      http.close();
      http.closeAllConnections();
    },
  };
}

const path = "/callback";

async function listen(port: number): Promise<Server> {
  const http = createServer({
    headersTimeout: 5000,
    requestTimeout: 5000,
    connectionsCheckingInterval: 1000,
  });
  limitConnections(http, { maxStrangers: 100, maxPerPeer: 100 });
  http.listen({ host: "127.0.0.1", port });
  await once(http, "listening");
  return http;
}
