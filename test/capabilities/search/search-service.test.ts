import { execFile } from "node:child_process";
import { chmod, readdir, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openWorkspace } from "../../../src/capabilities/files/workspace.ts";
import type { FoundFiles, FoundLines } from "../../../src/tool/services/search.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";
import { needs } from "../../support/needs.ts";
import { putFiles } from "../../support/temporary-folder.ts";
import { openSearch, temporarySearch } from "./temporary-search.ts";

const all = { maxFiles: 10_000, maxLines: 10_000 };

test("a search finds files newest first, with sizes and times", async () => {
  const { search, root } = await temporarySearch({ "old.ts": "1", "new.ts": "123", "sub/mid.ts": "12" });
  await utimes(join(root, "old.ts"), 1000, 1000);
  await utimes(join(root, "sub/mid.ts"), 2000, 2000);
  await utimes(join(root, "new.ts"), 3000, 3000);
  expect(await search.glob({ pattern: "**/*.ts", path: ".", ...all })).toEqual({
    path: ".",
    files: [
      { path: "new.ts", sizeBytes: 3, modifiedAt: "1970-01-01T00:50:00.000Z" },
      { path: "sub/mid.ts", sizeBytes: 2, modifiedAt: "1970-01-01T00:33:20.000Z" },
      { path: "old.ts", sizeBytes: 1, modifiedAt: "1970-01-01T00:16:40.000Z" },
    ],
    totalFiles: 3,
    leftOut: 0,
    unreadable: 0,
  });
  const files = await search.grepFiles({ pattern: "1", path: ".", ...all });
  expect(paths(files)).toEqual(["new.ts", "sub/mid.ts", "old.ts"]);
});

test("a search names what it finds relative to the workspace, wherever it began", async () => {
  const { search, root } = await temporarySearch({ "src/deep/a.ts": "foo", "b.ts": "foo" });
  expect(paths(await search.glob({ pattern: "**/*.ts", path: "src", ...all }))).toEqual(["src/deep/a.ts"]);
  expect(paths(await search.glob({ pattern: "deep/*", path: join(root, "src"), ...all }))).toEqual([
    "src/deep/a.ts",
  ]);
  expect(paths(await search.glob({ pattern: `${root}/src/**`, path: ".", ...all }))).toEqual([
    "src/deep/a.ts",
  ]);
  expect(linePaths(await search.grep({ pattern: "foo", path: "src/deep", ...all }))).toEqual([
    "src/deep/a.ts",
  ]);
  await expect(search.glob({ pattern: "/etc/*", path: ".", ...all })).rejects.toMatchObject({
    code: "invalid-input",
  });
});

test("a search names what lies in another root by its whole path", async () => {
  const { root, outside } = await temporarySearch({ "a.ts": "foo" });
  await writeFile(join(outside, "b.ts"), "foo");
  const workspace = await openWorkspace({ root, extraRoots: [outside] });
  const search = await openSearch(workspace);
  expect(paths(await search.glob({ pattern: "*", path: outside, ...all }))).toEqual([join(outside, "b.ts")]);
});

const litter = {
  "a.ts": "foo",
  ".hidden/b.ts": "foo",
  ".git/config": "foo",
  "node_modules/m/index.js": "foo",
  "py/__pycache__/c.txt": "foo",
  "py/c.pyc": "foo",
  ".DS_Store": "foo",
  "go/vendor/d.go": "foo",
  "dist/e.js": "foo",
  "sub/build/f.js": "foo",
  "out.log": "foo",
  ".gitignore": "*.log\n/ignored/\n",
  "ignored/g.ts": "foo",
  "sub/.gitignore": "local.txt\n!kept.log\n",
  "sub/local.txt": "foo",
  "sub/kept.log": "foo",
  "sub/h.ts": "foo",
};
const kept = [".hidden/b.ts", "a.ts", "sub/h.ts", "sub/kept.log"];

test("a search skips what .gitignore at every level and the default excludes leave out, and nothing else", async () => {
  const { search } = await temporarySearch(litter);
  const scope = { path: ".", ...all };
  const found = paths(await search.glob({ pattern: "**", ...scope })).sort();
  expect(found).toEqual([".gitignore", ...kept, "sub/.gitignore"].sort());
  expect(linePaths(await search.grep({ pattern: "foo", ...scope }))).toEqual(kept);
  expect(paths(await search.grepFiles({ pattern: "foo", ...scope })).sort()).toEqual(kept);
  expect((await search.grepCounts({ pattern: "foo", ...scope })).files.map(({ path }) => path)).toEqual(kept);
});

