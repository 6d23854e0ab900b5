import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { slashCommands } from "../../../../../src/faces/cli/talk/slash/slash-commands.ts";
import { readText } from "../../../../architecture/project-files.ts";
import { calling } from "../../../../capabilities/agents/open-agent.ts";
import { until } from "../../../../support/until.ts";
import { openTestTalk } from "../open-test-talk.ts";

const write = calling("file_write", { path: "a.txt", content: "1" });

/** What each command does, by its name. */
const trials: Record<string, () => Promise<void>> = {
  async help() {
    const { say } = await openTestTalk([]);
    const help = await say("/help");
    for (const { name } of slashCommands) expect(help).toContain(`/${name}`);
    expect(help).toContain("`Ctrl-O` shows the latest call in full");
    expect(help).toContain("`\\` and Enter");
  },
  async model() {
    const { say, status } = await openTestTalk([]);
    const none = await openTestTalk([], { agent: {} });
    expect(await none.say("hello")).toContain("no model yet: choose one with /model");
    expect(none.filled()).toBe("hello");
    expect(await say("/model ollama/other")).toBe("model: ollama/other");
    expect(status()!.model).toBe("ollama/other");
    expect(await say("/model olama/other")).toContain('unknown model "olama/other"');
    expect(status()!.model).toBe("ollama/other");
  },
  async mode() {
    const { say, answers, choices, status, talk } = await openTestTalk([]);
    expect(await say("/mode loud")).toBe("a mode is one of readonly, ask, edit, auto");
    await say("/mode edit");
    expect(status()!.mode).toBe("edit");
    answers.push("readonly");
    await say("/mode");
    expect(choices.at(-1)!.title).toBe("The mode is edit");
    expect(talk.mode).toBe("readonly");
    answers.push(undefined);
    await say("/mode");
    expect(talk.mode).toBe("readonly");
  },
  async plan() {
    const { say, answers, choices, workspace, status, shown } = await openTestTalk([
      { calls: [write.calls![0]!, { name: "todo_write", input: { todos: [{ title: "Write" }] } }] },
      { text: "planned" },
      write,
      { text: "carried out" },
    ]);
    expect(await say("/plan")).toContain("plan mode: nothing is changed until you approve");
    expect(status()!.isPlanning).toBe(true);
    expect(await say("/plan")).toContain("plan mode ended");
    answers.push("Yes");
    expect(await say("/plan write it")).toMatch(/planned[\s\S]*carried out/);
    expect(shown).toContain("1. Write");
    expect(choices[0]!.title).toBe("Carry out this plan of 1 step?");
    expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("1");
    expect(status()!.isPlanning).toBe(false);
  },
  async tools() {
    const { say } = await openTestTalk([]);
    expect(await say("/tools")).toMatch(/^\d+ tools: .*\bRead\b/);
  },
  async tasks() {
    const { say } = await openTestTalk([
      calling("todo_write", { todos: [{ title: "One", status: "completed" }, { title: "Two" }] }),
      { text: "done" },
    ]);
    expect(await say("/tasks")).toBe("no tasks");
    await say("plan");
    expect(await say("/tasks")).toBe("✓ One\n· Two");
  },
  async compact() {
    const { say, requests } = await openTestTalk([{ text: "hello" }, { text: "They greeted." }]);
    await say("hi");
    expect(await say("/compact names")).toContain("They greeted.");
    expect(JSON.stringify(requests.at(-1)!.prompt)).toContain("names");
  },
  async undo() {
    const { say, answers, workspace } = await openTestTalk([write, { text: "written" }]);
    expect(await say("/undo")).toBe("there is nothing to undo");
    await say("write");
    answers.push("No");
    await say("/undo");
    expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("1");
    answers.push("Yes");
    expect(await say("/undo")).toContain("undone: file_write a.txt");
    await expect(readFile(join(workspace, "a.txt"))).rejects.toThrow("ENOENT");
  },
  async rewind() {
    const { say, answers, filled } = await openTestTalk([{ text: "hello" }]);
    await say("first");
    answers.push("first", "Only the conversation");
    expect(await say("/rewind")).toContain("back before: first");
    expect(filled()).toBe("first");
  },
  async fork() {
    const { say, answers, choices, talk } = await openTestTalk([{ text: "hello" }]);
    await say("first");
    const { id } = talk.session;
    answers.push("All of it");
    expect(await say("/fork")).toContain("a new session");
    expect(talk.session.id).not.toBe(id);
    await say("/sessions");
    expect(choices.at(-1)!.labels).toEqual(["first", "first"]);
  },
  async sessions() {
    const { say, answers, choices, talk, seen } = await openTestTalk([{ text: "hello" }]);
    expect(await say("/sessions")).toBe("no sessions yet");
    await say("first");
    const { id } = talk.session;
    await say("/new");
    expect(talk.session.id).not.toBe(id);
    answers.push("first");
    await say("/sessions");
    // Neither the new one nor the one of the test itself: nothing was said there.
    expect(choices.at(-1)!.labels).toEqual(["first"]);
    expect(talk.session.id).toBe(id);
    await seen("❯ first");
  },
  async new() {
    const { say, talk } = await openTestTalk([]);
    const { id } = talk.session;
    await say("/new");
    expect(talk.session.id).not.toBe(id);
    expect(talk.session.isOpen).toBe(true);
  },
  async agent() {
    const { say, talk } = await openTestTalk((request) => {
      const said = JSON.stringify(request.prompt);
      if (said.includes("count the files") && !said.includes("spawn it")) return { text: "counted" };
      return said.includes("counted")
        ? { text: "told" }
        : calling("Agent", { description: "Count", prompt: "count the files" });
    });
    expect(await say("/agent a b")).toBe("there is no sub-agent");
    await say("spawn it");
    const [agent] = talk.session.agents.list();
    const { id } = agent!;
    expect(await say("/agent nobody hello")).toContain(`use /agent <id> <message>; there are ${id} (Count`);
    expect(await say(`/agent ${id} once more`)).toBe(
      `${id} goes on; the agent learns of the result at its next step`,
    );
  },
  async export() {
    const { say, workspace } = await openTestTalk([{ text: "hello" }]);
    await say("first");
    expect(await say("/export talk")).toBe("name a file that ends with .md or .html");
    expect(await say("/export talk.md")).toBe(`written: ${join(workspace, "talk.md")}`);
    expect(await readFile(join(workspace, "talk.md"), "utf8")).toContain("> first");
    // What is there is not overwritten.
    expect(await say("/export talk.md")).toBe("talk.md exists already; name a new file");
    expect(await say("/export talk.html")).toContain("written: ");
  },
  async cost() {
    const { say } = await openTestTalk(
      [{ text: "hello", usage: { inputTokens: 2_000_000, outputTokens: 1_000_000 } }],
      { price: "1/2/0.5" },
    );
    await say("hi");
    expect(await say("/cost")).toBe("2,000,000 tokens in (0 of them cached), 1,000,000 out\n$4.0000");
    const unknown = await openTestTalk([]);
    expect(await unknown.say("/cost")).toContain("set TOOLWRIGHT_PRICE");
  },
  async approve() {
    const asked: unknown[] = [];
    const { say, runtime, shown, status } = await openTestTalk([], {
      runtime: { permissions: { mode: "ask" }, approvals: "queue" },
      view: {
        async decide(request, asking) {
          asked.push([request.tool, asking]);
          if (asked.length === 1) throw new DOMException("left", "AbortError");
          return { decision: "deny", note: "not now" };
        },
      },
    });
    expect(await say("/approve")).toBe("nothing waits for a decision");
    const other = await runtime.openSession();
    const call = other.call("file_write", { path: "b.txt", content: "2" });
    await until(() => status()!.waiting === 1);
    const name = `Session ${other.id}`;
    expect(shown).toContain(`${name} waits for a decision on file_write; /approve decides`);
    expect(await say("/approve")).toBe("1 left undecided");
    await say("/approve");
    expect(asked).toEqual([
      ["file_write", { name }],
      ["file_write", { name }],
    ]);
    expect(await call).toMatchObject({ status: "denied", text: expect.stringContaining("not now") });
    await until(() => status()!.waiting === 0);
  },
  async permissions() {
    const { say } = await openTestTalk([]);
    expect(await say("/permissions")).toContain("mode: auto; /mode changes it");
    await say("/plan");
    expect(await say("/permissions")).toContain("mode: plan (readonly)");
  },
  async queue() {
    const { say, shown } = await openTestTalk([{ text: "hello" }]);
    await say("/queue first");
    await until(() => shown.includes("hello"));
    expect(shown).toContain("❯ first");
  },
  async quit() {
    const { say, talk } = await openTestTalk([]);
    await say("/quit");
    await talk.left;
  },
};

test("every command is tried here, and no other", () => {
  expect(Object.keys(trials).sort()).toEqual(slashCommands.map(({ name }) => name).sort());
});

test("the page on interactive sessions lists every command", async () => {
  const page = await readText("docs/interactive.md");
  for (const { name } of slashCommands) expect(page).toMatch(new RegExp(`\`/${name}[ \`]`));
});

test.each(Object.keys(trials))("/%s does what it says", (name) => trials[name]!());

test("an unknown slash command is refused, and a path that begins with a slash is a message", async () => {
  const { say } = await openTestTalk([{ text: "read" }]);
  expect(await say("/nothing")).toBe("there is no command /nothing; /help lists them");
  expect(await say("/etc/hosts")).toContain("read");
});
