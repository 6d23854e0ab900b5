import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import type { McpServerOptions } from "../../../src/capabilities/mcp-client/index.ts";
import { defineTool } from "../../../src/index.ts";
import { serveForTest } from "../../faces/mcp-server/serve-for-test.ts";
import { freePort } from "../../support/free-port.ts";
import { basicAnswer, listen, listenSse, listenStreamable, said } from "./http-servers.ts";
import { openWithServers } from "./open-with-servers.ts";

const waiting = { timeout: 45_000, interval: 50 };

function openWith(options: McpServerOptions) {
  return openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { remote: options },
  });
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

const pong = defineTool({
  name: "ping",
  description: "Answers",
  params: {},
  traits: { readOnly: true },
  run: () => "pong",
});

test("a server over HTTP is called with the headers given", async () => {
  const served = await serveForTest({ options: { tools: [pong] } });
  const { session } = await openWith({ url: served.url, headers: bearer(served.token) });
  const result = await session.call("mcp__remote__ping", {});
  expect(result).toMatchObject({ status: "done", text: "pong" });
  expect(result.receipt.effects.hosts).toEqual([new URL(served.url).host]);
  expect(await served.runtime.receipts()).toHaveLength(1);
});

test("the receipt names the host that was called, also where a variable holds it", async () => {
  const served = await serveForTest({ options: { tools: [pong] } });
  const { host } = new URL(served.url);
  vi.stubEnv("MCP_TEST_HOST", host);
  onTestFinished(() => void vi.unstubAllEnvs());
  const url = `http://\${MCP_TEST_HOST}/mcp`;
  const { session } = await openWith({ url, headers: bearer(served.token) });
  const { receipt } = await session.call("mcp__remote__ping", {});
  expect(receipt.effects.hosts).toEqual([host]);
});

test("a server that refuses our token is unavailable, with the reason", async () => {
  const served = await serveForTest();
  const { runtime } = await openWith({ url: served.url, headers: bearer("wrong") });
  expect(runtime.mcp.servers()).toMatchObject([{ status: "unavailable", tools: 0 }]);
  expect(runtime.mcp.servers()[0]?.reason).toMatch(/token|401|[Uu]nauthorized/);
});

test("tools that the server adds later are offered", async () => {
  const served = await serveForTest({ options: { tools: [pong] } });
  const { session } = await openWith({ url: served.url, headers: bearer(served.token) });
  served.runtime.tools.register(
    defineTool({
      name: "later",
      description: "Came later",
      params: {},
      traits: { readOnly: true },
      run: () => "here",
    }),
  );
  await vi.waitFor(async () => {
    expect((await session.call("mcp__remote__later", {})).text).toBe("here");
  }, waiting);
}, 30_000);

test("a server that cannot be reached is listed with the reason", async () => {
  const port = await freePort();
  const { runtime } = await openWith({ url: `http://127.0.0.1:${port}/mcp` });
  await vi.waitFor(() => {
    const [server] = runtime.mcp.servers();
    expect(server?.reason).toBe(`cannot connect: connect ECONNREFUSED 127.0.0.1:${port}`);
  }, waiting);
});

test("a server that went away is unavailable until it is back", async () => {
  const served = await serveForTest({ options: { tools: [pong] }, http: { port: await freePort() } });
  const { session, runtime } = await openWith({ url: served.url, headers: bearer(served.token) });
  await served.close();
  await vi.waitFor(async () => {
    expect((await session.call("mcp__remote__ping", {})).error?.code).toBe("unavailable");
    expect(runtime.mcp.servers()).toMatchObject([{ status: "unavailable" }]);
  }, waiting);
  expect(session.tools().find(({ name }) => name === "mcp__remote__ping")?.description).toContain(
    "Currently unavailable",
  );
  const again = await serveForTest({
    options: { tools: [pong] },
    http: { port: served.port, tokens: served.tokens },
  });
  expect(again.port).toBe(served.port);
  await vi.waitFor(async () => {
    expect((await session.call("mcp__remote__ping", {})).text).toBe("pong");
  }, waiting);
}, 60_000);