test("a folder need not be a repository for its .gitignore to count", async () => {
  const { search } = await temporarySearch({ ".gitignore": "*.log\n", "a.log": "foo", "b.txt": "foo" });
  expect(linePaths(await search.grep({ pattern: "foo", path: ".", ...all }))).toEqual(["b.txt"]);
});

test("a search finds ignored files if asked to, or if it begins inside", async () => {
  const { search } = await temporarySearch(litter);
  const everything = await search.glob({ pattern: "**", path: ".", includeIgnored: true, ...all });
  expect(paths(everything).sort()).toEqual(Object.keys(litter).sort());
  expect(
    linePaths(await search.grep({ pattern: "foo", path: ".", includeIgnored: true, ...all })),
  ).toHaveLength(Object.keys(litter).length - 2);
  expect(linePaths(await search.grep({ pattern: "foo", path: "node_modules", ...all }))).toEqual([
    "node_modules/m/index.js",
  ]);
  expect(linePaths(await search.grep({ pattern: "foo", path: "out.log", ...all }))).toEqual(["out.log"]);
});

test("a glob narrows a search and never brings back what is ignored", async () => {
  const { search } = await temporarySearch(litter);
  const find = async (glob: string) =>
    linePaths(await search.grep({ pattern: "foo", path: ".", glob, ...all }));
  expect(await find("*.log")).toEqual(["sub/kept.log"]);
  expect(await find("*.ts")).toEqual([".hidden/b.ts", "a.ts", "sub/h.ts"]);
  expect(await find("sub/*.ts")).toEqual(["sub/h.ts"]);
  expect(await find("/*.ts")).toEqual(["a.ts"]);
  expect(await find("!*.ts")).toEqual(["sub/kept.log"]);
  expect(await find("{sub,.hidden}/*.{ts,log}")).toEqual([".hidden/b.ts", "sub/h.ts", "sub/kept.log"]);
  expect(await find("[ah].ts")).toEqual(["a.ts", "sub/h.ts"]);
  const counts = await search.grepCounts({ pattern: "foo", path: ".", glob: "sub/*.ts", ...all });
  expect(counts.files).toEqual([{ path: "sub/h.ts", matches: 1 }]);
  expect(paths(await search.grepFiles({ pattern: "foo", path: ".", glob: "sub/*.ts", ...all }))).toEqual([
    "sub/h.ts",
  ]);
  expect(await find("--pre=sh")).toEqual([]);
  expect(await find("*.{")).toEqual([]);
});

test("a type narrows a search; an unknown one is refused", async () => {
  const { search } = await temporarySearch({ "a.ts": "foo", "b.py": "foo", "src/c.ts": "foo" });
  const scope = { pattern: "foo", path: ".", ...all };
  expect(linePaths(await search.grep({ ...scope, type: "py" }))).toEqual(["b.py"]);
  expect(linePaths(await search.grep({ ...scope, type: "ts", glob: "src/**" }))).toEqual(["src/c.ts"]);
  await expect(search.grep({ ...scope, type: "nothing" })).rejects.toMatchObject({
    code: "invalid-input",
    message: expect.stringContaining('no file type "nothing"'),
  });
});

test.each([
  ["zzz;touch\tPWNED;true", "say zzz;touch\tPWNED;true now"],
  ["alpha|beta", "beta"],
  ["foo\\(bar\\)", "foo(bar)"],
  ["--files", "use --files"],
  ["--pre=sh", "use --pre=sh"],
  ["-e", "use -e"],
  ["\\$\\(touch PWNED\\)", "$(touch PWNED)"],
  ["'\"`", "quotes '\"` here"],
])("a search takes %s as a pattern and nothing else", async (pattern, text) => {
  const { search, root } = await temporarySearch({ "a.txt": `${text}\nother\n` });
  const { lines } = await search.grep({ pattern, path: ".", ...all });
  expect(lines.map((line) => line.text)).toEqual([text]);
  expect(await readdir(root)).toEqual(["a.txt"]);
});

