import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defineTool, type ToolContext } from "../../../src/index.ts";
import { openFileSession, putFiles } from "../../support/open-file-session.ts";

// What was looked at for the verdict may be something else by the time a tool comes to it, also by the tool's own doing.

describe("of the commands of one tool, each is decided on by where its paths lead then", () => {
  test.each([
    [".env", "approval-needed"],
    ["denied/f.txt", "permission-denied"],
  ])("a link that has come to lead to %s", async (target, code) => {
    const { session, workspace } = await openFileSession(
      { "plain.txt": "plain", ".env": "KEY=1", "denied/f.txt": "forbidden" },
      {
        tools: [
          toolThat(async ({ processes }) => {
            const first = await processes.run("cat link");
            await rm(join(workspace, "link"));
            await symlink(target, join(workspace, "link"));
            const second = processes.run("head -5 link").then(
              ({ stdout }) => stdout,
              (error) => error.code,
            );
            return `${first.stdout} ${await second}`;
          }),
        ],
        sandbox: "off",
        permissions: { mode: "auto", deny: ["try_it(denied/**)"] },
      },
    );
    await symlink("plain.txt", join(workspace, "link"));
    expect((await session.call("try_it")).text).toBe(`plain ${code}`);
  });
});

describe.each([
  ["a file", (path: string) => writeFile(path, "x")],
  ["a link", (path: string) => symlink("other", path)],
])("what was %s when it was decided on, and is a folder now,", (_was, make) => {
  test.each([
    ["removed", ({ files }: ToolContext) => files.remove("a", { recursive: true })],
    ["moved", ({ files }: ToolContext) => files.move("a", "b")],
    ["copied", ({ files }: ToolContext) => files.copy("a", "b")],
  ])("is not %s with what a rule forbids in it", async (_how, act) => {
    const { session, workspace } = await openFileSession(
      {},
      {
        tools: [
          toolThat(
            async (context) => {
              await rm(join(workspace, "a"));
              await putFiles(workspace, { "a/private/s.txt": "secret" });
              await act(context);
              return "done";
            },
            ["a", "b"],
          ),
        ],
        permissions: { mode: "auto", deny: ["try_it(**/private/**)"] },
      },
    );
    await make(join(workspace, "a"));
    expect(await session.call("try_it")).toMatchObject({ status: "denied" });
    expect(await readFile(join(workspace, "a/private/s.txt"), "utf8")).toBe("secret");
  });
});

test("a declared path is resolved again if it was changed during a question", async () => {
  const asks = toolThat(
    async ({ ask, files }) => {
      await ask("Now?");
      return (await files.readText("current/f.txt")).text;
    },
    ["current/f.txt"],
  );
  const { session, workspace } = await openFileSession(
    { "v1/f.txt": "one", "v2/f.txt": "two" },
    {
      tools: [asks],
      permissions: { mode: "auto" },
      onQuestion: async () => {
        await rm(join(workspace, "current"), { recursive: true });
        await symlink("v2", join(workspace, "current"));
        return "yes";
      },
    },
  );
  await putFiles(workspace, { "current/f.txt": "zero" });
  expect((await session.call("try_it")).text).toBe("two");
});

test("a tool's own undo does not reach a file that stands where a folder was", async () => {
  let workspace = "";
  const leaves = defineTool({
    name: "leave",
    description: "Leaves a file, by ways of its own.",
    params: {},
    permission: () => ({ action: "write", target: "log" }),
    async run() {
      await putFiles(workspace, { "dir/x": "made" });
      return "left";
    },
    undo: (_did, { files }) => files.remove("dir/x"),
  });
  const opened = await openFileSession({}, { tools: [leaves], permissions: { mode: "auto" } });
  const { session } = opened;
  workspace = opened.workspace;
  const { callId } = await session.call("leave");
  await rm(join(workspace, "dir"), { recursive: true });
  await writeFile(join(workspace, "dir"), "never touched");
  expect((await session.undo(callId)).status).toBe("failed");
  expect(await readFile(join(workspace, "dir"), "utf8")).toBe("never touched");
});

test("a file that may be written but not read is not shown when it has changed", async () => {
  const { session, workspace } = await openFileSession({}, { permissions: { mode: "auto" } });
  expect((await session.call("file_write", { path: ".env", content: "A=1\n" })).status).toBe("done");
  await writeFile(join(workspace, ".env"), "A=1\nKEY=hidden\n");
  const again = await session.call("file_write", { path: ".env", content: "A=2\n" });
  expect(again).toMatchObject({ status: "failed", error: { code: "stale-file" } });
  expect(again.text).not.toContain("hidden");
});

test("a path with a NUL is refused, also where the path before it was decided on", async () => {
  const writes = toolThat(({ files }) => files.writeText("f.txt\0", "x").then(() => "written"), ["f.txt"]);
  const { session, workspace } = await openFileSession(
    { "f.txt": "f" },
    { tools: [writes], permissions: { mode: "auto" } },
  );
  expect((await session.call("try_it")).error?.code).toBe("invalid-input");
  expect(await readFile(join(workspace, "f.txt"), "utf8")).toBe("f");
});

/** A tool `try_it` that declares to read and write these paths themselves. */
function toolThat(run: (context: ToolContext) => Promise<string>, paths: readonly string[] = []) {
  const declared = paths.flatMap((target) => [
    { action: "read", target, isLinkItself: true } as const,
    { action: "write", target, isLinkItself: true } as const,
    { action: "read", target } as const,
  ]);
  return defineTool({
    name: "try_it",
    description: "Does what a test wants.",
    params: {},
    permission: () => [{ action: "execute" } as const, ...declared],
    run: (_input, context) => run(context),
  });
}