test("a server that knows only the older transport is found out", async () => {
  const url = await listenSse(() => said("by SSE"));
  for (const type of [undefined, "sse" as const]) {
    const { session } = await openWith({ url: `${url}/sse`, ...(type && { type }) });
    expect((await session.call("mcp__remote__ask", {})).text).toBe("by SSE");
  }
});

test("an answer of a hundred megabytes is refused, as JSON and as events", async () => {
  const piece = "x".repeat(1_000_000);
  const url = await listenStreamable(async ({ id, params }, outgoing) => {
    const asEvents = params?.name === "ask" && calls++ > 0;
    outgoing.setHeader("content-type", asEvents ? "text/event-stream" : "application/json");
    const head = `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`;
    outgoing.write(asEvents ? `event: message\ndata: ${head}` : head);
    // Ended by whoever does not want the rest.
    await pipeline(Readable.from(Array(100).fill(piece)), outgoing, { end: false }).catch(() => {});
    outgoing.end(asEvents ? '"}]}}\n\n' : '"}]}}');
    return undefined;
  });
  let calls = 0;
  const { session } = await openWith({ url });
  for (const _way of ["JSON", "events"]) {
    const { error } = await session.call("mcp__remote__ask", {});
    expect(error?.message).toContain("the answer is larger than the limit of 10485760 bytes");
  }
}, 40_000);

test("a call to a server that does not answer ends in time, and the server is used on", async () => {
  let isSilent = true;
  const url = await listenStreamable(() => (isSilent ? undefined : said("awake")));
  const { session } = await openWith({ url });
  expect((await session.call("mcp__remote__ask", {}, { timeoutMs: 200 })).status).toBe("timed-out");
  isSilent = false;
  expect((await session.call("mcp__remote__ask", {})).text).toBe("awake");
});

test("an answer that is not a message fails the call and not the server", async () => {
  let isBroken = true;
  const url = await listenStreamable((_message, outgoing) => {
    if (!isBroken) return said("fine");
    outgoing.setHeader("content-type", "application/json");
    outgoing.end("<html>not valid JSON");
    return undefined;
  });
  const { session } = await openWith({ url });
  expect((await session.call("mcp__remote__ask", {})).status).toBe("failed");
  isBroken = false;
  await vi.waitFor(
    async () => expect((await session.call("mcp__remote__ask", {})).text).toBe("fine"),
    waiting,
  );
}, 30_000);

