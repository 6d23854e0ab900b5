import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionAgentOptions } from "../../../src/capabilities/agents/index.ts";
import type { RuntimeOptions } from "../../../src/index.ts";
import { modelNames, serveModel } from "../../support/model-server/serve-model.ts";
import type { ServedScript, ServedStep } from "../../support/model-server/start-model-server.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const wrong = "export function add(one, other) {\n  return one - other;\n}\n";
const right = wrong.replace("one - other", "one + other");
const check = `import { add } from "./add.mjs";\nif (add(2, 3) !== 5) throw new Error("2 and 3 make " + add(2, 3));\n`;

async function openProject(
  name: string,
  script: (workspace: string) => ServedScript,
  { runtime: runtimeOptions, ...options }: Partial<SessionAgentOptions> & { runtime?: RuntimeOptions } = {},
) {
  const opened = await openTestSession({ permissions: { mode: "auto" }, ...runtimeOptions });
  const { workspace } = opened;
  await writeFile(join(workspace, "add.mjs"), wrong);
  await writeFile(join(workspace, "check.mjs"), check);
  const { model, requests } = await serveModel(name, script(workspace));
  const agent = opened.runtime.agent({ model, session: opened.session, retryDelayMs: 1, ...options });
  return { ...opened, agent, requests };
}

/** What a model does about a failing test, step by step. */
function fixTheTest(workspace: string): ServedStep[] {
  const file = (path: string) => join(workspace, path);
  const node = process.execPath;
  return [
    {
      reasoning: "I should look at both files first.",
      text: "Let me read the code.",
      calls: [
        { name: "Read", input: { file_path: file("add.mjs") } },
        { name: "Read", input: { file_path: file("check.mjs") } },
        { name: "Grep", input: { pattern: "return" } },
      ],
    },
    { text: "And run the check.", calls: [{ name: "Bash", input: { command: `${node} check.mjs` } }] },
    {
      text: "I see. I will mend it, and tidy up.",
      calls: [
        {
          name: "Edit",
          input: { file_path: file("add.mjs"), old_string: "one - other", new_string: "one + other" },
        },
        { name: "Bash", input: { command: "rm -r .git" } },
      ],
    },
    { calls: [{ name: "Bash", input: { command: `${node} check.mjs && echo all is well` } }] },
    { calls: [{ name: "user_ask", input: { question: "Which one?", choices: ["first", "second"] } }] },
    { text: "The sum is right now; you chose the second." },
  ];
}

test.each(modelNames)(
  "%s mends a failing test over many steps, with all that can go wrong on the way",
  async (name) => {
    const { agent, requests, workspace, runtime } = await openProject(name, fixTheTest, {
      runtime: { permissions: { mode: "auto", deny: ["Bash(rm:*)"] } },
      onQuestion: async () => "second",
    });
    const result = await agent.run("The check fails. Mend it.");
    expect(result).toMatchObject({ reason: "done", steps: 6, text: expect.stringContaining("right now") });
    expect(await readFile(join(workspace, "add.mjs"), "utf8")).toBe(right);
    expect(requests.flatMap(({ problems }) => problems)).toEqual([]);
    expect(requests[2]!.text).toContain("2 and 3 make -1");
    expect(requests[2]!.text).toContain("Exit code 1");
    expect(requests[3]!.text).toContain("denied");
    expect(requests[4]!.text).toContain("all is well");
    expect(requests[5]!.text).toContain("second");
    const receipts = (await runtime.receipts()).map(({ tool, status }) => `${tool} ${status}`);
    const read = ["file_read done", "file_read done", "search_grep done"];
    const done = ["shell_run done", "file_edit done", "shell_run denied", "shell_run done", "user_ask done"];
    expect(receipts.slice(-3).toSorted()).toEqual(read);
    expect(receipts.slice(0, -3).reverse()).toEqual(done);
    const [edited] = (await runtime.receipts()).filter(({ tool }) => tool === "file_edit");
    const session = await agent.session();
    expect(await session.undo(edited!.callId)).toMatchObject({ status: "done" });
    expect(await readFile(join(workspace, "add.mjs"), "utf8")).toBe(wrong);
  },
  60_000,
);

test.each(modelNames)(
  "%s is interrupted while a command runs, which ends with it, and goes on",
  async (name) => {
    const { agent, requests, session, runtime } = await openProject(name, () => [
      {
        calls: [
          { name: "Bash", input: { command: "echo begun; sleep 100" } },
          { name: "Bash", input: { command: "echo never" } },
        ],
      },
      { text: "all right" },
    ]);
    const running = agent.run("go");
    for await (const { type } of session.events()) if (type === "call-progress") break;
    agent.interrupt();
    expect(await running).toMatchObject({ reason: "interrupted" });
    expect((await runtime.receipts()).map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    expect(await agent.run("what was that?")).toMatchObject({ reason: "done", text: "all right" });
    expect(requests[1]!.problems).toEqual([]);
  },
  60_000,
);

test.each(modelNames)("%s is interrupted while it waits for a person, and goes on", async (name) => {
  const asked = Promise.withResolvers<void>();
  const { agent, requests, workspace } = await openProject(
    name,
    (folder) => [
      { calls: [{ name: "Write", input: { file_path: join(folder, "new.txt"), content: "x" } }] },
      { text: "all right" },
    ],
    {
      runtime: { permissions: { mode: "ask" } },
      onApproval: () => {
        asked.resolve();
        return new Promise(() => {});
      },
    },
  );
  const running = agent.run("go");
  await asked.promise;
  agent.interrupt();
  expect(await running).toMatchObject({ reason: "interrupted" });
  expect(await agent.run("well?")).toMatchObject({ reason: "done" });
  expect(requests[1]!.problems).toEqual([]);
  await expect(readFile(join(workspace, "new.txt"))).rejects.toThrow("ENOENT");
});
