import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { git, makeRepository, write } from "../../capabilities/agents/worktrees/make-repository.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { changing, flagsOf, shareFlyto } from "./share-flyto.ts";

const flyto = shareFlyto();

test("F61: Gitignore adds what is missing to a folder's .gitignore, which it makes where there is none", async () => {
  await flyto.put({ "f61/a.txt": "", "f61-old/.gitignore": "*.tmp" });
  expect(flagsOf(flyto.session, "Gitignore")).toEqual(changing);
  const add = (dir: string, patterns: string[]) =>
    flyto.call("Gitignore", { action: "add", dir: flyto.at(dir), patterns });
  const contentOf = (dir: string) => readFile(flyto.at(`${dir}/.gitignore`), "utf8");
  for (const _ of [1, 2]) {
    expect((await add("f61", ["*.log", "dist/"])).status).toBe("done");
    expect(await contentOf("f61")).toBe("*.log\ndist/\n");
  }
  await add("f61-old", ["*.log", "*.tmp"]);
  expect(await contentOf("f61-old")).toBe("*.tmp\n*.log\n");
});

test("F62: Gitignore says of a path whether git ignores it, by every list that git goes by", async () => {
  const { top } = await makeRepository({
    ".gitignore": "build/\n*.log\ntracked.txt\n",
    "sub/.gitignore": "!kept.log\n",
  });
  await git(top, "config", "core.excludesFile", join(top, ".git/more"));
  await write(top, {
    ".git/more": "more.txt\n",
    ".git/info/exclude": "excluded.txt\n",
    "sub/tracked.txt": "tracked\n",
  });
  await git(top, "add", "--force", "sub/tracked.txt");
  const { session, workspace } = await openTestSession({ dialect: "flyto", workspace: top });
  const cases = [
    ["", "build/output.bin"],
    ["", "sub/a.log"],
    ["sub", "kept.log"],
    ["sub", "excluded.txt"],
    ["", "more.txt"],
    ["sub", "tracked.txt"],
    ["", "plain.txt"],
  ] as const;
  const told: [string, boolean][] = [];
  const byGit: [string, boolean][] = [];
  for (const [dir, path] of cases) {
    const { data } = await session.call("Gitignore", { action: "check", dir: join(workspace, dir), path });
    told.push([path, (data as { ignored: boolean }).ignored]);
    const ignored = await git(join(top, dir), "check-ignore", path).then(
      () => true,
      () => false,
    );
    byGit.push([path, ignored]);
  }
  expect(told).toEqual(byGit);
  expect(byGit.map(([, ignored]) => ignored)).toEqual([true, true, false, true, true, false, false]);
});
