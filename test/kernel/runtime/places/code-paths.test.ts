import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestSession, temporaryFolder } from "../../../support/open-test-session.ts";

/** What each server of the project is started with, and the file that it then runs. */
const servers = {
  plain: [{ command: "node", args: ["plain.js"] }, "plain.js"],
  program: [{ command: "./run" }, "run"],
  folder: [{ command: "node", args: ["./lib/main.mjs"], cwd: "sub" }, "sub/lib/main.mjs"],
  option: [{ command: "node", args: ["--import=./first.mjs", "-e", "0"] }, "first.mjs"],
} as const;
const files = Object.values(servers).map(([, file]) => file);
const listed = Object.fromEntries(Object.entries(servers).map(([name, [options]]) => [name, options]));

/** Puts the list of servers where `place` says, and returns which of their files are written without asking. */
async function writtenUnasked(place: (root: string) => Promise<void>): Promise<string[]> {
  const workspace = await temporaryFolder();
  await mkdir(join(workspace, ".toolwright"));
  await place(workspace);
  const { session } = await openTestSession(
    { workspace, permissions: { mode: "edit" }, sandbox: "off" },
    { dialect: "canonical" },
  );
  const written: string[] = [];
  for (const path of [...files, "other.js"]) {
    const { status } = await session.call("file_write", { path, content: "" });
    if (status === "done") written.push(path);
  }
  return written;
}

const own = (root: string, text: string) => writeFile(join(root, ".toolwright", "mcp.json"), text);

test.each<[string, (root: string) => Promise<void>]>([
  ["lists", (root) => own(root, JSON.stringify({ mcpServers: listed }))],
  ["lists as VS Code does", (root) => own(root, JSON.stringify({ servers: listed }))],
  [
    "lists in a long file",
    (root) => own(root, `${" ".repeat(100_000)}${JSON.stringify({ mcpServers: listed })}`),
  ],
  [
    "lists behind a link",
    async (root) => {
      await own(root, JSON.stringify({ mcpServers: listed }));
      await rename(join(root, ".toolwright", "mcp.json"), join(root, "servers.json"));
      await symlink("../servers.json", join(root, ".toolwright", "mcp.json"));
    },
  ],
  [
    "imports",
    async (root) => {
      await writeFile(join(root, ".mcp.json"), JSON.stringify({ mcpServers: listed }));
      await own(root, JSON.stringify({ import: [".mcp.json"] }));
    },
  ],
])(
  "files that a server of the project runs are not changed unasked, if the project %s it",
  async (_how, place) => {
    expect(await writtenUnasked(place)).toEqual(["other.js"]);
  },
);