test.each([
  ["ends", ": nothing yet\n\n", "end"],
  ["breaks off", ": nothing yet\n\n", "destroy"],
  ["ends within an event", 'event: message\ndata: {"jsonrpc"', "end"],
  ["ends after progress", 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n', "end"],
] as const)(
  "a stream that %s before the answer fails the call at once, and not the server",
  async (...how) => {
    const [, beginning, end] = how;
    let isBroken = true;
    const url = await listenStreamable((_message, outgoing) => {
      if (!isBroken) return said("fine");
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      outgoing.write(beginning, () => outgoing[end]());
      return undefined;
    });
    const { session, runtime } = await openWith({ url });
    const { error } = await session.call("mcp__remote__ask", {}, { timeoutMs: 60_000 });
    expect(error).toMatchObject({
      code: "unavailable",
      hint: expect.stringContaining("may have taken effect"),
    });
    isBroken = false;
    expect((await session.call("mcp__remote__ask", {})).text).toBe("fine");
    expect(runtime.mcp.servers()).toMatchObject([{ status: "running" }]);
  },
);

test("a stream that breaks off with an id is resumed, and the answer comes from there", async () => {
  let waiting: string | undefined;
  const base = await listen(async (incoming, outgoing) => {
    const begin = () => outgoing.writeHead(200, { "content-type": "text/event-stream" });
    if (incoming.method === "GET") {
      if (incoming.headers["last-event-id"] !== "first") return void outgoing.writeHead(405).end();
      begin().end(`id: second\ndata: ${waiting}\n\n`);
      return;
    }
    const message = JSON.parse(await text(incoming));
    if (message.id === undefined) return void outgoing.writeHead(202).end();
    const result = basicAnswer(message);
    const json = JSON.stringify({ jsonrpc: "2.0", id: message.id, ...(result ?? said("in the end")) });
    if (result !== undefined) return void outgoing.setHeader("content-type", "application/json").end(json);
    waiting = json;
    begin().end("retry: 10\nid: first\ndata:\n\n");
  });
  const { session } = await openWith({ url: base });
  expect((await session.call("mcp__remote__ask", {}, { timeoutMs: 20_000 })).text).toBe("in the end");
}, 30_000);

test("a token is taken where the server sends for it, and never sent to another issuer", async () => {
  const grants: string[] = [];
  const seen: (string | undefined)[] = [];
  const base = await listen(async (incoming, outgoing) => {
    const address = `http://${incoming.headers.host}`;
    const reply = (content: object) =>
      outgoing.setHeader("content-type", "application/json").end(JSON.stringify(content));
    if (incoming.url?.startsWith("/.well-known/oauth-protected-resource")) {
      return void reply({ resource: `${address}/mcp`, authorization_servers: [address] });
    }
    if (incoming.url?.startsWith("/.well-known/oauth-authorization-server")) {
      return void reply({
        issuer: address,
        authorization_endpoint: `${address}/authorize`,
        token_endpoint: `${address}/token`,
        response_types_supported: ["code"],
        grant_types_supported: ["client_credentials"],
        token_endpoint_auth_methods_supported: ["client_secret_basic"],
      });
    }
    if (incoming.url === "/token") {
      grants.push(incoming.headers.authorization ?? "");
      return void reply({ access_token: "granted", token_type: "Bearer", expires_in: 3600 });
    }
    seen.push(incoming.headers.authorization);
    outgoing.writeHead(401, {
      "www-authenticate": `Bearer resource_metadata="${address}/.well-known/oauth-protected-resource/mcp"`,
    });
    outgoing.end();
  });
  const oauth = { clientId: "me", clientSecret: "hush", issuer: base };
  const refused = await openWith({ url: `${base}/mcp`, type: "http", oauth });
  expect(seen).toContain("Bearer granted");
  // It is refused all the same, and tries again until it is closed.
  await refused.runtime.close();
  expect(new Set(grants)).toEqual(new Set([`Basic ${Buffer.from("me:hush").toString("base64")}`]));
  grants.length = 0;

  const elsewhere = { ...oauth, issuer: "https://auth.example.com" };
  const { runtime } = await openWith({ url: `${base}/mcp`, type: "http", oauth: elsewhere });
  expect(runtime.mcp.servers()).toMatchObject([{ status: "unavailable" }]);
  expect(grants).toEqual([]);
});

test("a redirect to another host is not followed with our headers", async () => {
  const stolen: unknown[] = [];
  const thief = await listen((incoming, outgoing) => {
    stolen.push(incoming.headers.authorization);
    outgoing.writeHead(404).end();
  });
  const url = await listen((_incoming, outgoing) => void outgoing.writeHead(307, { location: thief }).end());
  const { runtime } = await openWith({ url, type: "http", headers: bearer("hush") });
  expect(runtime.mcp.servers()).toMatchObject([{ status: "unavailable" }]);
  expect(stolen).toEqual([]);
});

test("addresses that a server names are looked up as the user's options say", async () => {
  const challenge = 'Bearer resource_metadata="http://elsewhere.test/metadata"';
  const url = await listen(
    (_incoming, outgoing) => void outgoing.writeHead(401, { "www-authenticate": challenge }).end(),
  );
  const lookedUp: string[] = [];
  const lookup = (host: string) => {
    lookedUp.push(host);
    return ["10.1.2.3"];
  };
  const { runtime } = await openWithServers({
    mcpServers: {
      remote: { url, type: "http", oauth: { clientId: "me", clientSecret: "hush", issuer: url } },
    },
    web: { lookup, proxy: false },
  });
  expect(runtime.mcp.servers()).toMatchObject([{ status: "unavailable" }]);
  expect(lookedUp).toContain("elsewhere.test");
});
