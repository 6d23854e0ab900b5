import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { calling, openTestAgent } from "../../capabilities/agents/open-agent.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";
import { until } from "../../support/until.ts";
import { flagsOf } from "./share-flyto.ts";

const toolFile = `export default {
  description: "Says a word twice.",
  inputSchema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
  handler: async ({ word }) => ({ content: [{ type: "text", text: word + " " + word }] }),
};
`;

test("F73: an agent may write a tool into a folder of tools; a person approves that in every mode, and then the tool is there to be searched for and called", async () => {
  const workspace = await temporaryFolder();
  const tools = join(workspace, "tools");
  await mkdir(tools);
  const asked: string[] = [];
  const { agent, session, runtime } = await openTestAgent(
    async (_request, step) => {
      // The folder is watched, and what is new in it is loaded a moment later.
      if (step === 2) await until(() => session.tools().some(({ name }) => name === "word_twice"));
      return [
        calling("Write", { file_path: join(tools, "word/twice.mjs"), content: toolFile }),
        calling("ToolSearch", { query: "twice" }),
        calling("word_twice", { word: "hear" }),
        { text: "Made and used." },
      ][step - 1];
    },
    {
      runtime: {
        dialect: "flyto",
        workspace,
        toolFolders: [tools],
        permissions: { mode: "auto" },
        onApproval: ({ tool }) => {
          asked.push(tool);
          return "allow";
        },
      },
    },
  );
  expect(await agent.run("Make a tool.")).toMatchObject({ reason: "done", steps: 4 });
  const receipts = await runtime.receipts({ sessionId: session.id });
  expect(receipts.map(({ calledAs, tool, status }) => [calledAs ?? tool, status]).toReversed()).toEqual([
    ["Write", "done"],
    ["ToolSearch", "done"],
    ["word_twice", "done"],
  ]);
  expect(asked).toEqual(["file_write"]);
  expect(flagsOf(session, "word_twice")).toMatchObject({ concurrencySafe: false, readOnly: false });
  expect((await session.call("word_twice", { word: "hear" })).text).toBe("hear hear");
});
