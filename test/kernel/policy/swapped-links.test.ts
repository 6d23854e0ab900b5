import { readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openFileSession } from "../../support/open-file-session.ts";

test("a link put in place of a file while a person is asked does not lead past a rule", async () => {
  const { session, workspace } = await openFileSession(
    { "out.txt": "out", "secret/x.txt": "secret" },
    {
      permissions: { mode: "ask", deny: ["file_write(secret/**)"] },
      onApproval: async ({ input }) => {
        const { path } = input as { path: string };
        await rm(join(workspace, path), { force: true });
        await symlink("secret/x.txt", join(workspace, path));
        return "allow" as const;
      },
    },
  );
  for (const path of ["out.txt", "new.txt"]) {
    expect(await session.call("file_write", { path, content: "changed" })).toMatchObject({
      status: "denied",
      error: { code: "permission-denied" },
    });
  }
  expect(await readFile(join(workspace, "secret/x.txt"), "utf8")).toBe("secret");
});

test("a folder swapped for a link while a person is asked does not lead past the floor", async () => {
  const { session, workspace } = await openFileSession(
    { "plain/config": "plain", ".aws/config": "KEY=1" },
    {
      permissions: { ask: ["file_read", "search_grep"] },
      onApproval: async () => {
        await rename(join(workspace, "plain"), join(workspace, "aside"));
        await symlink(".aws", join(workspace, "plain"));
        return "allow" as const;
      },
    },
  );
  for (const [tool, input] of [
    ["file_read", { path: "plain/config" }],
    ["search_grep", { path: "plain", pattern: "KEY" }],
    ["search_grep", { path: "plain/config", pattern: "KEY" }],
  ] as const) {
    const { status, text } = await session.call(tool, input);
    expect({ status, leaks: text.includes("KEY=1") }).toEqual({ status: "denied", leaks: false });
    await rm(join(workspace, "plain"));
    await rename(join(workspace, "aside"), join(workspace, "plain"));
  }
});

test("an action that a person allowed is done when no link came in between, to a link's target too", async () => {
  const { session, workspace } = await openFileSession(
    { "real.txt": "old", ".env": "KEY=1" },
    { permissions: { mode: "ask" }, onApproval: () => "allow" },
  );
  await symlink("real.txt", join(workspace, "link.txt"));
  expect((await session.call("file_write", { path: "link.txt", content: "new" })).status).toBe("done");
  expect(await readFile(join(workspace, "real.txt"), "utf8")).toBe("new");
  expect((await session.call("file_delete", { path: "link.txt" })).status).toBe("done");
  expect((await session.call("file_move", { source: ".env", destination: "moved" })).status).toBe("done");
});

test("while a path is swapped back and forth, what it must not lead to is never read", async () => {
  const readMany = defineTool({
    name: "read_many",
    description: "Reads a file again and again.",
    params: { path: { type: "string" } },
    traits: { readOnly: true },
    permission: ({ path }) => ({ action: "read", target: path }),
    async run({ path }, { files }) {
      const seen = new Set<string>();
      for (let count = 0; count < 300; count += 1) {
        const read = files.readText(path).then(
          ({ text }) => text,
          () => "refused",
        );
        seen.add(await read);
      }
      return [...seen];
    },
    toText: (seen) => seen.join(),
  });
  const { session, workspace } = await openFileSession(
    { "n.txt": "plain", ".env": "KEY=1" },
    { tools: [readMany] },
  );
  const place = join(workspace, "n.txt");
  let isOver = false;
  const toggling = (async () => {
    for (let count = 0; !isOver; count += 1) {
      const next = join(workspace, "next");
      await (count % 2 === 0 ? symlink(".env", next) : writeFile(next, "plain"));
      await rename(next, place);
    }
  })();
  const { text } = await session.call("read_many", { path: "n.txt" }).finally(() => {
    isOver = true;
  });
  await toggling;
  expect(text).not.toContain("KEY=1");
});