test("names with line breaks, colons, dashes, quotes and bytes that are no text stay whole names", async () => {
  const names = ["a\nb.txt", "c:1:d.txt", "--pre=sh", "-e", 'quo"te', "[x]{a,b}!*.txt", "sp ace"];
  const { search, root } = await temporarySearch(Object.fromEntries(names.map((name) => [name, "foo foo"])));
  const odd = Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]);
  await writeFile(odd, "foo foo");
  const expected = [...names, "caf\uFFFD"].sort();
  const scope = { path: ".", ...all };
  expect(paths(await search.glob({ pattern: "*", ...scope })).sort()).toEqual(expected);
  expect(linePaths(await search.grep({ pattern: "foo", ...scope }))).toEqual(expected);
  expect(paths(await search.grepFiles({ pattern: "foo", ...scope })).sort()).toEqual(expected);
  const counts = await search.grepCounts({ pattern: "foo", ...scope });
  expect(counts.files).toEqual(expected.map((path) => ({ path, matches: 2 })));
  expect(counts.totalMatches).toBe(expected.length * 2);
  for (const path of names) {
    expect(linePaths(await search.grep({ pattern: "foo", ...scope, path }))).toEqual([path]);
  }
});

test("a search follows no links, whether they lead outside or in circles", async () => {
  const { search, root, outside } = await temporarySearch({ "a.txt": "foo" });
  await writeFile(join(outside, "secret.txt"), "foo");
  await symlink(join(outside, "secret.txt"), join(root, "file-link"));
  await symlink(outside, join(root, "folder-link"));
  await symlink(".", join(root, "circle"));
  await symlink("nowhere", join(root, "dangling"));
  const scope = { path: ".", includeIgnored: true, ...all };
  expect(linePaths(await search.grep({ pattern: "foo", ...scope }))).toEqual(["a.txt"]);
  expect(paths(await search.glob({ pattern: "**", ...scope }))).toEqual(["a.txt"]);
  for (const path of ["file-link", "folder-link", "../outside", outside]) {
    await expect(search.grep({ pattern: "foo", ...scope, path })).rejects.toMatchObject({
      code: "outside-workspace",
    });
    await expect(search.glob({ pattern: "*", ...scope, path })).rejects.toMatchObject({
      code: "outside-workspace",
    });
  }
});

test("a link that leads inside may be where a search begins", async () => {
  const { search, root } = await temporarySearch({ "real/a.txt": "foo" });
  await symlink("real", join(root, "link"));
  expect(linePaths(await search.grep({ pattern: "foo", path: "link", ...all }))).toEqual(["real/a.txt"]);
});

test("a search does not wait on a pipe, in the tree or named", async () => {
  const { search, root } = await temporarySearch({ "a.txt": "foo" });
  await promisify(execFile)("mkfifo", [join(root, "pipe")]);
  const scope = { path: ".", includeIgnored: true, ...all };
  expect(linePaths(await search.grep({ pattern: "foo", ...scope }))).toEqual(["a.txt"]);
  await expect(search.grep({ pattern: "foo", ...scope, path: "pipe" })).rejects.toMatchObject({
    code: "not-a-file",
  });
});

test("a search says which path or folder is missing", async () => {
  const { search } = await temporarySearch({ "a.txt": "foo" });
  await expect(search.grep({ pattern: "foo", path: "b.txt", ...all })).rejects.toMatchObject({
    code: "not-found",
  });
});

test("a search skips binary files, also matches before the first NUL", async () => {
  const { search } = await temporarySearch({
    "a.bin": "foo\n\0bar",
    "late.bin": `foo\n${"x\n".repeat(50_000)}\0`,
    "b.txt": "foo",
  });
  const scope = { path: ".", ...all };
  expect(linePaths(await search.grep({ pattern: "foo", ...scope }))).toEqual(["b.txt"]);
  expect(paths(await search.grepFiles({ pattern: "foo", ...scope }))).toContain("b.txt");
  expect(linePaths(await search.grep({ pattern: "foo", ...scope, path: "a.bin" }))).toEqual([]);
});

test("a search finds text in UTF-16 and the ends of lines that end in CRLF", async () => {
  const { search } = await temporarySearch({
    "wide.txt": Buffer.from("\uFEFFone\nfoo\n", "utf16le"),
    "dos.txt": "a foo\r\nb\r\n",
  });
  const { lines } = await search.grep({ pattern: "foo$", path: ".", ...all });
  expect(lines.map(({ path, line, text }) => [path, line, text])).toEqual([
    ["dos.txt", 1, "a foo"],
    ["wide.txt", 2, "foo"],
  ]);
});

