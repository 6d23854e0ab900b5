import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";

/** A tool that searches a place it did not declare. */
const rummage = defineTool({
  name: "rummage",
  description: "Searches where it likes.",
  params: { path: { type: "string" } },
  traits: { readOnly: true },
  run: async ({ path }, { search }) => {
    const { files } = await search.grepFiles({ pattern: "KEY", path, maxFiles: 100 });
    return files.map((file) => file.path).join(" ");
  },
});

async function fill(workspace: string): Promise<void> {
  await mkdir(join(workspace, "private"));
  await writeFile(join(workspace, "private/a.txt"), "KEY=1");
  await writeFile(join(workspace, ".env"), "KEY=1");
  await writeFile(join(workspace, "plain.txt"), "KEY=1");
}

test("a place the tool did not declare is decided when the search begins", async () => {
  const deny = ["rummage(private)", "rummage(private/**)"];
  const { session, workspace } = await openTestSession({
    tools: [rummage],
    permissions: { mode: "auto", deny },
  });
  await fill(workspace);
  await symlink("private", join(workspace, "link"));
  expect((await session.call("rummage", { path: "." })).text).toBe(join(workspace, "plain.txt"));
  expect(await session.call("rummage", { path: "private" })).toMatchObject({ status: "denied" });
  expect(await session.call("rummage", { path: "link" })).toMatchObject({ status: "denied" });
  expect(await session.call("rummage", { path: "/etc" })).toMatchObject({ status: "denied" });
  expect(await session.call("rummage", { path: ".env" })).toMatchObject({
    error: { code: "approval-needed" },
  });
});

test("a file that may hold secrets is searched only if it is named and a person allows it", async () => {
  const { session, workspace } = await openTestSession({ onApproval: () => "allow" });
  await fill(workspace);
  const input = { pattern: "KEY", output_mode: "files_with_matches" } as const;
  expect((await session.call("search_grep", input)).text.split("\n").sort()).toEqual([
    "plain.txt",
    "private/a.txt",
  ]);
  expect((await session.call("search_grep", { ...input, path: ".env" })).text).toBe(".env");
});

test("a search of a file that may hold secrets is refused without a person to approve it", async () => {
  const { session, workspace } = await openTestSession();
  await fill(workspace);
  expect(await session.call("search_grep", { pattern: "KEY", path: ".env" })).toMatchObject({
    status: "denied",
    error: { code: "approval-needed" },
  });
});

test("a rule that names the paths lets a search tell of them", async () => {
  const { session, workspace } = await openTestSession({ permissions: { allow: ["search_grep(.env)"] } });
  await fill(workspace);
  const found = await session.call("search_grep", { pattern: "KEY", output_mode: "count", glob: ".env" });
  expect(found.text).toBe(".env:1\nTotal: 1 in 1 file");
});

test("a rule that denies or asks keeps what it names out of every result", async () => {
  const permissions = { deny: ["search_grep(private/**)"], ask: ["search_glob(plain.*)"] };
  const { session, workspace } = await openTestSession({ permissions });
  await fill(workspace);
  const lines = await session.call("search_grep", { pattern: "KEY" });
  expect(lines.text).toBe("plain.txt:1:>>KEY<<=1");
  expect((await session.call("search_glob", { pattern: "**/*.txt" })).text).toContain(
    "private/a.txt  (5 bytes)\n(Skipped 1 file that",
  );
});
