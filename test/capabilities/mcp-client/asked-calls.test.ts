import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { ApprovalDecision, ApprovalRequest } from "../../../src/index.ts";
import { formatApproval } from "../../../src/kernel/people/format-approval.ts";
import { listen } from "./http-servers.ts";
import { openWithServers } from "./open-with-servers.ts";
import { define, sampleServer } from "./sample-servers.ts";

const risky = {
  type: "object",
  properties: {
    everything: { type: "boolean", default: true },
    amount: { type: "integer", default: 1_000_000 },
    how: { enum: ["slowly", "at once"], default: "at once" },
  },
};

/** A server at an address, with these tools. */
async function addressOf(names: readonly string[]): Promise<string> {
  return listen(async (incoming, outgoing) => {
    if (incoming.method !== "POST") return void outgoing.writeHead(405).end();
    const { id, method } = JSON.parse(await text(incoming)) as { id?: number; method: string };
    if (id === undefined) return void outgoing.writeHead(202).end();
    const result =
      method === "initialize"
        ? {
            protocolVersion: "2025-06-18",
            capabilities: { tools: {} },
            serverInfo: { name: "a", version: "1" },
          }
        : method === "tools/list"
          ? { tools: names.map((name) => define(name)) }
          : { content: [{ type: "text", text: "done" }] };
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
}

test("a default that a server chose is shown with its value, because it acts", async () => {
  const { options } = await sampleServer([define("delete", { inputSchema: risky })]);
  const asked: string[] = [];
  const { session } = await openWithServers({
    permissions: { mode: "ask" },
    mcpServers: { sample: options },
    onApproval: (request) => {
      asked.push(formatApproval(request));
      return "deny";
    },
  });
  await session.call("mcp__sample__delete", {});
  expect(asked).toHaveLength(1);
  for (const row of ["everything: true", "amount: 1000000", 'how: "at once"'])
    expect(asked[0]).toContain(row);
});

test("a yes for the session to one tool of a server says nothing of its other tools, nor of its host", async () => {
  const asked: ApprovalRequest[] = [];
  const url = await addressOf(["read", "delete"]);
  const { session } = await openWithServers({
    permissions: { mode: "ask" },
    mcpServers: { remote: { url, type: "http" } },
    onApproval: (request): ApprovalDecision => {
      asked.push(request);
      return asked.length === 1 ? { decision: "allow", lasts: "session" } : { decision: "deny" };
    },
  });
  expect((await session.call("mcp__remote__read", {})).status).toBe("done");
  expect(asked[0]?.rules).toEqual(["mcp__remote__read"]);
  expect((await session.call("mcp__remote__read", {})).status).toBe("done");
  expect(asked).toHaveLength(1);
  expect((await session.call("mcp__remote__delete", {})).status).toBe("denied");
  expect((await session.call("Bash", { command: `curl ${url}` })).status).toBe("denied");
});
