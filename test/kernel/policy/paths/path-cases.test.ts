import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryWorkspace } from "../../../capabilities/files/temporary-workspace.ts";

/** Run by a shell, W is the workspace and O the folder outside; `race` happens between the decision and the deed. */
interface PathCase {
  readonly title: string;
  readonly setup: string;
  readonly path: string;
  readonly op: "read" | "list" | "write" | "delete";
  readonly allowed: boolean;
  readonly race?: string;
  /** Must hold afterwards. */
  readonly post?: string;
  /** Not a matter of where it leads but of what it is called: the floor asks. */
  readonly byPolicy?: boolean;
}

const cases: readonly PathCase[] = JSON.parse(
  await readFile(new URL("../../../fixtures/paths/path-cases.json", import.meta.url), "utf8"),
);

test.each(cases)("$op, $title: allowed is $allowed", async (row) => {
  const { root, outside, workspace, files } = await temporaryWorkspace();
  const shell = (script: string) =>
    promisify(execFile)("bash", ["-c", script], { env: { ...process.env, W: root, O: outside } });
  await shell(row.setup);
  const path = row.path
    .replaceAll("{W}", root)
    .replaceAll("{O}", outside)
    .replace("{LONG}", `${"a/".repeat(3000)}f`);
  const judge = async () => {
    const action = row.op === "read" || row.op === "list" ? "read" : "write";
    const place = await workspace.resolve(path, { followLast: row.op !== "delete" });
    const floor = workspace.floorOf(place, action);
    if (floor !== undefined) throw new Error(floor.reason);
  };
  const act = () => {
    switch (row.op) {
      case "read":
        return files.readLines(path, { firstLine: 1, maxLines: 10 });
      case "list":
        return files.list(path);
      case "write":
        return files.writeText(path, "written");
      case "delete":
        return files.remove(path, { recursive: true });
    }
  };
  const attempt = async () => {
    if (row.byPolicy || row.race !== undefined) await judge();
    if (row.race !== undefined) await shell(row.race);
    if (!row.byPolicy || row.allowed) await act();
  };
  if (row.allowed) await attempt();
  else await expect(attempt()).rejects.toThrow();
  if (row.post !== undefined) await shell(row.post);
  const isSecretThere = await shell('test ! -e "$O/secret.txt" || grep -qx secret "$O/secret.txt"');
  expect(isSecretThere.stderr).toBe("");
});
