import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import type { WebUrl } from "../../shared/web/parse-web-url.ts";

export interface Exchange {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As it was sent, possibly compressed. */
  readonly body: IncomingMessage;
  close(): void;
}

export interface ExchangeParts {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal;
}

/** Sends one request on a connection and waits for the head of the response. */
export function exchange(
  url: WebUrl,
  socket: Socket,
  { method, headers, body, signal }: ExchangeParts,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const asking = request({
      method,
      path: url.path,
      headers: {
        host: url.authority,
        ...headers,
        ...(body !== undefined && { "content-length": String(body.length) }),
      },
      createConnection: () => socket,
      maxHeaderSize: maxHeaderBytes,
      insecureHTTPParser: false,
      signal,
    });
    asking.maxHeadersCount = maxHeaders;
    let informed = 0;
    asking.on("information", () => {
      informed += 1;
      if (informed > maxInformation) asking.destroy(new Error("the server sends only interim responses"));
    });
    asking.on("response", (response) => {
      // A failure from here on is the body's, and the reader of the body gets it.
      response.on("error", () => {});
      const close = () => {
        response.destroy();
        socket.destroy();
      };
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response, close });
    });
    asking.on("error", (error) => {
      socket.destroy();
      reject(signal.aborted ? signal.reason : error);
    });
    asking.on("upgrade", (_response, upgraded) => {
      upgraded.destroy();
      reject(new Error("the server switched to another protocol"));
    });
    asking.end(body);
  });
}

const maxHeaderBytes = 32 * 1024;
const maxHeaders = 200;
const maxInformation = 10;
