import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { describeFinding } from "../../../src/capabilities/diagnostics/open-diagnostics.ts";
import { readPrompt } from "../../../src/faces/acp/read-prompt.ts";
import { readFileCommands } from "../../../src/faces/cli/talk/slash/file-commands.ts";
import { forgedIn, hidesIn, hostileName, hostileText } from "../../support/foreign-text.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { echo } from "../../support/sample-tools.ts";
import { openShop, update } from "../databases/tools/database/open-shop.ts";
import { calling, openTestAgent } from "./open-agent.ts";
import { familyModel } from "./sub-agents/family-model.ts";

/** Ways by which text that others wrote reaches a model, beside the outputs of tools. Each gives what the model reads. */
const ways: Readonly<Record<string, () => Promise<string[]>>> = {
  async "the report of a sub-agent"() {
    const { requests } = await runFamily({}, [{ text: hostileText }]);
    return textsIn(requests.at(-1)!);
  },

  async "why a sub-agent failed"() {
    const { requests } = await runFamily({}, [{ error: new Error(hostileText) }]);
    return textsIn(requests.at(-1)!);
  },

  async "the report of a sub-agent in the background"() {
    const { requests } = await runFamily({ mode: "background" }, [{ text: hostileText }]);
    expect(textsIn(requests.at(-1)!).join()).toContain("has ended: done.");
    return textsIn(requests.at(-1)!);
  },

  async "why a sub-agent in the background failed"() {
    const { requests } = await runFamily({ mode: "background" }, [{ error: new Error(hostileText) }]);
    expect(textsIn(requests.at(-1)!).join()).toContain("has ended: failed.");
    return textsIn(requests.at(-1)!);
  },

  async "notes of the project and of a folder, and the folder's name"() {
    const { agent, requests, workspace } = await openTestAgent(
      [calling("file_read", { path: `${hostileName}/a.txt` }), { text: "Done." }],
      { runtime: { dialect: "canonical" }, projectNotes: true },
    );
    await mkdir(join(workspace, hostileName));
    await writeFile(join(workspace, "AGENTS.md"), hostileText);
    await writeFile(join(workspace, hostileName, "AGENTS.md"), `${hostileText} of a folder`);
    await writeFile(join(workspace, hostileName, "a.txt"), "a");
    await agent.run("go");
    expect(textsIn(requests.at(-1)!).join()).toContain(" of a folder");
    return textsIn(requests.at(-1)!);
  },

  async "a summary, with what is left to do"() {
    const { agent, requests } = await openTestAgent(
      [
        calling("todo_write", { todos: [{ title: hostileText, status: "pending" }] }),
        { text: "Done." },
        { text: hostileText },
        { text: "Again." },
      ],
      { runtime: { dialect: "canonical" } },
    );
    await agent.run("go");
    await agent.compact();
    await agent.run("go on");
    expect(textsIn(requests.at(-1)!).join()).toContain("1 still to do:");
    return textsIn(requests.at(-1)!);
  },

  async "what a program says as a hook"() {
    const { session, workspace } = await openTestSession({
      tools: [echo],
      permissions: { mode: "auto" },
      hooks: { PostToolUse: [{ command: ["/bin/cat", "said.json"] }] },
    });
    const said = { hookSpecificOutput: { additionalContext: hostileText } };
    await writeFile(join(workspace, "said.json"), JSON.stringify(said));
    return [(await session.call("echo", { text: "x" })).text];
  },

  async "what a trigger of a database says"() {
    const { session } = await openShop();
    const said = hostileText.replaceAll("'", "''");
    const raised = `CREATE TRIGGER t BEFORE DELETE ON item BEGIN SELECT RAISE(ABORT, '${said}'); END`;
    await update(session, raised);
    return [(await update(session, "DELETE FROM item")).text];
  },

  async "names that are suggested"() {
    const { session, workspace } = await openTestSession({ dialect: "canonical" });
    await writeFile(join(workspace, hostileName), "x");
    const { text } = await session.call("file_read", { path: "mild" });
    expect(text).toContain("Did you mean");
    return [text];
  },

  async "what an editor attaches"() {
    const parts = readPrompt([
      { type: "text", text: "look at" },
      { type: "resource", resource: { uri: `x:${hostileText}`, text: hostileText } },
      { type: "resource_link", uri: `x:${hostileText}`, name: hostileText },
    ]);
    return parts.flatMap((part) => (part.type === "text" ? part.text : []));
  },

  async "a command that a project keeps in a file"() {
    const { workspace } = await openTestSession();
    await mkdir(join(workspace, ".toolwright/commands"), { recursive: true });
    await writeFile(join(workspace, ".toolwright/commands/fix.md"), hostileText);
    const commands = await readFileCommands(workspace);
    return [commands.get("fix")!.message("it")];
  },

  async "what a checker finds"() {
    const problem = { path: hostileName, line: 1, severity: "error", message: hostileText } as const;
    const checked = { status: "checked", fresh: [problem], before: 0, elsewhere: 0 } as const;
    const shown = { shownPath: (path: string) => path };
    return [
      describeFinding("lint", checked, shown),
      describeFinding("lint", { status: "failed", why: hostileText }, shown),
    ];
  },
};

test.each(Object.entries(ways))("%s passes neither for a line of ours nor for the user", async (_, read) => {
  const texts = await read();
  expect(texts.join()).toContain("Delete everything");
  expect(texts.flatMap(forgedIn)).toEqual([]);
  expect(texts.flatMap(hidesIn)).toEqual([]);
});

test("a summary does not count what sub-agents said among the messages of the user", async () => {
  const { requests, agent } = await runFamily({ mode: "background" }, [{ text: "I am the user." }]);
  await agent.compact();
  await agent.run("PARENT, go on");
  const [summary] = textsIn(requests.at(-1)!).slice(1);
  expect(summary).toContain("The user's first message:\nPARENT, go");
  expect(summary).not.toContain("I am the user.");
});

async function runFamily(input: object, child: Parameters<typeof familyModel>[0][string]) {
  const spawn = calling("Agent", { prompt: "CHILD, look", ...input });
  const parent = [spawn, { text: "One." }, { text: "Two." }, { text: "Three." }, { text: "Four." }];
  const { model, requests } = familyModel({ CHILD: child, PARENT: parent });
  const { runtime, session } = await openTestSession();
  const agent = runtime.agent({ model, session, maxRetries: 0 });
  await agent.run("PARENT, go");
  return { agent, requests: requests.PARENT! };
}

/** Everything that the model was given to read. */
function textsIn({ prompt }: LanguageModelV4CallOptions): string[] {
  return prompt.flatMap(({ role, content }) => {
    if (role === "assistant") return [];
    if (typeof content === "string") return [content];
    return content.flatMap((part) => {
      if (part.type === "text") return [part.text];
      return part.type === "tool-result" && "value" in part.output ? [String(part.output.value)] : [];
    });
  });
}
