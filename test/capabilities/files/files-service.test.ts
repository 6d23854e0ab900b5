import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";

/** A tool that reads a path it did not declare. */
const peek = defineTool({
  name: "peek",
  description: "Reads what it likes.",
  params: { path: { type: "string" } },
  traits: { readOnly: true },
  run: async ({ path }, { files }) =>
    (await files.readLines(path, { firstLine: 1, maxLines: 1 })).lines.join(),
});

test("a path the tool did not declare is decided when it is touched", async () => {
  const { session, workspace } = await openTestSession({
    tools: [peek],
    permissions: { mode: "auto", deny: ["peek(private/**)"] },
  });
  await mkdir(join(workspace, "private"));
  await writeFile(join(workspace, "private/a.txt"), "private");
  await writeFile(join(workspace, ".env"), "KEY=1");
  await writeFile(join(workspace, "plain.txt"), "plain");
  await symlink("private/a.txt", join(workspace, "link.txt"));
  expect((await session.call("peek", { path: "plain.txt" })).text).toBe("plain");
  expect(await session.call("peek", { path: "private/a.txt" })).toMatchObject({ status: "denied" });
  expect(await session.call("peek", { path: "link.txt" })).toMatchObject({ status: "denied" });
  expect(await session.call("peek", { path: ".env" })).toMatchObject({
    status: "denied",
    error: { code: "approval-needed" },
  });
  expect(await session.call("peek", { path: "/etc/hostname" })).toMatchObject({ status: "denied" });
});

test("a sensitive file that the tool declared and a person allowed is read", async () => {
  const { session, workspace } = await openTestSession({ onApproval: () => "allow" });
  await writeFile(join(workspace, ".env"), "KEY=1");
  expect((await session.call("file_read", { path: ".env" })).text).toContain("KEY=1");
});
