import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { expect, test, vi } from "vitest";
import { familyModel } from "../../capabilities/agents/sub-agents/family-model.ts";
import { connectClient, serveForTest } from "./serve-for-test.ts";

/** A server whose agents write a file, and a client that answers what it is asked. */
async function serveWriter(protocol: string, answer: ElicitResult) {
  const { model, requests } = familyModel({
    CHILD: [
      () => ({ calls: [{ name: "Write", input: { file_path: file, content: "hello\n" } }] }),
      { text: "I am done." },
    ],
  });
  const server = await serveForTest({ options: { agents: { model } } });
  const file = join(server.workspace, "a.txt");
  const client = await connectClient(server, { protocol, capabilities: { elicitation: {} } });
  const asked: string[] = [];
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    asked.push(params.message);
    return answer;
  });
  return { server, client, asked, file, requests };
}

const allow: ElicitResult = { action: "accept", content: { decision: "allow" } };

test.each(["2026-07-28", "2025-11-25"])(
  "an agent that a client spawns asks the client's person, by %s",
  async (protocol) => {
    const { client, asked, file } = await serveWriter(protocol, allow);
    const result = await client.callTool({ name: "agent_run", arguments: { prompt: "CHILD, write" } });
    expect(result.isError).toBeUndefined();
    expect(JSON.stringify(result.content)).toContain("I am done.");
    expect(asked).toEqual([expect.stringMatching(/agent_\w{6}.* wants to run file_write:/)]);
    expect(await readFile(file, "utf8")).toBe("hello\n");
  },
);

test.each(["2026-07-28", "2025-11-25"])(
  "an agent in the background cannot ask the client's person once its call has ended, and ends, by %s",
  async (protocol) => {
    const { client, asked, requests, server } = await serveWriter(protocol, allow);
    const sent = await client.callTool({
      name: "agent_run",
      arguments: { prompt: "CHILD, write", mode: "background", description: "write it" },
    });
    expect(JSON.stringify(sent.content)).toContain("see whether it has ended and what it reported");
    const listed = await vi.waitUntil(
      async () => {
        const { content } = await client.callTool({ name: "task_list", arguments: {} });
        return /done/.test(JSON.stringify(content)) && JSON.stringify(content);
      },
      { timeout: 45_000, interval: 100 },
    );
    expect(listed).toContain("I am done.");
    expect(asked).toEqual([]);
    expect(JSON.stringify(requests.CHILD![1]!.prompt)).toContain("the call that started this has ended");
    await expect(readFile(join(server.workspace, "a.txt"))).rejects.toThrow("ENOENT");
  },
);