test("a search goes by case, plain text and across lines as asked", async () => {
  const { search } = await temporarySearch({ "a.txt": "Foo\nf.o\nbar\n" });
  const find = async (query: object) =>
    (await search.grep({ pattern: "f.o", path: ".", ...all, ...query })).lines.map(({ line }) => line);
  expect(await find({})).toEqual([2]);
  expect(await find({ ignoreCase: true })).toEqual([1, 2]);
  expect(await find({ ignoreCase: true, literal: true })).toEqual([2]);
  expect(await find({ pattern: "o.bar" })).toEqual([]);
  expect(await find({ pattern: "o.bar", multiline: true })).toEqual([2, 3]);
});

test("a search gives the lines around a match, in order, once each", async () => {
  const { search } = await temporarySearch({ "a.txt": "1\n2\nfoo\n4\nfoo\n6\n7\n" });
  const { lines } = await search.grep({ pattern: "foo", path: ".", before: 1, after: 1, ...all });
  expect(lines.map(({ line, kind }) => [line, kind])).toEqual([
    [2, "context"],
    [3, "match"],
    [4, "context"],
    [5, "match"],
    [6, "context"],
  ]);
});

test("a search gives the lines and places that a search by hand gives, whatever stands in the files", async () => {
  const { search, root } = await temporarySearch();
  const part = fc.constantFrom(
    "a",
    "ab",
    "b",
    "\n",
    "\r\n",
    "\n\n",
    "ä",
    "😀",
    "1:",
    "2-",
    "--",
    "./x.txt",
    "\u0001",
  );
  const content = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(fc.record({ "x.txt": content, "y\nz.txt": content }), async (files) => {
      await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(root, name), text)));
      const { lines } = await search.grep({ pattern: "ab?", path: ".", ...all });
      const byHand = Object.entries(files).flatMap(([path, text]) =>
        text.split("\n").flatMap((given, index) => {
          const line = given.replace(/\r$/, "");
          const matches = [...line.matchAll(/ab?/g)].map((found) => [
            found.index,
            found.index + found[0].length,
          ]);
          return matches.length === 0 ? [] : [[path, index + 1, line, matches]];
        }),
      );
      expect(lines.map(({ path, line, text, matches }) => [path, line, text, matches])).toEqual(byHand);
    }),
    { numRuns: fuzzRuns({ sample: 12, full: 1000 }) },
  );
});

test("a match that ends with its line gives no line more", async () => {
  const { search } = await temporarySearch({ "a.txt": "x foo\nbar\nfoo\n\nfoo\nfoo\n" });
  const query = { pattern: "foo\\n", path: ".", multiline: true, ...all };
  const numbers = async (around: object) =>
    (await search.grep({ ...query, ...around })).lines.map(({ line, kind }) => `${line} ${kind}`);
  const found = ["1 match", "3 match", "5 match", "6 match"];
  expect(await numbers({})).toEqual(found);
  expect(await numbers({ before: 1, after: 1 })).toEqual([...found, "2 context", "4 context"].sort());
});

test("a search refuses what ripgrep does not understand, in its words", async () => {
  const { search } = await temporarySearch({ "a.txt": "foo" });
  for (const pattern of ["(", "a\\", "(?=x)"]) {
    for (const find of [search.grep, search.grepFiles, search.grepCounts]) {
      await expect(find({ pattern, path: ".", ...all })).rejects.toMatchObject({
        code: "invalid-input",
        message: expect.stringContaining("regex parse error"),
      });
    }
  }
  await expect(search.grep({ pattern: "a\0b", path: ".", ...all })).rejects.toMatchObject({
    code: "invalid-input",
  });
});

test("a search stops at the number of lines that is asked for", async () => {
  const { search } = await temporarySearch({ "a.txt": "foo\n".repeat(30_000), "b.txt": "foo\n".repeat(5) });
  const { lines, hasMore } = await search.grep({ pattern: "foo", path: ".", maxLines: 100 });
  expect([lines.length, hasMore]).toEqual([100, true]);
  const exact = await search.grep({ pattern: "foo", path: "b.txt", maxLines: 5 });
  expect([exact.lines.length, exact.hasMore]).toEqual([5, false]);
});

test("a search counts a line that is too long to look at", async () => {
  const { search } = await temporarySearch({ "a.txt": `foo${"x".repeat(9 * 1024 * 1024)}\nfoo\n` });
  const { lines, overlong } = await search.grep({ pattern: "foo", path: ".", ...all });
  expect([lines.map(({ line }) => line), overlong]).toEqual([[2], 1]);
});

