import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { fc, fuzzRuns } from "../../../../support/fuzz.ts";
import { gitEnvironment } from "../../../../support/git-environment.ts";
import { openFileSession } from "../../../../support/open-file-session.ts";

describe("adding", () => {
  test("makes the file, and leaves alone what is in it already", async () => {
    const { session, workspace } = await openFileSession({ "sub/a.txt": "" });
    const first = await session.call("file_gitignore", { action: "add", patterns: ["*.log", "dist/"] });
    expect(first).toMatchObject({ status: "done", data: { added: ["*.log", "dist/"] } });
    expect(first.text).toContain("*.log, dist/");
    const file = join(workspace, ".gitignore");
    expect(await readFile(file, "utf8")).toBe("*.log\ndist/\n");

    const again = await session.call("file_gitignore", {
      action: "add",
      patterns: ["dist/", "*.tmp", "*.tmp"],
    });
    expect(again).toMatchObject({ status: "done", data: { added: ["*.tmp"] } });
    expect(await readFile(file, "utf8")).toBe("*.log\ndist/\n*.tmp\n");
    const third = await session.call("file_gitignore", { action: "add", patterns: ["*.log"] });
    expect(third).toMatchObject({ status: "done", data: { added: [] } });
    expect(third.text).toContain("already has all of them");
    expect(third.receipt).not.toHaveProperty("undo");

    await session.call("file_gitignore", { action: "add", dir: "sub", patterns: ["x"] });
    expect(await readFile(join(workspace, "sub/.gitignore"), "utf8")).toBe("x\n");
  });

  test("goes on after a last line without a newline, and with the file's own line ends", async () => {
    const { session, workspace } = await openFileSession({
      "a/.gitignore": "one",
      "b/.gitignore": "one\r\ntwo\r\n",
    });
    await session.call("file_gitignore", { action: "add", dir: "a", patterns: ["two"] });
    expect(await readFile(join(workspace, "a/.gitignore"), "utf8")).toBe("one\ntwo\n");
    const second = await session.call("file_gitignore", {
      action: "add",
      dir: "b/",
      patterns: ["two", "three"],
    });
    expect(second.data).toMatchObject({ added: ["three"] });
    expect(await readFile(join(workspace, "b/.gitignore"), "utf8")).toBe("one\r\ntwo\r\nthree\r\n");
  });

  test("loses nothing when several are added to one file at a time", async () => {
    const { session, workspace } = await openFileSession({ ".gitignore": "first\n" });
    const patterns = Array.from({ length: 10 }, (_, index) => `p${index}`);
    await Promise.all(
      patterns.map((pattern) => session.call("file_gitignore", { action: "add", patterns: [pattern] })),
    );
    const lines = (await readFile(join(workspace, ".gitignore"), "utf8")).trimEnd().split("\n");
    expect(lines.sort()).toEqual(["first", ...patterns]);
  });

  test("refuses a pattern of two lines, and no patterns at all", async () => {
    const { session } = await openFileSession();
    for (const patterns of [["a\n!b"], [], [""], undefined]) {
      expect(await session.call("file_gitignore", { action: "add", patterns })).toMatchObject({
        status: "failed",
        error: { code: "invalid-input" },
      });
    }
  });

  test("writes the .gitignore, and needs permission to do so", async () => {
    const { session } = await openFileSession({}, { permissions: { mode: "readonly" } });
    expect(await session.call("file_gitignore", { action: "add", patterns: ["a"] })).toMatchObject({
      status: "denied",
    });
    expect(await session.call("file_gitignore", { action: "check", path: "a" })).toMatchObject({
      status: "done",
      receipt: { verdict: { permissionClass: "read" } },
    });
  });
});

