import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel } from "../../../../src/capabilities/agents/index.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { echo } from "../../../support/sample-tools.ts";

async function promptsOf(
  files: Readonly<Record<string, string>>,
  options: Parameters<typeof openTestSession>[0] = {},
) {
  const opened = await openTestSession({ tools: [echo], permissions: { mode: "auto" }, ...options });
  const { runtime, session, workspace } = opened;
  for (const [name, text] of Object.entries(files)) await writeFile(join(workspace, name), text);
  const prompts: string[] = [];
  const model = scriptedModel((request, step) => {
    prompts.push(JSON.stringify(request.prompt));
    return step === 1 ? { calls: [{ name: "echo", input: { text: "x" } }] } : { text: "Done." };
  });
  const agent = runtime.agent({ model, session, projectNotes: true });
  const run = async () => {
    await agent.run("go");
    return prompts;
  };
  return { ...opened, run };
}

async function startOf(session: Awaited<ReturnType<typeof openTestSession>>["session"]) {
  for await (const event of session.events()) if (event.type === "agent-start") return event;
  return undefined;
}

test("the project's notes are quoted as the project's, told to the person, and the same in every step", async () => {
  const files = { "AGENTS.md": "Run ``` npm test ```.\n", "CLAUDE.md": "x".repeat(50_000) };
  const { run, session, workspace } = await promptsOf(files);
  const [first, second] = await run();
  expect(first).toContain("not the user: follow what they say");
  expect(first).toContain("AGENTS.md:\\n\\n````markdown\\nRun ``` npm test ```.\\n````");
  expect(first).toContain("CLAUDE.md, its beginning:");
  expect((await startOf(session))?.notes).toEqual([
    { path: "AGENTS.md", characters: 21, isCut: false },
    { path: "CLAUDE.md", characters: 32_768, isCut: true },
  ]);
  // A file that changes meanwhile changes nothing: the prompt only ever grows at its end.
  await writeFile(join(workspace, "AGENTS.md"), "changed");
  expect(second?.startsWith(first?.slice(0, -1) ?? "?")).toBe(true);
  expect((await run()).at(-1)?.startsWith(first?.slice(0, -1) ?? "?")).toBe(true);
});

test("notes that rules keep from being read, that are links, or the same twice, are left out", async () => {
  const denied = await promptsOf(
    { "AGENTS.md": "the secret way", "CLAUDE.md": "the open way" },
    { permissions: { mode: "auto", deny: ["Read(AGENTS.md)"] } },
  );
  const [prompt] = await denied.run();
  expect(prompt).not.toContain("secret way");
  expect(prompt).toContain("open way");

  const linked = await promptsOf({ "CLAUDE.md": "once" });
  await symlink("/etc/passwd", join(linked.workspace, "AGENTS.md"));
  expect((await linked.run())[0]).not.toContain("root:");
  const twice = await promptsOf({ "AGENTS.md": "once", "CLAUDE.md": "once" });
  await twice.run();
  expect((await startOf(twice.session))?.notes).toHaveLength(1);
});

test("notes of a folder are given once, when the first file under it is read or changed, after everything else", async () => {
  const { runtime, session, workspace } = await openTestSession({
    dialect: "canonical",
    permissions: { mode: "auto", deny: ["Read(kept/AGENTS.md)"] },
  });
  const files = {
    "AGENTS.md": "of the root",
    "packages/one/AGENTS.md": "of package one",
    "packages/one/src/CLAUDE.md": "of its sources",
    "packages/one/src/a.ts": "a",
    "packages/two/AGENTS.md": "of package two",
    "kept/AGENTS.md": "denied",
    "kept/a.ts": "a",
    "built/AGENTS.md": "ignored",
    "built/a.ts": "a",
    "node_modules/x/AGENTS.md": "installed",
    "node_modules/x/a.ts": "a",
    "linked/a.ts": "a",
    ".gitignore": "built",
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, name)), { recursive: true });
    await writeFile(join(workspace, name), text);
  }
  await symlink("/etc/passwd", join(workspace, "linked/AGENTS.md"));
  execFileSync("git", ["init", "--quiet"], { cwd: workspace });
  const read = (path: string) => ({ name: "file_read", input: { path } });
  const steps = [
    [read("packages/one/src/a.ts")],
    [read("packages/one/src/a.ts"), read("kept/a.ts"), read("built/a.ts")],
    [read("node_modules/x/a.ts"), read("linked/a.ts"), read("packages/two/missing.ts")],
    [{ name: "file_write", input: { path: "packages/two/b.ts", content: "b" } }],
  ];
  const prompts: string[] = [];
  const model = scriptedModel((request) => {
    prompts.push(JSON.stringify(request.prompt));
    const calls = steps.shift();
    return calls === undefined ? { text: "Done." } : { calls };
  });
  await runtime.agent({ model, session, projectNotes: true }).run("go");
  const given: (string[] | undefined)[] = [];
  for await (const event of session.events()) {
    if (event.type === "reminder-message") given.push(event.notes?.map(({ path }) => path));
    if (event.type === "agent-end") break;
  }
  expect(given).toEqual([
    ["packages/one/AGENTS.md", "packages/one/src/CLAUDE.md"],
    ["packages/two/AGENTS.md"],
  ]);
  expect(prompts[1]).toContain("nothing in them is a message of the user");
  expect(prompts[1]).toMatch(/of package one.*of its sources/);
  for (const [index, prompt] of prompts.entries()) {
    // The prompt only ever grows at its end.
    expect(prompts[index + 1]?.startsWith(prompt.slice(0, -1)) ?? true).toBe(true);
    expect(prompt).not.toMatch(/denied\\n|ignored\\n|installed\\n|root:/);
  }
  // Another agent in the session knows them from the log.
  steps.push([read("packages/one/src/a.ts")]);
  await runtime.agent({ model, session, projectNotes: true }).run("again");
  expect(prompts.at(-1)?.match(/of package one/g)).toHaveLength(1);
});
