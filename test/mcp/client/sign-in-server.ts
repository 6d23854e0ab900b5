import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { basicAnswer, listen, said } from "./http-servers.ts";

/** A server that lets in who has signed in, and the authorization server to sign in at, which asks nothing. */
export async function listenWithSignIn({
  authorize = "/authorize",
  beforeRegistration = async () => {},
  beforeToken = async () => {},
}: {
  authorize?: string;
  beforeRegistration?: (outgoing: ServerResponse) => Promise<unknown>;
  beforeToken?: (outgoing: ServerResponse) => Promise<unknown>;
} = {}) {
  const grants: string[] = [];
  const challenges = new Map<string, string>();
  const base = await listen(async (incoming, outgoing) => {
    const address = `http://${incoming.headers.host}`;
    const { pathname, searchParams } = new URL(incoming.url ?? "/", address);
    if (pathname.startsWith("/.well-known/oauth-protected-resource")) {
      return reply(outgoing, { resource: `${address}/mcp`, authorization_servers: [address] });
    }
    if (pathname.startsWith("/.well-known/oauth-authorization-server")) {
      return reply(outgoing, {
        issuer: address,
        authorization_endpoint: new URL(authorize, address),
        token_endpoint: `${address}/token`,
        registration_endpoint: `${address}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      });
    }
    if (pathname === "/register") {
      const client = JSON.parse(await text(incoming)) as object;
      await beforeRegistration(outgoing);
      return reply(outgoing, { client_id: "us", ...client }, 201);
    }
    if (pathname === "/authorize") {
      challenges.set("the code", searchParams.get("code_challenge") ?? "");
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", "the code");
      back.searchParams.set("state", searchParams.get("state") ?? "");
      outgoing.writeHead(302, { location: back.href }).end();
      return;
    }
    if (pathname === "/token") return grant(incoming, outgoing);
    if (incoming.headers.authorization !== "Bearer granted") {
      const where = `Bearer resource_metadata="${address}/.well-known/oauth-protected-resource/mcp"`;
      outgoing.writeHead(401, { "www-authenticate": where }).end();
      return;
    }
    if (incoming.method !== "POST") return void outgoing.writeHead(405).end();
    const message = JSON.parse(await text(incoming)) as { id?: number; method: string };
    if (message.id === undefined) return void outgoing.writeHead(202).end();
    reply(outgoing, { jsonrpc: "2.0", id: message.id, ...(basicAnswer(message) ?? said("come in")) });
  });

  const grant = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const form = new URLSearchParams(await text(incoming));
    await beforeToken(outgoing);
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (challenges.get(form.get("code") ?? "") !== proof)
      return reply(outgoing, { error: "invalid_grant" }, 400);
    grants.push(form.get("redirect_uri") ?? "");
    return reply(outgoing, { access_token: "granted", token_type: "Bearer" });
  };
  return { url: `${base}/mcp`, grants };
}

function reply(outgoing: ServerResponse, content: object, status = 200): void {
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
}
