import { execFile } from "node:child_process";
import { readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { fc, fuzzRuns } from "../../support/fuzz.ts";
import { gitEnvironment } from "../../support/git-environment.ts";
import { openFileSession, putFiles } from "../../support/open-file-session.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { git } from "../agents/worktrees/make-repository.ts";

// The next file runs in the same process.
afterEach(() => void vi.unstubAllEnvs());

const folders = ["", "a", "a/b", "a/b/a", "b", "a[1]"];
const names = [
  "x",
  "x.log",
  "x ",
  "!x",
  "#x",
  "a/x",
  "a/x.log",
  "a/b/x",
  "a/b/x.log",
  "a/b/*",
  "a/b/a/x",
  "a/b/a/B",
  "b/x",
  "b/ab",
  "b/x y",
  "b/é",
  "b/{a,b}",
  "a[1]/x",
];

const word = fc.constantFrom(
  ...[
    "a",
    "b",
    "x",
    "ab",
    "B",
    "x y",
    "é",
    "a[1]",
    "{a,b}",
    "[",
    "\\x",
    "\\*",
    "a\\[1\\]",
    "\\!x",
    "\\#x",
    "x\\ ",
  ],
  ...["*", "?", "**", "*.log", "x.*", "a*", "a**", "**a", "[ab]", "[!x]", "[^x]", "[a-b]", "[[:alpha:]]"],
);
const pattern = fc
  .tuple(
    fc.constantFrom("", "", "", "!"),
    fc.constantFrom("", "", "/", "**/"),
    fc.array(word, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "", "", "/", " ", "\\ ", "  ", "/**", "/*", "\t"),
  )
  .map(([negation, start, words, end]) => negation + start + words.join("/") + end);
const oddLine = fc.constantFrom("", "# c", "#x", " ", "/", "!", "!/", "**", "\\", "a\\");
const line = fc.oneof({ weight: 12, arbitrary: pattern }, { weight: 1, arbitrary: oddLine });
const lineEnd = fc.constantFrom("\n", "\n", "\n", "\r\n");
const rules = fc.array(fc.tuple(line, lineEnd), { maxLength: 4 }).map((lines) => lines.flat().join(""));

/** A repository: ignore files of all kinds, files with their content, and which of them are tracked. */
const repository = fc.record({
  ignoreFiles: fc.dictionary(fc.constantFrom(...folders), rules, { maxKeys: 4 }),
  infoExclude: rules,
  userExcludes: rules,
  tracked: fc.subarray(names),
});

test("a check and every kind of search agree with git in any repository", { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(repository, async ({ ignoreFiles, infoExclude, userExcludes, tracked }) => {
      const contents = Object.fromEntries(names.map((name) => [name, "foo\n"]));
      const { session, workspace, base } = await openFileSession(contents);
      vi.stubEnv("HOME", base);
      vi.stubEnv("XDG_CONFIG_HOME", join(base, "config"));
      const ask = (args: readonly string[], input = "") =>
        runGit(args, input, { cwd: workspace, env: { ...gitEnvironment, HOME: base } });
      await ask(["init", "-q"]);
      await putFiles(base, {
        ".gitconfig": '[core]\n\texcludesFile = "~/excludes"\n',
        excludes: userExcludes,
      });
      await writeFile(join(workspace, ".git/info/exclude"), infoExclude);
      for (const [folder, text] of Object.entries(ignoreFiles))
        await writeFile(join(workspace, folder, ".gitignore"), text);
      await ask(
        ["add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"],
        tracked.map(asLiteral).join("\0"),
      );

      const paths = [...names, ...folders.filter((folder) => folder !== "")];
      const ignored = new Set(await ask(["check-ignore", "-z", "--stdin"], paths.join("\0")));
      for (const path of paths) {
        const { data } = await session.call("file_gitignore", { action: "check", path });
        expect([path, data]).toEqual([path, { action: "check", path, ignored: ignored.has(path) }]);
      }

      const listed = await ask(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
      const wanted = listed.filter((path) => !path.endsWith(".gitignore")).sort();
      const found = async (tool: string, input: object) => (await session.call(tool, input)).data as Found;
      const globbed = await found("search_glob", { pattern: "**" });
      const visible = globbed.matches?.map(({ path }) => path) ?? [];
      expect(visible.filter((path) => !path.endsWith(".gitignore")).sort()).toEqual(wanted);
      const query = { pattern: "foo" };
      const { files } = await found("search_grep", { ...query, output_mode: "files_with_matches" });
      expect(files?.toSorted()).toEqual(wanted);
      const { counts } = await found("search_grep", { ...query, output_mode: "count" });
      expect(counts?.map(({ path }) => path)).toEqual(wanted);
      const { matches } = await found("search_grep", query);
      expect(matches?.map(({ path }) => path)).toEqual(wanted);
    }),
    { numRuns: fuzzRuns({ sample: 2, full: 200 }) },
  );
});

async function repositoryWith(contents: Readonly<Record<string, string>>) {
  const opened = await openFileSession(contents);
  const { session, workspace, base } = opened;
  vi.stubEnv("HOME", base);
  vi.stubEnv("XDG_CONFIG_HOME", join(base, "config"));
  await git(workspace, "init", "--quiet");
  const find = async (input: object = {}) => {
    const { data } = await session.call("search_glob", { pattern: "**", ...input });
    return (data as Found).matches?.map(({ path }) => path).sort();
  };
  return { ...opened, find };
}

test("a repository inside the repository follows its own rules", async () => {
  const { workspace, find } = await repositoryWith({
    ".gitignore": "*.tmp",
    "inner/.gitignore": "*.log",
    "inner/a.log": "",
    "inner/a.txt": "",
    "inner/deep/.gitignore": "*.old",
    "inner/deep/b.old": "",
    "inner/deep/b.txt": "",
  });
  await git(join(workspace, "inner"), "init", "--quiet");
  await git(join(workspace, "inner/deep"), "init", "--quiet");
  const files = [
    ".gitignore",
    "inner/.gitignore",
    "inner/a.txt",
    "inner/deep/.gitignore",
    "inner/deep/b.txt",
  ];
  expect(await find()).toEqual(files);
  await git(join(workspace, "inner"), "commit", "--quiet", "--allow-empty", "--message=first");
  await git(workspace, "add", "inner");
  expect(await find()).toEqual(files);
});

test("files in an ignored folder are found if the search starts there", async () => {
  const { find } = await repositoryWith({ ".gitignore": "out\n", "out/a.txt": "", "out/deep/b.txt": "" });
  expect(await find()).toEqual([".gitignore"]);
  expect(await find({ path: "out" })).toEqual(["out/a.txt", "out/deep/b.txt"]);
  expect(await find({ path: "out/deep" })).toEqual(["out/deep/b.txt"]);
});

test("a linked worktree follows the shared excludes", async () => {
  const { workspace, base } = await repositoryWith({ "a.txt": "" });
  await git(workspace, "add", ".");
  await git(workspace, "commit", "--quiet", "--message=first");
  await writeFile(join(workspace, ".git/info/exclude"), "*.log\n");
  const tree = join(base, "tree");
  await git(workspace, "worktree", "add", "--quiet", tree);
  await putFiles(tree, { "b.log": "", "b.txt": "" });
  const { session } = await openTestSession({ workspace: tree });
  const { data } = await session.call("search_glob", { pattern: "**" });
  expect((data as Found).matches?.map(({ path }) => path).sort()).toEqual(["a.txt", "b.txt"]);
});

test("a tracked file that became a link to elsewhere is not followed", async () => {
  const { session, workspace, base, find } = await repositoryWith({ ".gitignore": "a/x\n", "a/x": "foo" });
  await git(workspace, "add", "--force", "a/x");
  expect(await find()).toEqual([".gitignore", "a/x"]);
  await putFiles(base, { "secret/x": "foo" });
  await rm(join(workspace, "a"), { recursive: true });
  await symlink(join(base, "secret"), join(workspace, "a"));
  expect(await find()).toEqual([".gitignore"]);
  const { data } = await session.call("search_grep", { pattern: "foo" });
  expect(data).toMatchObject({ total: 0 });
});

test("without git, the ignore files count", async () => {
  const { session, base, find } = await repositoryWith({ ".gitignore": "*.log\n", "a.log": "", "b.txt": "" });
  vi.stubEnv("PATH", base);
  expect(await find()).toEqual([".gitignore", "b.txt"]);
  const { data } = await session.call("file_gitignore", { action: "check", path: "a.log" });
  expect(data).toMatchObject({ ignored: true });
});

test("git's ignore check runs no program that the repository names", async () => {
  const { session, workspace, base, find } = await repositoryWith({ "a.txt": "" });
  const program = join(base, "program");
  await writeFile(program, `#!/bin/sh\ntouch ${JSON.stringify(join(base, "ran"))}\n`, { mode: 0o755 });
  await git(workspace, "config", "core.fsmonitor", program);
  await git(workspace, "config", "core.hooksPath", base);
  expect(await find()).toEqual(["a.txt"]);
  await session.call("file_gitignore", { action: "check", path: "a.txt" });
  expect(await readdir(base)).not.toContain("ran");
});

interface Found {
  readonly matches?: readonly { path: string }[];
  readonly files?: readonly string[];
  readonly counts?: readonly { path: string }[];
}

function asLiteral(path: string): string {
  return `:(literal)${path}`;
}

/** The NUL-separated names that git prints; check-ignore's exit code says only whether there are any. */
async function runGit(args: readonly string[], input: string, options: object): Promise<string[]> {
  const child = execFile("git", args, options);
  let output = "";
  child.stdout?.on("data", (piece: string) => {
    output += piece;
  });
  child.stdin?.on("error", () => {}).end(input);
  await new Promise((resolve) => child.on("close", resolve));
  return output.split("\0").filter((name) => name !== "");
}
