import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openTestSession } from "../../../support/open-test-session.ts";
import { calling } from "../open-agent.ts";
import { git, makeFolder, makeRepository, stateOf, write } from "../worktrees/make-repository.ts";
import { familyModel } from "./family-model.ts";
import { patientStep } from "./patient-step.ts";

const spawnAgent = (input: Record<string, unknown> = {}) =>
  calling("Agent", { prompt: "CHILD, change it", mode: "worktree", ...input });

/** Where the child's model was told that it works. */
function placeOf(request: { prompt: readonly unknown[] }): string {
  return /You work in (.+?), your own git worktree/.exec(JSON.stringify(request.prompt))![1]!;
}

test("an agent in a worktree changes only what is there, and its work is on its branch", async () => {
  const { top } = await makeRepository({ "a.txt": "one\n", ".gitignore": "ignored\n" });
  await write(top, { "a.txt": "one, not committed\n", "new.txt": "untracked\n" });
  const before = await stateOf(top, ["work/mine"]);
  const { model, requests } = familyModel({
    CHILD: [
      calling("Bash", { command: "pwd; cat a.txt new.txt; git status --short" }),
      (request) => ({
        calls: [
          { name: "Read", input: { file_path: join(placeOf(request), "a.txt") } },
          {
            name: "Edit",
            input: { file_path: join(placeOf(request), "a.txt"), old_string: "one", new_string: "two" },
          },
          { name: "Write", input: { file_path: join(placeOf(request), "made.txt"), content: "made\n" } },
          { name: "Write", input: { file_path: join(top, "outside.txt"), content: "x" } },
        ],
      }),
      calling("Bash", { command: "echo more >> made.txt" }),
      calling("Bash", { command: `echo bad > '${top}/outside.txt'` }),
      { text: "Changed." },
    ],
    PARENT: [spawnAgent({ branch_name: "work/mine", description: "change it" }), { text: "Good." }],
  });
  const { runtime, session } = await openTestSession({ workspace: top, permissions: { mode: "auto" } });
  await runtime.agent({ model, session }).run("PARENT, go");

  const place = placeOf(requests.CHILD![0]!);
  expect(place.startsWith(top)).toBe(false);
  const answers = JSON.stringify(requests.CHILD!.at(-1)!.prompt);
  expect(answers).toContain(`${place}\\none, not committed\\nuntracked`);
  expect(await stateOf(top, ["work/mine"])).toBe(before);
  expect(await readFile(join(top, "a.txt"), "utf8")).toBe("one, not committed\n");
  expect((await readdir(top)).sort()).toEqual([".git", ".gitignore", "a.txt", "new.txt"]);
  await expect(readdir(place)).rejects.toMatchObject({ code: "ENOENT" });

  expect(await git(top, "show", "work/mine:a.txt")).toBe("two, not committed\n");
  expect(await git(top, "show", "work/mine:made.txt")).toBe("made\nmore\n");
  expect(await git(top, "show", "work/mine:new.txt")).toBe("untracked\n");
  const [child] = session.agents.list();
  expect(child).toMatchObject({
    mode: "worktree",
    branch: "work/mine",
    report: {
      work: {
        branch: "work/mine",
        hasUncommitted: true,
        isKept: true,
        files: [
          { path: "a.txt", change: "changed" },
          { path: "made.txt", change: "added" },
        ],
      },
    },
  });
  expect(JSON.stringify(requests.PARENT![1]!.prompt.at(-1))).toContain(
    "(HEAD and the uncommitted changes):\\n  changed a.txt\\n  added made.txt",
  );
});

test("a workspace that is a folder of the repository has the same folder in the worktree", async () => {
  const { top } = await makeRepository({ "above.txt": "above\n", "part/a.txt": "one\n" });
  const { model, requests } = familyModel({
    CHILD: [calling("Bash", { command: "echo two > a.txt; pwd; git status --short" }), { text: "Changed." }],
    PARENT: [spawnAgent({ branch_name: "mine" }), { text: "Good." }],
  });
  const workspace = join(top, "part");
  const { runtime, session } = await openTestSession({ workspace, permissions: { mode: "auto" } });
  await runtime.agent({ model, session }).run("PARENT, go");
  const place = placeOf(requests.CHILD![0]!);
  expect(place.endsWith("/part")).toBe(true);
  expect(JSON.stringify(requests.CHILD![1]!.prompt.at(-1))).toContain(`${place}\\n M a.txt`);
  expect(await git(top, "show", "mine:part/a.txt")).toBe("two\n");
  expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("one\n");
  await expect(readdir(dirname(dirname(place)))).rejects.toMatchObject({ code: "ENOENT" });
});

test("a sub-agent that changed nothing in its worktree leaves nothing", async () => {
  const { top } = await makeRepository();
  const before = await stateOf(top);
  const { model, requests } = familyModel({
    CHILD: [{ text: "All is well." }],
    PARENT: [spawnAgent(), { text: "Good." }],
  });
  const { runtime, session } = await openTestSession({ workspace: top, permissions: { mode: "auto" } });
  await runtime.agent({ model, session }).run("PARENT, go");
  expect(await stateOf(top)).toBe(before);
  expect(JSON.stringify(requests.PARENT![1]!.prompt.at(-1))).toContain("It changed no files.");
});

test("a sub-agent that is interrupted leaves its work on the branch of its worktree", async () => {
  const { top } = await makeRepository();
  const child = patientStep();
  const { model } = familyModel({
    CHILD: [calling("Bash", { command: "echo half > half.txt" }), child.step],
    PARENT: [spawnAgent({ branch_name: "half" })],
  });
  const { runtime, session } = await openTestSession({ workspace: top, permissions: { mode: "auto" } });
  const agent = runtime.agent({ model, session });
  const running = agent.run("PARENT, go");
  await child.isAsked;
  agent.interrupt();
  await running;
  expect(session.agents.list()).toMatchObject([{ status: "cancelled", report: { work: { isKept: true } } }]);
  expect(await git(top, "show", "half:half.txt")).toBe("half\n");
});

test("a worktree outside of a repository is refused with the reason, and no sub-agent is spawned", async () => {
  const { model, requests } = familyModel({ PARENT: [spawnAgent(), { text: "Then not." }] });
  const { runtime, session } = await openTestSession({
    workspace: await makeFolder(),
    permissions: { mode: "auto" },
  });
  await runtime.agent({ model, session }).run("PARENT, go");
  expect(session.agents.list()).toEqual([]);
  expect(JSON.stringify(requests.PARENT![1]!.prompt.at(-1))).toMatch(/error-text.+git/);
});
