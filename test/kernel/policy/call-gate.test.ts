import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CallGate } from "../../../src/kernel/policy/call-gate.ts";
import type { Policy } from "../../../src/kernel/policy/policy.ts";
import type { Rules } from "../../../src/kernel/policy/rules/rule.ts";
import { temporaryWorkspace } from "../../capabilities/files/temporary-workspace.ts";

const toReadAndWrite = (path: string) =>
  [
    { action: "read", target: path },
    { action: "write", target: path },
  ] as const;

test("a path that is judged, read and written is walked once", async () => {
  const { gate, files, walked } = await openGate();
  await gate.judge(toReadAndWrite("sub/a.txt"), { opaque: false });
  gate.open({ isApproved: false });
  await files.editTexts([{ path: "sub/a.txt", edits: [{ oldText: "one", newText: "two" }] }]);
  expect(walked).toEqual(["sub/a.txt"]);
});

test.each([
  ["a person was asked", { isApproved: true }],
  ["something was done in between", { isApproved: false }],
])("a path is walked again when %s", async (_why, opening) => {
  const { gate, files, walked } = await openGate();
  await gate.judge(toReadAndWrite("sub/a.txt"), { opaque: false });
  gate.open(opening);
  if (!opening.isApproved) gate.services.forget();
  await files.readText("sub/a.txt");
  expect(walked).toEqual(["sub/a.txt", "sub/a.txt"]);
});

test("a file that was missing when its path was judged is found when it has come since", async () => {
  const { gate, files, workspace, scope } = await openGate();
  await gate.judge([{ action: "read", target: "later.txt" }], { opaque: false });
  gate.open({ isApproved: false });
  await workspace.files(scope).writeText("later.txt", "here");
  expect((await files.readText("later.txt")).text).toBe("here");
});

test("another way of writing a path is judged by itself, though it leads to a file that was let through", async () => {
  const secret: Rules["deny"][number] = {
    source: "tool(forbidden.txt)",
    matchesTool: () => true,
    matchesPath: ({ relative }) => relative === "forbidden.txt",
  };
  const { gate, files, root } = await openGate({ deny: [secret], ask: [], allow: [] });
  await symlink("sub/a.txt", join(root, "forbidden.txt"));
  await gate.judge([{ action: "read", target: "sub/a.txt" }], { opaque: false });
  gate.open({ isApproved: false });
  expect((await files.readText("sub/a.txt")).text).toBe("one");
  await expect(files.readText("forbidden.txt")).rejects.toMatchObject({
    code: "permission-denied",
    message: expect.stringMatching(/denied: forbidden\.txt: rule tool\(forbidden\.txt\) denies it$/),
  });
});

test("a path that no declaration names is judged when it is touched", async () => {
  const { gate, files } = await openGate();
  await gate.judge([{ action: "read", target: "sub/a.txt" }], { opaque: false });
  gate.open({ isApproved: true });
  await expect(files.readText(".env")).rejects.toMatchObject({
    code: "approval-needed",
    message: expect.stringMatching(/nobody to ask: \.env may hold secrets \(sensitive name "\.env"\)$/),
  });
  await expect(files.readText("../outside/x")).rejects.toMatchObject({ code: "permission-denied" });
  await expect(files.remove("sub", { recursive: true })).resolves.toBeUndefined();
});

async function openGate(rules: Rules = { deny: [], ask: [], allow: [] }) {
  const place = await temporaryWorkspace({ "sub/a.txt": "one", ".env": "KEY=1" });
  const { workspace, scope } = place;
  const walked: string[] = [];
  const policy: Policy = {
    current: { rules, mode: "auto" },
    listTree: async () => [],
    paths: {
      ...workspace,
      resolve(path, options) {
        walked.push(path);
        return workspace.resolve(path, options);
      },
    },
  };
  const gate = new CallGate(policy, {
    resolved: { entry: { name: "tool" }, spokenName: "Tool" },
    request: {},
    deadline: scope,
  });
  return { ...place, gate, walked, files: workspace.files({ ...scope, gate: gate.services }) };
}
