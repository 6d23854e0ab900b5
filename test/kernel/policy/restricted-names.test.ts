import { lstat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Verdict } from "../../../src/index.ts";
import { openFileSession } from "../../support/open-file-session.ts";

const template = { "tmpl/a.txt": "a", "tmpl/.vscode/tasks.json": "{}", "tmpl/.envrc": "" };
const copy = ["file_copy", { source: "tmpl", destination: "app" }] as const;
const needsApproval = { status: "denied", error: { code: "approval-needed" } };

test("a folder with protected or sensitive names in it is not copied, moved, replaced or deleted unasked", async () => {
  const { session, workspace } = await openFileSession({
    ...template,
    "sub/.git/config": "",
    "keys/deep/server.pem": "",
    "plain/a.txt": "a",
  });
  for (const [tool, input] of [
    copy,
    ["file_move", { source: "tmpl", destination: "app" }],
    ["file_copy", { source: "keys", destination: "app" }],
    ["file_copy", { source: "plain", destination: "sub", overwrite: true }],
    ["file_move", { source: "plain", destination: "sub", overwrite: true }],
    ["file_delete", { path: "sub", recursive: true }],
  ] as const) {
    expect(await session.call(tool, input)).toMatchObject(needsApproval);
  }
  expect((await lstat(join(workspace, "sub/.git/config"))).isFile()).toBe(true);
  await expect(lstat(join(workspace, "app"))).rejects.toThrow("ENOENT");
  // Only the first names would be read, and none written.
  expect((await session.call("file_delete", { path: "keys", recursive: true })).status).toBe("done");
});

test("approving a folder approves everything in it, except what a rule denies", async () => {
  const { session } = await openFileSession(
    { ...template, "sub/.git/config": "", "sub/kept/a.txt": "a" },
    { permissions: { mode: "ask", deny: ["file_delete(sub/kept/**)"] }, onApproval: () => "allow" },
  );
  expect((await session.call(...copy)).status).toBe("done");
  expect(await session.call("file_delete", { path: "sub", recursive: true })).toMatchObject({
    error: { code: "permission-denied" },
  });
});

test("a change that a rule allowed unasked is undone and redone unasked", async () => {
  const allow = ["file_copy(tmpl/**)", "file_copy(app/**)"];
  const { session, workspace } = await openFileSession(template, { permissions: { allow } });
  const { callId, status } = await session.call(...copy);
  expect(status).toBe("done");
  expect((await session.undo(callId)).status).toBe("done");
  await expect(lstat(join(workspace, "app"))).rejects.toThrow("ENOENT");
  expect((await session.redo(callId)).status).toBe("done");
  expect((await lstat(join(workspace, "app/.vscode/tasks.json"))).isFile()).toBe(true);
});

test("a link goes alone, whatever lies in the folder it leads to", async () => {
  const { session, workspace } = await openFileSession({ ".aws/sub/.git/config": "" });
  await symlink(".aws/sub", join(workspace, "link"));
  expect((await session.call("file_delete", { path: "link", recursive: true })).status).toBe("done");
});

test("a person is asked once about a folder and all that is protected or ruled in it, and told of that", async () => {
  const asked: Verdict[] = [];
  const { session, workspace } = await openFileSession(
    { ...template, "sub/.git/config": "", "plain/b.txt": "b" },
    {
      permissions: { ask: ["file_copy(plain/**)"] },
      onApproval: ({ verdict }) => {
        asked.push(verdict);
        return "allow";
      },
    },
  );
  for (const [tool, input, writes] of [
    ["file_copy", copy[1], ["app", "app/.envrc", "app/.vscode"]],
    [
      "file_move",
      { source: "tmpl", destination: "moved" },
      ["tmpl", "moved", "moved/.envrc", "tmpl/.vscode"],
    ],
    ["file_copy", { source: "plain", destination: "more" }, ["more"]],
    ["file_copy", { source: "plain", destination: "sub", overwrite: true }, ["sub", "sub/.git"]],
    ["file_delete", { path: "app", recursive: true }, ["app", "app/.envrc", "app/.vscode"]],
  ] as const) {
    expect((await session.explain(tool, input)).decision).toBe("ask");
    expect((await session.call(tool, input)).status).toBe("done");
    expect(asked.at(-1)?.effects.writes).toEqual(expect.arrayContaining([...writes]));
  }
  expect(asked).toHaveLength(5);
  expect((await lstat(join(workspace, "moved/.vscode/tasks.json"))).isFile()).toBe(true);
});

test("a person's no about the entries of a folder leaves all of it, and denied entries are not asked about", async () => {
  let asked = 0;
  const { session, workspace } = await openFileSession(
    { "sub/.git/config": "", "sub/kept/a.txt": "a" },
    {
      permissions: { deny: ["file_move(sub/kept/**)"] },
      onApproval: () => {
        asked += 1;
        return "deny";
      },
    },
  );
  expect(await session.call("file_delete", { path: "sub", recursive: true })).toMatchObject({
    status: "denied",
    error: { code: "permission-denied" },
  });
  expect(asked).toBe(1);
  expect((await session.call("file_move", { source: "sub", destination: "x" })).status).toBe("denied");
  expect(asked).toBe(1);
  expect((await lstat(join(workspace, "sub/.git/config"))).isFile()).toBe(true);
});
