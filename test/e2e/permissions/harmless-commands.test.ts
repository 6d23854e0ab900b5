import { appendFile, chmod, mkdir, readdir, rename, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { readSampleRows } from "../../machine/command-reading/sample-rows.ts";
import { testInside } from "../../machine/sandbox/inside.ts";
import { casesOf } from "../../support/fuzz.ts";
import { openShellWorkspace } from "../../support/open-shell-workspace.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";
import { compareSnapshots, takeSnapshot } from "../../support/tree-snapshot.ts";

testInside(
  "a command let through without a question writes nothing, neither in the workspace nor around it",
  { timeout: 300_000 },
  async () => {
    const home = await temporaryFolder();
    vi.stubEnv("HOME", home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { session, base } = await openShellWorkspace({ sandbox: "required" });
    const { harmless } = await readSampleRows();
    const places = [base, home];
    const before = await Promise.all(places.map(takeSnapshot));
    const others: string[] = [];
    for (const { id, command } of casesOf({
      sample: harmless.filter((_, index) => index % 5 === 0),
      full: harmless,
    })) {
      const namesBefore = new Set(await readdir("/tmp"));
      const { status } = await session.call("Bash", { command });
      if (status !== "done") others.push(`${id}: ${command} is ${status}`);
      const after = await Promise.all(places.map(takeSnapshot));
      const changed = places.flatMap((_, index) => compareSnapshots(before[index]!, after[index]!));
      expect(changed, `after ${id}: ${command}`).toEqual([]);
      // Others use the system's folder at the same time, so only what this command speaks of counts.
      const words = new Set(command.split(/[\s/'"<>|;&]+/));
      const added = (await readdir("/tmp")).filter((name) => !namesBefore.has(name) && words.has(name));
      expect(added, `in /tmp after ${id}: ${command}`).toEqual([]);
    }
    // What has not run proves nothing.
    expect(others).toEqual([]);
  },
);

test("a snapshot tells of every kind of change", async () => {
  const { base, workspace } = await openShellWorkspace();
  const at = (name: string) => join(workspace, name);
  const deeds: Readonly<Record<string, () => Promise<unknown>>> = {
    "a new file": () => writeFile(at("new"), ""),
    "a longer file": () => appendFile(at("a.txt"), "x"),
    "another text of the same length": () => writeFile(at("b.txt"), "foo\nbar\n"),
    "another mode": () => chmod(at("in.txt"), 0o600),
    "another time": () => utimes(at("names.txt"), 1, 1),
    "another name": () => rename(at("data.csv"), at("data.tsv")),
    "a new folder": () => mkdir(at("folder")),
    "a new link": () => symlink("a.txt", at("link")),
  };
  for (const [title, deed] of Object.entries(deeds)) {
    const before = await takeSnapshot(base);
    await deed();
    expect(compareSnapshots(before, await takeSnapshot(base)), title).not.toEqual([]);
  }
});
