import { request } from "node:http";
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { defined } from "../../shared/options/defined.ts";
import { authorityOf, type WebUrl } from "../../shared/web/parse-web-url.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { WebProxy } from "./read-proxy.ts";

/** Opens a connection to one of these addresses; the name is for messages only. */
export type Dial = (target: { name: string; port: number; addresses: readonly string[] }) => Socket;

export interface ConnectParts {
  /** Vetted; a connection to the host uses one of these and no other. Absent if the proxy resolves the name. */
  readonly addresses: readonly string[] | undefined;
  readonly proxy: WebProxy | undefined;
  /** Certificate authorities. Default: those of Node. */
  readonly ca: readonly string[] | undefined;
  readonly dial: Dial;
  readonly signal: AbortSignal;
}

/** A connection to the host, encrypted for https, on which one request can be made. */
export async function connect(url: WebUrl, parts: ConnectParts): Promise<Socket> {
  const { proxy, addresses = [], dial, signal } = parts;
  const { host: name, port } = url;
  const socket =
    proxy === undefined
      ? await whenReady(dial({ name, port, addresses }), "connect", signal)
      : await openTunnel(url, { ...parts, proxy });
  return url.scheme === "https" ? encrypt(socket, name, parts) : socket;
}

export const dialDirectly: Dial = ({ name, port, addresses }) => {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  // Node would look an address up under its own name only; a name gets nothing but the vetted answers.
  const lookup: LookupFunction = (_name, { all }, answer) =>
    all === true ? answer(null, pinned) : answer(null, pinned[0]!.address, pinned[0]!.family);
  return connectTcp({ host: name, port, lookup, autoSelectFamily: true });
};

/** Through CONNECT for http as well: in any other request the proxy would look up the name itself. */
async function openTunnel(url: WebUrl, parts: ConnectParts & { proxy: WebProxy }): Promise<Socket> {
  const { addresses = [url.host], signal } = parts;
  let failure: unknown;
  for (const address of addresses) {
    try {
      return await tunnelTo(address, url, parts);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      failure = error;
    }
  }
  throw failure;
}

async function tunnelTo(
  address: string,
  { port }: WebUrl,
  { proxy, ca, signal }: ConnectParts & { proxy: WebProxy },
): Promise<Socket> {
  const name = proxy.host;
  const dialled = connectTcp({ host: name, port: proxy.port, autoSelectFamily: true });
  const plain = await whenReady(dialled, "connect", signal);
  const socket = proxy.isSecure ? await encrypt(plain, name, { ca, signal }) : plain;
  // The scheme's own port must be named too.
  const target = authorityOf({ scheme: "http", host: address, port: 0 }).replace(/:0$/, `:${port}`);
  return new Promise((resolve, reject) => {
    const asking = request({
      method: "CONNECT",
      path: target,
      headers: { host: target, ...defined({ "proxy-authorization": proxy.authorization }) },
      createConnection: () => socket,
      signal,
    });
    asking.on("connect", ({ statusCode = 0 }, tunnel: Socket, early) => {
      if (statusCode === 200 && early.length === 0) return resolve(tunnel);
      tunnel.destroy();
      reject(refusedByProxy(proxy, statusCode));
    });
    // An answer to CONNECT that is not a tunnel.
    asking.on("response", (response) => {
      response.destroy();
      reject(refusedByProxy(proxy, response.statusCode ?? 0));
    });
    asking.on("error", (error) => reject(signal.aborted ? signal.reason : error));
    asking.end();
  });
}

function refusedByProxy({ host, port }: WebProxy, status: number): ToolError {
  const hint =
    status === 407
      ? "The proxy wants a user name and password: put them into HTTPS_PROXY."
      : "Check the proxy, or exempt the host with NO_PROXY.";
  const message = `the proxy ${host}:${port} refused the connection with status ${status}`;
  return new ToolError("unavailable", message, { hint });
}

async function encrypt(
  socket: Socket,
  host: string,
  { ca, signal }: Pick<ConnectParts, "ca" | "signal">,
): Promise<TLSSocket> {
  const { connect: connectTls } = await import("node:tls");
  const secure = connectTls({
    socket,
    host,
    // An address has no server name; its certificate is checked against `host`.
    servername: isIP(host) === 0 ? host : undefined,
    ALPNProtocols: ["http/1.1"],
    ca: ca && [...ca],
  });
  return whenReady(secure, "secureConnect", signal);
}

function whenReady<Opened extends Socket>(
  socket: Opened,
  event: string,
  signal: AbortSignal,
): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      socket.destroy();
      reject(signal.reason);
    };
    const fail = (error: Error) => {
      signal.removeEventListener("abort", giveUp);
      socket.destroy();
      reject(error);
    };
    if (signal.aborted) return giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    socket.once("error", fail);
    socket.once("close", () =>
      fail(Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" })),
    );
    socket.once(event, () => {
      signal.removeEventListener("abort", giveUp);
      socket.removeListener("error", fail);
      resolve(socket);
    });
  });
}
