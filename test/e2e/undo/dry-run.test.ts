import { execFile } from "node:child_process";
import { chmod, cp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { defineTool, type RuntimeOptions } from "../../../src/index.ts";
import { snapshot } from "../../capabilities/files/snapshot.ts";
import { openFileSession } from "../../support/open-file-session.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const run = promisify(execFile);

async function openSample(options: RuntimeOptions = {}) {
  const opened = await openFileSession(
    {
      "a.txt": "one\ntwo\nthree\n",
      "b.txt": "no newline at the end",
      "crlf.txt": "a\r\nb\r\n",
      "empty.txt": "",
      "run.sh": "#!/bin/sh\n",
      "name with space.txt": "x\n",
      'q"uote.txt': "x\n",
      "d/c.txt": "c\n",
      "d/e/f.txt": "f\n",
      "raw.bin": Buffer.from([0, 1, 2, 255]),
      ".gitignore": "*.log\n",
    },
    { permissions: { mode: "ask" }, ...options },
  );
  await chmod(join(opened.workspace, "run.sh"), 0o755);
  await symlink("a.txt", join(opened.workspace, "link"));
  return opened;
}

const changes: readonly { tool: string; input: object }[] = [
  { tool: "file_write", input: { path: "new/x.txt", content: "x\ny" } },
  { tool: "file_write", input: { path: "new.txt", content: "" } },
  { tool: "file_write", input: { path: "a.txt", content: "one\n2\nthree\n" } },
  { tool: "file_write", input: { path: "empty.txt", content: "not empty\n" } },
  { tool: "file_write", input: { path: "link", content: "through the link\n" } },
  { tool: "file_edit", input: { path: "a.txt", old_string: "two", new_string: "$&" } },
  { tool: "file_edit", input: { path: "b.txt", old_string: "no", new_string: "still no" } },
  { tool: "file_edit", input: { path: "crlf.txt", old_string: "b", new_string: "b\nc" } },
  { tool: "file_edit", input: { path: "name with space.txt", old_string: "x", new_string: "y" } },
  { tool: "file_edit", input: { path: 'q"uote.txt', old_string: "x", new_string: "y" } },
  {
    tool: "file_multi_edit",
    input: {
      edits: [
        { path: "a.txt", old_string: "one", new_string: "1" },
        { path: "d/c.txt", old_string: "c", new_string: "C" },
      ],
    },
  },
  {
    tool: "file_patch",
    input: {
      patch:
        "*** Begin Patch\n*** Add File: p/new.txt\n+n\n*** Update File: a.txt\n*** Move to: moved.txt\n@@\n-two\n+2\n*** Delete File: run.sh\n*** End Patch\n",
    },
  },
  { tool: "file_delete", input: { path: "a.txt" } },
  { tool: "file_delete", input: { path: "empty.txt" } },
  { tool: "file_delete", input: { path: "run.sh" } },
  { tool: "file_delete", input: { path: "link" } },
  { tool: "file_delete", input: { path: "d", recursive: true } },
  { tool: "file_move", input: { source: "d", destination: "x/y" } },
  { tool: "file_move", input: { source: "run.sh", destination: "b.txt", overwrite: true } },
  { tool: "file_copy", input: { source: "d", destination: "d2" } },
  { tool: "file_copy", input: { source: "run.sh", destination: "run2.sh" } },
  { tool: "file_copy", input: { source: "link", destination: "link2" } },
  { tool: "file_gitignore", input: { action: "add", patterns: ["dist/"] } },
];

describe("a preview applied by git does what the call does", () => {
  test.each(changes)("$tool $input", async ({ tool, input }) => {
    const { session, workspace, base } = await openSample();
    const before = await snapshot(base);
    const preview = await session.dryRun(tool, input);
    // Mode `ask`, and nobody there to ask: a preview needs no approval.
    expect(preview).toMatchObject({ status: "done", receipt: { isDryRun: true } });
    expect(preview.receipt).not.toHaveProperty("undo");
    expect(await snapshot(base)).toEqual(before);

    const copy = join(base, "copy");
    await cp(workspace, copy, { recursive: true, verbatimSymlinks: true });
    const patch = join(base, "preview.diff");
    await writeFile(patch, preview.text);
    // Outside of any repository, so that a folder above is not taken for one.
    await run("git", ["apply", patch], { cwd: copy, env: { ...process.env, GIT_CEILING_DIRECTORIES: base } });

    const { session: acting } = await openSampleIn(workspace);
    expect(await acting.call(tool, input)).toMatchObject({ status: "done" });
    expect(withoutFolders(await snapshot(copy))).toEqual(withoutFolders(await snapshot(workspace)));
  });
});

test("a preview tells in words what a diff cannot show", async () => {
  const { session, base } = await openSample();
  const before = await snapshot(base);
  const told = async (tool: string, input: object) => (await session.dryRun(tool, input)).text;
  expect(await told("file_mkdir", { path: "x/y" })).toBe("new directory x\nnew directory x/y\n");
  expect(await told("file_mkdir", { path: "d" })).toBe("It would change nothing.");
  expect(await told("file_delete", { path: "raw.bin" })).toContain(
    "Binary files a/raw.bin and /dev/null differ",
  );
  expect(await told("file_read", { path: "a.txt" })).toBe("It changes nothing.");
  expect(await told("file_gitignore", { action: "add", patterns: ["*.log"] })).toBe(
    "It would change nothing.",
  );
  expect(await snapshot(base)).toEqual(before);
});

test("a preview is refused wherever the call would be", async () => {
  const { session, workspace, base } = await openSample({
    permissions: { mode: "ask", deny: ["file_write(d/**)"] },
  });
  await session.call("file_read", { path: "a.txt" });
  await writeFile(join(workspace, "a.txt"), "theirs\n");
  const before = await snapshot(base);
  const refused = async (tool: string, input: object) => (await session.dryRun(tool, input)).error?.code;
  expect(await refused("file_write", { path: "a.txt", content: "mine" })).toBe("stale-file");
  expect(await refused("file_write", { path: "d/c.txt", content: "mine" })).toBe("permission-denied");
  expect(await refused("file_write", { path: "../x", content: "mine" })).toBe("permission-denied");
  expect(await refused("file_edit", { path: "b.txt", old_string: "x", new_string: "y" })).toBe("no-match");
  expect(await refused("file_delete", { path: "d" })).toBe("permission-denied");
  expect(await refused("file_delete", { path: "." })).toBe("invalid-input");
  expect(await refused("file_move", { source: "a.txt", destination: "b.txt" })).toBe("already-exists");
  expect(await refused("file_write", { path: "a.txt" })).toBe("invalid-input");
  expect(await refused("file_writ", {})).toBe("unknown-tool");
  expect(await snapshot(base)).toEqual(before);
});

test("a preview shows no secret that may not be read", async () => {
  const { session, workspace } = await openSample({ permissions: { mode: "auto" } });
  await writeFile(join(workspace, ".env"), "KEY=hidden\n");
  await writeFile(join(workspace, "d/e/.env"), "KEY=hidden\n");
  for (const [tool, input] of [
    ["file_write", { path: ".env", content: "x" }],
    ["file_delete", { path: ".env" }],
    ["file_move", { source: ".env", destination: "x" }],
    ["file_delete", { path: "d", recursive: true }],
    ["file_copy", { source: "d", destination: "x" }],
  ] as const) {
    const preview = await session.dryRun(tool, input);
    expect(preview).toMatchObject({ status: "denied", error: { code: "approval-needed" } });
    expect(JSON.stringify(preview)).not.toContain("hidden");
  }
  const asked = await openSample({ permissions: { mode: "auto" }, onApproval: () => "allow" });
  await writeFile(join(asked.workspace, ".env"), "KEY=hidden\n");
  expect((await asked.session.dryRun("file_delete", { path: ".env" })).text).toContain("-KEY=hidden");
});

test("a preview works in mode readonly, and leaves nothing behind that a later call would trip over", async () => {
  const { session, base } = await openSample({ permissions: { mode: "readonly" } });
  const before = await snapshot(base);
  expect(await session.dryRun("file_write", { path: "a.txt", content: "x\n" })).toMatchObject({
    status: "done",
  });
  expect(await session.call("file_write", { path: "a.txt", content: "x\n" })).toMatchObject({
    status: "denied",
  });
  expect(await snapshot(base)).toEqual(before);
  const editing = await openSample({ permissions: { mode: "edit" } });
  await editing.session.dryRun("file_write", { path: "a.txt", content: "x\n" });
  expect(await editing.session.call("file_write", { path: "a.txt", content: "y\n" })).toMatchObject({
    status: "done",
    data: { wasUnread: true },
  });
});

test("a preview cannot be undone", async () => {
  const { session } = await openSample();
  const preview = await session.dryRun("file_write", { path: "a.txt", content: "x\n" });
  expect(await session.undo(preview.callId)).toMatchObject({
    status: "failed",
    error: { code: "unavailable" },
  });
});

describe("custom tools", () => {
  const params = { path: { type: "string" } } as const;

  test("with a dryRun are asked for their preview, in a context in which writing is only planned", async () => {
    const tool = defineTool({
      name: "stamp",
      description: "Stamps a file.",
      params,
      permission: ({ path }) => ({ action: "write", target: path }),
      run: async ({ path }, { files }) => void (await files.writeText(path, "stamped")),
      dryRun: async ({ path }, { files }) => {
        await files.writeText(path, "tried");
        return { would: `stamp ${path}`, sees: (await files.readText(path)).text };
      },
    });
    const { session, base } = await openSample({ tools: [tool] });
    const before = await snapshot(base);
    const preview = await session.dryRun("stamp", { path: "a.txt" });
    expect(preview).toMatchObject({
      status: "done",
      data: { would: "stamp a.txt", sees: "tried" },
      receipt: { isDryRun: true, tool: "stamp" },
    });
    expect(await snapshot(base)).toEqual(before);
  });

  test("that touch files only are previewed without a dryRun", async () => {
    const tool = defineTool({
      name: "shout",
      description: "Makes a file loud.",
      params,
      traits: { changesFilesOnly: true },
      permission: ({ path }) => [
        { action: "read", target: path },
        { action: "write", target: path },
      ],
      run: ({ path }, { files }) => files.updateText(path, ({ text }) => text.toUpperCase()),
    });
    const { session, base } = await openSample({ tools: [tool] });
    const before = await snapshot(base);
    expect((await session.dryRun("shout", { path: "d/c.txt" })).text).toContain("-c\n+C\n");
    expect(await snapshot(base)).toEqual(before);
  });

  test("without either are not run for a preview, and the refusal says so", async () => {
    let runs = 0;
    const tool = defineTool({ name: "act", description: "Acts.", params: {}, run: () => ++runs });
    const { session } = await openSample({ tools: [tool], permissions: { mode: "auto" } });
    expect(await session.dryRun("act")).toMatchObject({
      status: "failed",
      error: { code: "unsupported" },
      receipt: { isDryRun: true },
    });
    expect(runs).toBe(0);
  });
});

/** The same workspace with the leave to change it. */
function openSampleIn(workspace: string) {
  return openTestSession({ workspace, permissions: { mode: "edit" } });
}

/** A diff knows no folders, and git no more of a mode than whether a file can be run. */
function withoutFolders(found: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(found).filter(([, what]) => !what.startsWith("directory")));
}
