import { readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedStep } from "../../../src/capabilities/agents/index.ts";
import { createFlytoEvents } from "../../../src/capabilities/interop/index.ts";
import { defineTool, type LoggedEvent, type RuntimeOptions, type Session } from "../../../src/index.ts";
import { calling } from "../../capabilities/agents/open-agent.ts";
import { familyModel } from "../../capabilities/agents/sub-agents/family-model.ts";
import { patientStep } from "../../capabilities/agents/sub-agents/patient-step.ts";
import { git, makeRepository, stateOf } from "../../capabilities/agents/worktrees/make-repository.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { until } from "../../support/until.ts";
import { changing, flagsOf, shareFlyto, shown } from "./share-flyto.ts";

const flyto = shareFlyto();

type Scripts = Parameters<typeof familyModel>[0];

/** A session in Flyto's names whose agents follow these scripts. */
async function openFamily(scripts: Scripts, options: RuntimeOptions = {}) {
  const { model, requests } = familyModel(scripts);
  const opened = await openTestSession({
    dialect: "flyto",
    permissions: { mode: "auto" },
    sandbox: "off",
    ...options,
    agents: { model, ...options.agents },
  });
  return { ...opened, model, requests };
}

const spawn = (input: object = {}): ScriptedStep => calling("Agent", { prompt: "CHILD, go", ...input });

test("F52: Agent takes a prompt, a description, a model that is its parent's unless given, a mode that is sync, and a branch_name", async () => {
  expect(flagsOf(flyto.session, "Agent")).toEqual(changing);
  const { required, properties } = shown(flyto.session, "Agent").inputSchema;
  expect(required).toEqual(["prompt"]);
  expect(properties).toMatchObject({
    description: { type: "string" },
    model: { type: "string", default: "" },
    mode: { enum: ["sync", "background", "worktree"], default: "sync" },
    branch_name: { type: "string", default: "" },
  });
  const { session } = await openFamily({ CHILD: [{ text: "Here." }, { text: "Here again." }] });
  for (const input of [{}, { model: "", description: "say so", branch_name: "" }])
    expect((await session.call("Agent", { prompt: "CHILD, go", ...input })).status).toBe("done");
  expect(session.agents.list()).toMatchObject([{ mode: "sync" }, { title: "say so", mode: "sync" }]);
});

