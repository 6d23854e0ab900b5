import { join } from "node:path";
import { expect, test } from "vitest";
import type { RuntimeOptions } from "../../../../src/index.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { pass } from "../../../support/pass.ts";
import { answersIn, calling } from "../open-agent.ts";
import { git, makeRepository } from "../worktrees/make-repository.ts";
import { familyModel } from "./family-model.ts";
import { patientStep } from "./patient-step.ts";

const spawnAgent = (input: Record<string, unknown> = {}) =>
  calling("Agent", { prompt: "CHILD, work", mode: "worktree", ...input });

/** Where the child's model was told that it works. */
function placeOf(request: { prompt: readonly unknown[] }): string {
  return /You work in (.+?), your own git worktree/.exec(JSON.stringify(request.prompt))![1]!;
}

async function openRepository(options: (top: string) => RuntimeOptions = () => ({})) {
  const { top } = await makeRepository({ "a.txt": "one\n", "private/key.txt": "the key\n" });
  const given = options(top);
  const opened = await openTestSession({ permissions: { mode: "auto" }, ...given, workspace: top });
  return { top, ...opened };
}

test("changes in a worktree are on its branch, under a title without secrets, and the worktree is gone", async () => {
  const secret = "hunter2-hunter2-hunter2";
  const { runtime, session, top } = await openRepository(() => ({
    secrets: [secret],
    permissions: { mode: "auto" },
  }));
  const { model } = familyModel({
    CHILD: [
      (request) => calling("Write", { file_path: join(placeOf(request), "b.txt"), content: "two\n" }),
      { text: "Written." },
    ],
    PARENT: [spawnAgent({ description: `write with ${secret}`, branch_name: "written" }), { text: "Good." }],
  });
  await runtime.agent({ model, session }).run("PARENT, go");
  expect(session.agents.list()).toMatchObject([
    { status: "done", report: { work: { branch: "written", isKept: true } } },
  ]);
  expect(await git(top, "show", "written:b.txt")).toBe("two\n");
  expect(await git(top, "log", "-1", "--format=%B", "written")).not.toContain("hunter2");
  expect(await worktreesOf(top)).toHaveLength(1);
});

test.each(["private/**", "the absolute path"])(
  "a sub-agent may not read in its worktree what its parent may not read: %s",
  async (rule) => {
    const { runtime, session } = await openRepository((top) => ({
      permissions: {
        mode: "auto",
        deny: [`file_read(${rule === "private/**" ? rule : `/${join(top, "private/**")}`})`],
      },
    }));
    const { model, requests } = familyModel({
      CHILD: [
        (request) => calling("Read", { file_path: join(placeOf(request), "private/key.txt") }),
        { text: "Well." },
      ],
      PARENT: [spawnAgent(), { text: "Good." }],
    });
    await runtime.agent({ model, session }).run("PARENT, go");
    const [answer] = answersIn(requests.CHILD![1]!);
    expect(JSON.stringify(answer)).toContain("denied");
  },
);

test("an interruption while a sub-agent's worktree is made leaves nothing behind", async () => {
  for (const delayMs of [0, 5, 20, 60, 150]) {
    const { runtime, session, top } = await openRepository();
    const { model } = familyModel({ CHILD: [{ text: "Here." }], PARENT: [spawnAgent(), { text: "Well." }] });
    const agent = runtime.agent({ model, session });
    const running = agent.run("PARENT, go");
    for await (const { type } of session.events()) if (type === "call-start") break;
    await pass(delayMs);
    agent.interrupt();
    await running;
    expect(await worktreesOf(top)).toHaveLength(1);
    expect((await git(top, "branch", "--format=%(refname:short)")).trim()).toBe("main");
  }
});

test("closing the runtime while a sub-agent works in a worktree keeps the work that it has done by then", async () => {
  const { runtime, session, top } = await openRepository();
  const child = patientStep();
  const { model } = familyModel({
    CHILD: [
      (request) => calling("Write", { file_path: join(placeOf(request), "b.txt"), content: "two\n" }),
      child.step,
    ],
    PARENT: [spawnAgent({ branch_name: "written" })],
  });
  const running = runtime.agent({ model, session }).run("PARENT, go");
  await child.isAsked;
  await runtime.close();
  expect(await running).toMatchObject({ reason: "interrupted" });
  expect(await git(top, "show", "written:b.txt")).toBe("two\n");
  expect(await worktreesOf(top)).toHaveLength(1);
});

async function worktreesOf(top: string): Promise<string[]> {
  const listed = await git(top, "worktree", "list", "--porcelain");
  return listed.split("\n").filter((line) => line.startsWith("worktree "));
}
