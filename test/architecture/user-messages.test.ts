import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectFolder } from "./project-files.ts";

/**
 * How many lines of a file make a message in the user's place, or hand a text to an agent as one, and whose words those are.
 * Whoever adds one counts it here, and adds the way to `test/capabilities/agents/foreign-text.test.ts` if there may be anything in it that
 * the user has not written.
 */
const places: Readonly<Record<string, { readonly lines: number; readonly whose: string }>> = {
  "faces/acp/editor-sessions.ts": { lines: 1, whose: "the user's; what the editor attaches is quoted" },
  "capabilities/agents/agent.ts": { lines: 2, whose: "given by code as the user's" },
  "capabilities/agents/open-agent.ts": { lines: 2, whose: "given by code as the user's" },
  "capabilities/agents/context/compact-context.ts": {
    lines: 1,
    whose: "ours, to ask for a summary; it is not kept",
  },
  "capabilities/agents/run-agent.ts": {
    lines: 4,
    whose: "the user's; reminders, which say that they are ours",
  },
  "capabilities/agents/sub-agents/open-child-agent.ts": {
    lines: 1,
    whose: "of the agent that spawns a sub-agent",
  },
  "capabilities/agents/transcript/conversation.ts": {
    lines: 2,
    whose: "what the user says while the agent works",
  },
  "capabilities/agents/transcript/rebuild-transcript.ts": { lines: 3, whose: "from the log" },
  "capabilities/agents/transcript/transcript.ts": { lines: 1, whose: "for all that is added to it" },
  "faces/cli/commands/work-with-agent.ts": { lines: 2, whose: "the user's" },
  "faces/cli/talk/slash/slash-commands.ts": { lines: 2, whose: "the user's, to a sub-agent" },
  "faces/cli/talk/talk-agent.ts": { lines: 4, whose: "what talk-work.ts passes on" },
  "faces/cli/talk/talk-work.ts": {
    lines: 2,
    whose: "the user's; text from a command of a project is quoted",
  },
  "formats/vendors/anthropic-format.ts": {
    lines: 1,
    whose: "results of tools, in blocks that say so",
  },
  "formats/vendors/gemini-format.ts": {
    lines: 1,
    whose: "results of tools, in parts that say so",
  },
  "formats/vendors/openai-chat-format.ts": {
    lines: 1,
    whose: "images of tools, after a line of ours",
  },
  "faces/mcp-server/gateway/pass-on.ts": { lines: 1, whose: "a prompt that the client asked for" },
  "systems/eko/eko-tasks.ts": { lines: 1, whose: "given by code as the user's" },
  "systems/flyto/flyto-engine.ts": { lines: 1, whose: "given by code as the user's" },
  "systems/kode/kode-agent.ts": { lines: 2, whose: "given by code as the user's" },
  "systems/kode/kode-messages.ts": { lines: 1, whose: "what code has made of a conversation" },
  "systems/pulse/engine.ts": { lines: 2, whose: "given by code as the user's" },
};

const making = [
  /\brole: "user"(?: as const)?[,]/,
  /\.add(?:User|Reminder)\(/,
  /\{ type: "user-message"/,
  /(?:[aA]gent(?:Now\(\))?|conversation\(\)\)|remoteSession\(.*\)\)|talk|this|working)\.(?:run|send|followUp)\((?!\))/,
];

test("every message in the user's place is counted, with whose words it is", async () => {
  const found: Record<string, number> = {};
  const folder = join(projectFolder, "src");
  for (const path of await readdir(folder, { recursive: true })) {
    if (!path.endsWith(".ts")) continue;
    const text = await readFile(join(folder, path), "utf8");
    const lines = text.split("\n").filter((line) => making.some((shape) => shape.test(line)));
    if (lines.length > 0) found[path] = lines.length;
  }
  const counted = Object.entries(places).map(([path, { lines }]) => [path, lines]);
  expect(found).toEqual(Object.fromEntries(counted));
});