describe("checking", () => {
  test("asks every .gitignore from the workspace down, the deepest last", async () => {
    const { session } = await openFileSession({
      ".gitignore": "*.log\nbuild/\n/only-here\n",
      "sub/.gitignore": "!keep.log\nlocal\nx/y\n",
      "build/.gitignore": "!back.txt\n",
    });
    const isIgnored = async (path: string, dir = ".") => {
      const { data } = await session.call("file_gitignore", { action: "check", dir, path });
      return (data as { ignored: boolean }).ignored;
    };
    expect(await isIgnored("a.log")).toBe(true);
    expect(await isIgnored("sub/a.log")).toBe(true);
    expect(await isIgnored("sub/keep.log")).toBe(false);
    expect(await isIgnored("keep.log", "sub")).toBe(false);
    expect(await isIgnored("a.log", "sub")).toBe(true);
    expect(await isIgnored("deep/local", "sub")).toBe(true);
    expect(await isIgnored("local")).toBe(false);
    expect(await isIgnored("x/y", "sub")).toBe(true);
    expect(await isIgnored("deep/x/y", "sub")).toBe(false);
    expect(await isIgnored("only-here")).toBe(true);
    expect(await isIgnored("only-here", "sub")).toBe(false);
    expect(await isIgnored("build/back.txt")).toBe(true);
    expect(await isIgnored("A.LOG")).toBe(false);
  });

  test("a pattern for folders fits what is a folder on the disk or is written as one", async () => {
    const { session, workspace } = await openFileSession({
      ".gitignore": "out/\n",
      "a/out/x": "",
      "b/y": "",
    });
    await symlink("../a/out", join(workspace, "b/out"));
    const check = async (path: string) =>
      (await session.call("file_gitignore", { action: "check", path })).text;
    expect(await check("out")).toBe("out is not ignored.");
    expect(await check("out/")).toBe("out/ is ignored.");
    expect(await check("a/out")).toBe("a/out is ignored.");
    // A link is no folder, whatever it leads to.
    expect(await check("b/out")).toBe("b/out is not ignored.");
  });

  test("tells of a secret file without reading it", async () => {
    const { session } = await openFileSession({ ".gitignore": ".env*\n", ".env": "KEY=1" });
    expect((await session.call("file_gitignore", { action: "check", path: ".env" })).text).toBe(
      ".env is ignored.",
    );
  });

  test("refuses what does not lie below dir", async () => {
    const { session } = await openFileSession({ "sub/a": "" });
    for (const path of ["../a", "a/../../b", "/etc/passwd", ".", "", undefined]) {
      expect(await session.call("file_gitignore", { action: "check", dir: "sub", path })).toMatchObject({
        status: "failed",
        error: { code: "invalid-input" },
      });
    }
    expect(await session.call("file_gitignore", { action: "check", dir: "gone", path: "a" })).toMatchObject({
      error: { code: "not-found" },
    });
  });

  test("says of any path outside a repository what git would say", { timeout: 120_000 }, async () => {
    const { session, workspace, base } = await openFileSession();
    // The repository is elsewhere, so that the tool has nothing but the patterns.
    const elsewhere = { GIT_DIR: join(base, "elsewhere.git"), GIT_WORK_TREE: workspace };
    const git = { cwd: workspace, env: { ...gitEnvironment, ...elsewhere } };
    await collect(execFile("git", ["init", "-q"], git));
    await Promise.all(folders.map((folder) => mkdir(join(workspace, folder), { recursive: true })));
    for (const path of paths.filter((each) => !folders.includes(each)))
      await writeFile(join(workspace, path), "");
    const rules = fc.record(
      Object.fromEntries(["", ...folders].map((folder) => [folder, fc.array(pattern, { maxLength: 4 })])),
    );
    await fc.assert(
      fc.asyncProperty(rules, async (byFolder) => {
        for (const [folder, lines] of Object.entries(byFolder))
          await writeFile(join(workspace, folder, ".gitignore"), lines.map((line) => `${line}\n`).join(""));
        const child = execFile("git", ["check-ignore", "--no-index", "--stdin"], git);
        child.stdin?.end(paths.join("\n"));
        const expected = new Set((await collect(child)).split("\n"));
        for (const path of paths) {
          for (const dir of new Set([".", dirname(path)])) {
            const below = dir === "." ? path : path.slice(dir.length + 1);
            const { data } = await session.call("file_gitignore", { action: "check", dir, path: below });
            expect([path, dir, data]).toEqual([
              path,
              dir,
              { action: "check", path: below, ignored: expected.has(path) },
            ]);
          }
        }
      }),
      { numRuns: fuzzRuns({ sample: 3, full: 150 }) },
    );
  });
});

const folders = ["a", "a/b", "a/b/a", "b", "a[1]"];
const paths = [
  ...folders,
  "x",
  "x.log",
  "a/x",
  "a/x.log",
  "a/b/x",
  "a/b/x.log",
  "a/b/a/x",
  "a/b/a/B",
  "b/x",
  "b/ab",
  "a[1]/x",
];

const word = fc.constantFrom(
  "a",
  "b",
  "x",
  "*",
  "?",
  "**",
  "*.log",
  "x.*",
  "a*",
  "[ab]",
  "[!x]",
  "B",
  "\\x",
  "ab",
);
const pattern = fc
  .tuple(
    fc.constantFrom("", "", "", "!"),
    fc.constantFrom("", "", "/"),
    fc.array(word, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "", "/", " "),
  )
  .map(([negation, start, words, end]) => negation + start + words.join("/") + end);

/** What it wrote; git tells by its exit code only whether anything is ignored. */
async function collect(child: ReturnType<typeof execFile>): Promise<string> {
  let output = "";
  child.stdout?.on("data", (piece: string) => {
    output += piece;
  });
  await new Promise((resolve) => child.on("close", resolve));
  return output;
}
