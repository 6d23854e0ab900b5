import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

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
  http.on("request", ({ method, url = "/" }, outgoing) => {
    outgoing.setHeader("content-type", "text/plain; charset=utf-8");
    const { pathname, searchParams } = new URL(url, "http://localhost");
    if (method !== "GET" || pathname !== path) outgoing.writeHead(404).end("Not found.\n");
    else if (!isExpected(searchParams)) outgoing.writeHead(400).end("No sign-in is waiting for this page.\n");
    else {
      outgoing.end("You are signed in. You can close this page.\n");
      next.resolve(searchParams);
      next = Promise.withResolvers();
    }
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
  const http = createServer();
  http.listen({ host: "127.0.0.1", port });
  await once(http, "listening");
  return http;
}