test("F53: sync waits for the agent, background gives its id at once, worktree runs it in a git worktree of its own", async () => {
  const { top } = await makeRepository({ "a.txt": "one\n" });
  const child = patientStep("Looked in the background.");
  const { session, requests } = await openFamily(
    {
      WAIT: [{ text: "Waited for." }],
      LATER: [child.step],
      APART: [calling("Bash", { command: "git rev-parse --show-toplevel" }), { text: "Apart." }],
    },
    { workspace: top },
  );
  const call = (prompt: string, more: object = {}) => session.call("Agent", { prompt, ...more });
  expect((await call("WAIT")).data).toMatchObject({ text: "Waited for.", reason: "done" });
  const started = await call("LATER", { mode: "background" });
  const { id } = started.data as { id: string };
  expect(started.text).toContain(id);
  expect(session.agents.list().find((agent) => agent.id === id)?.status).toBe("in_progress");
  child.end();
  await until(() => session.agents.list().find((agent) => agent.id === id)?.status === "done");
  expect((await call("APART", { mode: "worktree" })).data).toMatchObject({
    text: "Apart.",
    branch: expect.stringMatching(/./),
  });
  const [toplevel] = answersTo(requests.APART![1]!);
  expect(toplevel).toMatch(/^\//);
  expect(toplevel).not.toBe(top);
});

test("F54: in a worktree, every tool works there and reaches nothing outside, not even by a link; the parent's files stay as they are", async () => {
  const { top } = await makeRepository({ "a.txt": "one\n" });
  await symlink(top, join(top, "back"));
  await git(top, "add", "back");
  await git(top, "commit", "--quiet", "--message=link");
  const before = await stateOf(top, ["work/f54"]);
  const place = (request: { prompt: readonly unknown[] }) =>
    /You work in (.+?), your own git worktree/.exec(JSON.stringify(request.prompt))![1]!;
  const { runtime, session, model, requests } = await openFamily(
    {
      CHILD: [
        calling("Bash", { command: "pwd" }),
        (request) => ({
          calls: [
            ["Edit", { file_path: join(place(request), "a.txt"), old_string: "one", new_string: "two" }],
            ["Write", { file_path: join(place(request), "made.txt"), content: "made\n" }],
            ["Gitignore", { action: "add", dir: place(request), patterns: ["*.log"] }],
            ["Edit", { file_path: join(place(request), "back/a.txt"), old_string: "one", new_string: "bad" }],
            ["Edit", { file_path: join(top, "a.txt"), old_string: "one", new_string: "bad" }],
          ].map(([name, input]) => ({ name: name as string, input })),
        }),
        { text: "Done." },
      ],
      PARENT: [spawn({ mode: "worktree", branch_name: "work/f54" }), { text: "Good." }],
    },
    { workspace: top },
  );
  await runtime.agent({ model, session }).run("PARENT, go");
  const folder = place(requests.CHILD![0]!);
  const [shell, ...others] = answersTo(requests.CHILD!.at(-1)!);
  expect(shell).toBe(folder);
  expect(folder.startsWith(top)).toBe(false);
  expect(others.slice(0, 3).some((text) => text.includes("needs approval"))).toBe(false);
  for (const refused of others.slice(3)) expect(refused).toMatch(/needs approval|outside/);
  expect(await git(top, "show", "work/f54:a.txt")).toBe("two\n");
  expect(await git(top, "show", "work/f54:made.txt")).toBe("made\n");
  expect(await git(top, "show", "work/f54:.gitignore")).toBe("*.log\n");
  expect(await stateOf(top, ["work/f54"])).toBe(before);
  expect(await readFile(join(top, "a.txt"), "utf8")).toBe("one\n");
  expect((await readdir(top)).toSorted()).toEqual([".git", "a.txt", "back"]);
});

test("F55: an agent's start, everything that happens in it and its end come in its parent's stream of events, by its id", async () => {
  const { runtime, session, model } = await openFamily({
    CHILD: [calling("TaskList"), { text: "Listed." }],
    PARENT: [spawn({ description: "list" }), { text: "Good." }],
  });
  await runtime.agent({ model, session }).run("PARENT, go");
  const translate = createFlytoEvents();
  const events = (await eventsUntilEnd(session)).flatMap(translate);
  const ofChild = events.filter(({ event }) => event.startsWith("subagent_"));
  const id = session.agents.list()[0]?.id;
  expect(new Set(ofChild.map(({ data }) => data.subagent_id))).toEqual(new Set([id]));
  expect(ofChild[0]).toMatchObject({ event: "subagent_start", data: { description: "list", mode: "sync" } });
  expect(ofChild.at(-1)).toMatchObject({ event: "subagent_end", data: { text: "Listed.", tool_calls: 1 } });
  const between = ofChild.slice(1, -1);
  expect(new Set(between.map(({ event }) => event))).toEqual(new Set(["subagent_event"]));
  const inner = between.map(({ data }) => data.event);
  for (const each of ["turn_start", "tool_use", "tool_result", "text", "turn_end", "done"])
    expect(inner).toContain(each);
});

test("F56: an agent's requests begin as its parent's do, with the same tools, and a tool that it may not use is refused when it is called", async () => {
  const { runtime, session, model, requests } = await openFamily({
    CHILD: [spawn(), { text: "I may not." }],
    PARENT: [spawn(), { text: "Well." }],
  });
  await runtime.agent({ model, session }).run("PARENT, go");
  const [own] = requests.PARENT!;
  const [childs, after] = requests.CHILD!;
  expect(JSON.stringify(childs!.tools)).toBe(JSON.stringify(own!.tools));
  expect(childs!.tools?.map(({ name }) => name)).toContain("Agent");
  expect(JSON.stringify(childs!.prompt[0])).toBe(JSON.stringify(own!.prompt[0]));
  expect(answersTo(after!)[0]).toContain("Agent is not allowed here");
});

test("F57: a tool of one's own can spawn agents; each is listed with its calls, its tokens and what it does, while it works", async () => {
  const child = patientStep("Counted.");
  const usage = { inputTokens: 30, outputTokens: 12 };
  const delegate = defineTool({
    name: "delegate",
    description: "Has somebody else do it.",
    params: {},
    run: async (_input, { agents }) => (await agents.run({ prompt: "CHILD, count", title: "count" })).text,
  });
  const { session } = await openFamily(
    {
      CHILD: [{ ...calling("TaskList"), usage }, { ...calling("Glob", { pattern: "*" }), usage }, child.step],
    },
    { tools: [delegate] },
  );
  const running = session.call("delegate");
  await child.isAsked;
  await until(() => session.agents.list()[0]?.progress.calls === 2);
  expect(session.agents.list()).toMatchObject([
    { title: "count", status: "in_progress", progress: { calls: 2, tokens: 84, activity: "search_glob" } },
  ]);
  child.end();
  expect((await running).text).toBe("Counted.");
  expect(session.agents.list()).toMatchObject([{ status: "done" }]);
});

function answersTo({ prompt }: { prompt: readonly { role: string; content: unknown }[] }): string[] {
  return prompt
    .filter(({ role }) => role === "tool")
    .flatMap(({ content }) => content as { output: { value: string } }[])
    .map(({ output }) => output.value);
}

async function eventsUntilEnd(session: Session): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for await (const event of session.events()) {
    events.push(event);
    if (event.type === "agent-end") break;
  }
  return events;
}
