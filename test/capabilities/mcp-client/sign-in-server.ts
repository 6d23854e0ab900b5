import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { basicAnswer, listen, said } from "./http-servers.ts";

interface Code {
  readonly challenge: string;
  readonly scope: string;
}

/** A server that lets in who has signed in, and the authorization server to sign in at, which asks nothing. */
export async function listenWithSignIn({
  authorize = "/authorize",
  registered,
  isFree = () => false,
  beforeRegistration = async () => {},
  beforeToken = async () => {},
}: {
  authorize?: string;
  /** The only client that it knows, registered by hand; no other can register. */
  registered?: { readonly clientId: string; readonly clientSecret: string };
  /** What it answers to anybody. */
  isFree?: (method: string) => boolean;
  beforeRegistration?: (outgoing: ServerResponse) => Promise<unknown>;
  beforeToken?: (outgoing: ServerResponse) => Promise<unknown>;
} = {}) {
  const grants: string[] = [];
  const codes = new Map<string, Code>();
  const scopes = new Map<string, string>();
  const streams = new Set<ServerResponse>();
  let scopeOfCalls = "read";
  const base = await listen(async (incoming, outgoing) => {
    const address = `http://${incoming.headers.host}`;
    const { pathname, searchParams } = new URL(incoming.url ?? "/", address);
    if (pathname.startsWith("/.well-known/oauth-protected-resource")) {
      return reply(outgoing, { resource: `${address}/mcp`, authorization_servers: [address] });
    }
    if (pathname.startsWith("/.well-known/oauth-authorization-server")) {
      return reply(outgoing, {
        ...describeIssuer(address, authorize),
        ...(registered && {
          registration_endpoint: undefined,
          token_endpoint_auth_methods_supported: ["client_secret_basic"],
        }),
      });
    }
    if (pathname === "/register" && registered === undefined) {
      const client = JSON.parse(await text(incoming)) as object;
      await beforeRegistration(outgoing);
      return reply(outgoing, { client_id: "us", ...client }, 201);
    }
    if (pathname === "/authorize") {
      const code = `code ${codes.size + 1}`;
      const challenge = searchParams.get("code_challenge") ?? "";
      codes.set(code, { challenge, scope: searchParams.get("scope") ?? "" });
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", code);
      back.searchParams.set("state", searchParams.get("state") ?? "");
      outgoing.writeHead(302, { location: back.href }).end();
      return;
    }
    if (pathname === "/token") return grant(incoming, outgoing);
    await serve(incoming, outgoing, address);
  });

  const grant = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const form = new URLSearchParams(await text(incoming));
    await beforeToken(outgoing);
    if (!isKnown(incoming)) return reply(outgoing, { error: "invalid_client" }, 401);
    const code = codes.get(form.get("code") ?? "");
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (code?.challenge !== proof) return reply(outgoing, { error: "invalid_grant" }, 400);
    grants.push(form.get("redirect_uri") ?? "");
    const token = `token-${grants.length}`;
    scopes.set(token, code.scope);
    return reply(outgoing, { access_token: token, token_type: "Bearer" });
  };

  const isKnown = ({ headers }: IncomingMessage) => {
    if (registered === undefined) return true;
    const secret = Buffer.from(`${registered.clientId}:${registered.clientSecret}`).toString("base64");
    return headers.authorization === `Basic ${secret}`;
  };

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse, address: string) => {
    const where = `resource_metadata="${address}/.well-known/oauth-protected-resource/mcp"`;
    const body = await text(incoming);
    const message = body === "" ? undefined : (JSON.parse(body) as { id?: number; method: string });
    const scope = scopes.get(incoming.headers.authorization?.slice("Bearer ".length) ?? "");
    const refuse = (status: number, why: string) =>
      void outgoing.writeHead(status, { "www-authenticate": `Bearer ${why}, ${where}` }).end();
    if (scope === undefined && !isFree(message?.method ?? "")) return refuse(401, `scope="read"`);
    if (incoming.method === "GET") {
      streams.add(outgoing.writeHead(200, { "content-type": "text/event-stream" }));
      return outgoing.flushHeaders();
    }
    if (message === undefined) return void outgoing.writeHead(405).end();
    if (message.id === undefined) return void outgoing.writeHead(202).end();
    if (message.method === "tools/call" && !scope?.split(" ").includes(scopeOfCalls)) {
      return refuse(403, `error="insufficient_scope", scope="${scopeOfCalls}"`);
    }
    reply(outgoing, { jsonrpc: "2.0", id: message.id, ...(basicAnswer(message) ?? said("come in")) });
  };

  return {
    url: `${base}/mcp`,
    grants,
    /** As when tokens expire, or whoever gave them takes them back. */
    revoke() {
      scopes.clear();
      for (const stream of streams) stream.end();
    },
    /** From now on a call needs more than was granted. */
    demand(scope: string) {
      scopeOfCalls = scope;
    },
  };
}

function describeIssuer(address: string, authorize: string): object {
  return {
    issuer: address,
    authorization_endpoint: new URL(authorize, address),
    token_endpoint: `${address}/token`,
    registration_endpoint: `${address}/register`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
  };
}

function reply(outgoing: ServerResponse, content: object, status = 200): void {
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
}