test("a search leaves out files that may not be shown, by their name, their place or the caller's decision", async () => {
  const seen: string[] = [];
  const { search, root } = await temporarySearch(
    { ".env": "foo", "keys/id_rsa": "foo", "private/a.txt": "foo", "b.txt": "foo" },
    {
      mayShow: ({ relative, floor }) => {
        seen.push(`${relative} ${floor?.decision ?? "free"}`);
        return floor === undefined && !relative?.startsWith("private/");
      },
    },
  );
  const glob = await search.glob({ pattern: "**", path: ".", ...all });
  expect([paths(glob), glob.leftOut]).toEqual([["b.txt"], 3]);
  expect(seen.sort()).toEqual([".env ask", "b.txt free", "keys/id_rsa ask", "private/a.txt free"]);
  const scope = { pattern: "foo", path: ".", ...all };
  expect(linePaths(await search.grep(scope))).toEqual(["b.txt"]);
  expect(paths(await search.grepFiles(scope))).toEqual(["b.txt"]);
  expect(await search.grepCounts(scope)).toMatchObject({ totalFiles: 1, totalMatches: 1 });
  // The gate decides on a file that is named itself.
  expect(linePaths(await search.grep({ ...scope, path: join(root, ".env") }))).toEqual([".env"]);
});

test("the count of files left out does not depend on their content", async () => {
  const { search } = await temporarySearch(
    { ".env": "KEY=1" },
    { mayShow: ({ floor }) => floor === undefined },
  );
  const scope = { path: ".", ...all };
  expect(await search.grepFiles({ pattern: "KEY=1", ...scope })).toEqual(
    await search.grepFiles({ pattern: "KEY=2", ...scope }),
  );
});

test("a search never shows a hidden folder unless it starts inside it", async () => {
  const { workspace, root } = await temporarySearch({ "state/log.txt": "foo", "statement.txt": "foo" });
  const search = await openSearch({ ...workspace, own: [join(root, "state")] });
  expect(linePaths(await search.grep({ pattern: "foo", path: ".", ...all }))).toEqual(["statement.txt"]);
  expect(linePaths(await search.grep({ pattern: "foo", path: "state", ...all }))).toEqual(["state/log.txt"]);
});

const testAsPlainUser = await needs("plain user");

testAsPlainUser("a search goes on past what may not be read, and counts it", async () => {
  const { search, root } = await temporarySearch({ "a.txt": "foo", "locked/b.txt": "foo" });
  await chmod(join(root, "locked"), 0o000);
  try {
    const found = await search.grep({ pattern: "foo", path: ".", ...all });
    expect([linePaths(found), found.unreadable]).toEqual([["a.txt"], 1]);
  } finally {
    await chmod(join(root, "locked"), 0o700);
  }
});

test("a search finds every one of 20,000 files", async () => {
  const { search, root } = await temporarySearch();
  const names = Array.from({ length: 20_000 }, (_, index) => `d${index % 20}/f${Math.floor(index / 20)}.txt`);
  putFiles(root, Object.fromEntries(names.map((name) => [name, "x"])));
  await utimes(join(root, "d7/f7.txt"), 4_000_000_000, 4_000_000_000);
  const { files, totalFiles } = await search.glob({
    pattern: "**/*.txt",
    path: ".",
    maxFiles: 10_000,
  });
  expect([files.length, totalFiles, files[0]?.path]).toEqual([10_000, 20_000, "d7/f7.txt"]);
  expect(new Set(files.map(({ path }) => path)).size).toBe(10_000);
  expect(files.every(({ sizeBytes }) => sizeBytes === 1)).toBe(true);
});

test("an environment or configuration of ripgrep's changes nothing", async () => {
  const { search, root } = await temporarySearch({ "a.txt": "foo", ".ripgreprc": "--pre=sh\n" });
  process.env.RIPGREP_CONFIG_PATH = join(root, ".ripgreprc");
  try {
    expect(linePaths(await search.grep({ pattern: "foo", path: ".", ...all }))).toEqual(["a.txt"]);
  } finally {
    delete process.env.RIPGREP_CONFIG_PATH;
  }
});

function paths({ files }: FoundFiles): string[] {
  return files.map(({ path }) => path);
}

function linePaths({ lines }: FoundLines): string[] {
  return [...new Set(lines.map(({ path }) => path))];
}
