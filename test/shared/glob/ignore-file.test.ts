import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readIgnoreFile, toByteText } from "../../../src/shared/glob/ignore-file.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";
import { gitEnvironment } from "../../support/git-environment.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

/** Whether the rules of a topmost file ignore a path, as git walks down to it. */
function isIgnored(text: string, path: string): boolean {
  const rules = readIgnoreFile(text).toReversed();
  const names = path.split("/").filter((name) => name !== "");
  return names.some((_, index) => {
    const isFolder = index < names.length - 1 || path.endsWith("/");
    const below = toByteText(names.slice(0, index + 1).join("/"));
    const decisive = rules.find((rule) => (isFolder || !rule.isForFolders) && rule.matches(below));
    return decisive !== undefined && !decisive.isNegated;
  });
}

test("two stars before an escaped slash stand for at least one folder, as in git", () => {
  const matched = (text: string) =>
    ["c", "x/c", "x/y/c", "a/c", "a/x/c"].filter((path) => isIgnored(text, path));
  expect(matched("**\\/c")).toEqual(["x/c", "x/y/c", "a/c", "a/x/c"]);
  expect(matched("a/**\\/c")).toEqual(["a/x/c"]);
  expect(matched("a/**/c")).toEqual(["a/c", "a/x/c"]);
});

const piece = fc.constantFrom(
  ...[
    "a",
    "b",
    "ab",
    "é",
    "*",
    "**",
    "?",
    "/",
    "[ab]",
    "[!a]",
    "[^b]",
    "[a-c]",
    "[]a]",
    "[[:alpha:]]",
    "[[:nope:]]",
  ],
  ...[
    "[a",
    "[]",
    "[a/b]",
    "\\",
    "\\a",
    "\\*",
    "\\/",
    "!",
    "#",
    " ",
    "\\ ",
    "\t",
    "\r",
    ".",
    "-",
    "{a,b}",
    "[a-",
    "[\\]]",
    "[a\\-c]",
  ],
);
const line = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
const name = fc.constantFrom("a", "b", "ab", "ba", "aab", "é", "c", "*", "[a", "a b", "-", "{a,b}", "]");
const path = fc
  .tuple(fc.array(name, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([names, isFolder]) => names.join("/") + (isFolder ? "/" : ""));

test("git says the same of any path and any ignore file", async () => {
  const folder = await temporaryFolder();
  const git = (args: readonly string[], input = "") =>
    new Promise<string>((resolve) => {
      const child = execFile("git", [...args], { cwd: folder, env: gitEnvironment }, (_error, stdout) =>
        resolve(stdout),
      );
      // Git may end before it has read it.
      child.stdin?.on("error", () => {}).end(input);
    });
  await git(["init", "--quiet"]);
  await mkdir(join(folder, "x"));
  const files = fc.sample(
    fc.tuple(
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.array(path, { minLength: 40, maxLength: 40 }),
    ),
    fuzzRuns({ sample: 20, full: 3000 }),
  );
  for (const [lines, paths] of files) {
    const text = lines.join("\n");
    await writeFile(join(folder, ".gitignore"), text);
    const answer = await git(
      ["check-ignore", "--no-index", "--stdin", "-z"],
      paths.map((each) => `${each}\0`).join(""),
    );
    const ignored = new Set(answer.split("\0").filter((each) => each !== ""));
    for (const each of paths) {
      const ours = isIgnored(text, each);
      if (ours === ignored.has(each)) continue;
      // Patterns also match the slash at the end of such a path, which a folder that is there does not have.
      expect(each, `${JSON.stringify(text)} and ${each}`).toMatch(/\/$/);
      await mkdir(join(folder, each), { recursive: true });
      const again = await git(["check-ignore", "--no-index", "--stdin", "-z"], `${each.slice(0, -1)}\0`);
      await rm(join(folder, each.split("/")[0]!), { recursive: true });
      expect(ours, `${JSON.stringify(text)} and the folder ${each}`).toBe(again !== "");
    }
  }
}, 300_000);
