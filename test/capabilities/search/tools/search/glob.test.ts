import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import searchGlob from "../../../../../src/capabilities/search/tools/search/glob.ts";
import { runTool } from "../../../../../src/testing/run-tool.ts";
import { openTestSession } from "../../../../support/open-test-session.ts";
import { temporaryTree } from "./temporary-tree.ts";

test("search_glob lists files newest first with their sizes", async () => {
  const workspace = await temporaryTree({ "a.ts": "1", "src/b.ts": "12", "c.js": "1" });
  await utimes(join(workspace, "a.ts"), 1000, 1000);
  const { text, data } = await runTool(searchGlob, { pattern: "**/*.ts" }, { workspace });
  expect(text).toBe("src/b.ts  (2 bytes)\na.ts  (1 byte)");
  expect(data).toMatchObject({
    pattern: "**/*.ts",
    path: ".",
    total: 2,
    truncated: false,
    matches: [
      { path: "src/b.ts", size: 2 },
      { path: "a.ts", size: 1, mtime: "1970-01-01T00:16:40.000Z" },
    ],
  });
});

test("search_glob says that nothing matches, and where it did not look", async () => {
  const workspace = await temporaryTree({ "src/a.ts": "" });
  expect((await runTool(searchGlob, { pattern: "**/*.py" }, { workspace })).text).toBe(
    "No file matches **/*.py in .",
  );
  expect((await runTool(searchGlob, { pattern: "*.ts" }, { workspace })).text).toBe(
    "No file matches *.ts in .\n(Searched only the folder itself; pattern=**/*.ts searches its subfolders too.)",
  );
});

test("search_glob finds names that contain brackets, braces and parentheses", async () => {
  const names = [
    "src/app/[slug]/page.tsx",
    "src/app/[...all]/page.tsx",
    "src/app/[[...some]]/page.tsx",
    "src/app/(group)/page.tsx",
    "src/app/@modal/(.)photo/page.tsx",
    "src/app/{a}/page.tsx",
    "src/app/{a,b}/page.tsx",
    "src/app/[id].tsx",
    "src/app/a[1]!.tsx",
  ];
  const workspace = await temporaryTree(Object.fromEntries(names.map((name) => [name, ""])));
  const find = async (pattern: string) => {
    const { data } = await runTool(searchGlob, { pattern }, { workspace });
    return (data as { matches: { path: string }[] }).matches.map(({ path }) => path);
  };
  for (const name of names) {
    expect(await find(name)).toEqual([name]);
    expect(await find(name.replace("src/", "**/"))).toEqual([name]);
  }
  expect(await find("src/app/[slug]/*.tsx")).toEqual(["src/app/[slug]/page.tsx"]);
  expect(await find("src/app/\\[slug\\]/page.tsx")).toEqual(["src/app/[slug]/page.tsx"]);
  expect(await find("!**/page.tsx")).toHaveLength(2);
});

test("brackets and braces keep their meaning beside a name that contains them", async () => {
  const workspace = await temporaryTree({ "[ab].ts": "", "a.ts": "", "c.ts": "", "{c,d}.ts": "" });
  const find = async (pattern: string) => {
    const { data } = await runTool(searchGlob, { pattern }, { workspace });
    return (data as { matches: { path: string }[] }).matches.map(({ path }) => path).sort();
  };
  expect(await find("[ab].ts")).toEqual(["[ab].ts", "a.ts"]);
  expect(await find("{c,d}.ts")).toEqual(["c.ts", "{c,d}.ts"]);
});

test("search_glob says that the pattern matches a folder or ignored files", async () => {
  const workspace = await temporaryTree({
    ".gitignore": "*.log",
    "src/app/[slug]/page.tsx": "",
    "a.log": "",
    "dist/b.js": "",
    ".env": "",
  });
  const find = async (pattern: string) => (await runTool(searchGlob, { pattern }, { workspace })).text;
  expect(await find("src/app/[slug]")).toBe(
    "No file matches src/app/[slug] in .\n(It matches a folder; pattern=src/app/[slug]/** finds the files in it.)",
  );
  expect(await find("*.log")).toBe(
    "No file matches *.log in .\n(1 ignored file matches; include_ignored=true finds it.)",
  );
  expect(await find("dist/*.js")).toContain("include_ignored=true finds it");
  expect(await find("src/.env")).toBe("No file matches src/.env in .");
});

test("search_glob walks a second time only where that could find something", async () => {
  const workspace = await temporaryTree({ "notes/a.txt": "" });
  const find = async (pattern: string) =>
    (await runTool(searchGlob, { pattern, include_ignored: true }, { workspace })).data;
  expect(await find("notes")).toHaveProperty("near", { ignored: 0, below: 1 });
  expect(await find("**/*.md")).not.toHaveProperty("near");
});

test("search_glob tells how many files may not be told of", async () => {
  const workspace = await temporaryTree({ ".env": "KEY=1", "a.txt": "" });
  const { text } = await runTool(searchGlob, { pattern: "*" }, { workspace });
  expect(text).toBe("a.txt  (0 bytes)\n(Skipped 1 file that may hold secrets or may not be read.)");
});

test("search_glob keeps a name with a line break on one line", async () => {
  const workspace = await temporaryTree({ "a\nb": "" });
  expect((await runTool(searchGlob, { pattern: "*" }, { workspace })).text).toBe('"a\\nb"  (0 bytes)');
});

test("search_glob is Glob in the dialect flyto, with absolute paths, and the workspace by default", async () => {
  const workspace = await temporaryTree({ "src/a.ts": "", "node_modules/b.ts": "" });
  const { session } = await openTestSession({ workspace, dialect: "flyto" });
  expect((await session.call("Glob", { pattern: "**/*.ts" })).text).toBe(
    join(workspace, "src/a.ts  (0 bytes)"),
  );
  const inside = await session.call("Glob", { pattern: "*.ts", path: join(workspace, "src") });
  expect(inside.text).toBe(join(workspace, "src/a.ts  (0 bytes)"));
  const ignored = await session.call("Glob", { pattern: "**/b.ts", include_ignored: true });
  expect(ignored.text).toBe(join(workspace, "node_modules/b.ts  (0 bytes)"));
  expect(await session.call("Glob", { pattern: "*", path: "src" })).toMatchObject({
    status: "failed",
    error: { code: "invalid-input" },
  });
});

test("search_glob asks to read its path, and changes nothing", () => {
  const input = { pattern: "*", path: "src", include_ignored: false, offset: 0 };
  expect(searchGlob.permission?.(input)).toEqual({ action: "read", target: "src" });
  expect(searchGlob.traits).toMatchObject({
    readOnly: true,
    concurrencySafe: true,
    idempotent: true,
    destructive: false,
  });
});
