import { linkSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { expect, test } from "vitest";
import { flagsOf, reading, shareFlyto, shown } from "./share-flyto.ts";

// Room for all that Glob gives, so that its own limit is what is seen.
const flyto = shareFlyto({ output: { tools: { Glob: 5_000_000 } } });

const pathsIn = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("/"))
    .map((line) => line.replace(/ {2}\(\d+ bytes?\)$/, ""));

const glob = async (pattern: string, more: object = {}) =>
  (await flyto.call("Glob", { pattern, ...more })).text;
const grep = async (pattern: string, path: string, more: object = {}) =>
  (await flyto.call("Grep", { pattern, path: flyto.at(path), ...more })).text.split("\n");

test("F44: Glob takes a pattern, a path that is the workspace unless given, and include_ignored, off by default", async () => {
  expect(flagsOf(flyto.session, "Glob")).toEqual(reading);
  const { required, properties } = shown(flyto.session, "Glob").inputSchema;
  expect(required).toEqual(["pattern"]);
  expect(properties).toMatchObject({
    path: { type: "string" },
    include_ignored: { type: "boolean", default: false },
  });
  await flyto.put({ "f44/.gitignore": "*.log\n", "f44/a.txt": "", "f44/b.log": "" });
  expect(pathsIn(await glob("f44/*.{txt,log}"))).toEqual([flyto.at("f44/a.txt")]);
  expect(pathsIn(await glob("*.txt", { path: flyto.at("f44") }))).toEqual([flyto.at("f44/a.txt")]);
  expect(pathsIn(await glob("f44/*.log", { include_ignored: true }))).toEqual([flyto.at("f44/b.log")]);
});

test("F45: ** goes into folders; what .gitignore names is left out, and so are the usual folders of others", async () => {
  const excluded = [
    ".git/x",
    "node_modules/x",
    "__pycache__/x",
    ".DS_Store",
    "x.pyc",
    "vendor/x",
    "dist/x",
    "build/x",
  ];
  const files = ["top.txt", "deep/er/still.txt", "deep/ignored.txt", ...excluded];
  await flyto.put({
    ...Object.fromEntries(files.map((path) => [`f45/${path}`, ""])),
    "f45/.gitignore": "ignored.txt\n",
  });
  const found = pathsIn(await glob("**/*", { path: flyto.at("f45") }));
  const wanted = [".gitignore", "deep/er/still.txt", "top.txt"];
  expect(found.toSorted()).toEqual(wanted.map((path) => flyto.at(`f45/${path}`)));
});

test("F46: Glob lists the newest first with their sizes, and no more than 10,000", async () => {
  await flyto.put({ "f46/old.txt": "12345", "f46/new.txt": "1", "f46/older.txt": "" });
  for (const [name, seconds] of Object.entries({ old: 2000, new: 3000, older: 1000 }))
    await utimes(flyto.at(`f46/${name}.txt`), seconds, seconds);
  expect(await glob("f46/*")).toBe(
    [
      `${flyto.at("f46/new.txt")}  (1 byte)`,
      `${flyto.at("f46/old.txt")}  (5 bytes)`,
      `${flyto.at("f46/older.txt")}  (0 bytes)`,
    ].join("\n"),
  );
  await flyto.put({ "f46-many/1": "" });
  // Names of one file, because ten thousand files take seconds to make.
  for (let number = 2; number <= 10_001; number += 1)
    linkSync(flyto.at("f46-many/1"), flyto.at(`f46-many/${number}`));
  const some = await flyto.call("Glob", { pattern: "f46-many/*" });
  expect(pathsIn(some.text)).toHaveLength(10_000);
  expect(some.truncated).toBe(true);
  expect(some.text).toContain("(Showing 1-10000 of 10001. Continue with offset=10000.)");
});

test("F47: Grep takes a pattern and optionally path, glob, output_mode, context, case_insensitive and head_limit", async () => {
  expect(flagsOf(flyto.session, "Grep")).toEqual(reading);
  const { required, properties } = shown(flyto.session, "Grep").inputSchema;
  expect(required).toEqual(["pattern"]);
  expect(properties).toMatchObject({
    path: { type: "string" },
    glob: { type: "string" },
    output_mode: { type: "string", enum: ["content", "files_with_matches", "count"] },
    context: { type: "integer" },
    case_insensitive: { type: "boolean" },
    head_limit: { type: "integer", default: 250 },
  });
  await flyto.put({ "f47/a.ts": "before\nNeedle f47\nafter\n", "f47/a.go": "needle f47\n" });
  const inTs = { glob: "*.ts", case_insensitive: true, context: 1 };
  const found = ["a.ts-1-before", "a.ts:2:>>Needle f47<<", "a.ts-3-after"];
  expect(await grep("needle f47", "f47", inTs)).toEqual(found.map((line) => flyto.at(`f47/${line}`)));
  const everywhere = await flyto.call("Grep", { pattern: "needle f47" });
  expect(everywhere.text).toBe(flyto.at("f47/a.go:1:>>needle f47<<"));
  expect(await grep("eedle", "f47", { head_limit: 1 })).toHaveLength(2);
});

test("F48: Grep knows regular expressions, marks what matched, skips binary and ignored files and cuts long output", async () => {
  await flyto.put({
    "f48/.gitignore": "ignored.txt\n",
    "f48/ignored.txt": "key=1\n",
    "f48/a.txt": "key=12, KEY=3\nnone\nkey = 4\n",
    "f48/program": "key=5\0",
    "f48-long/exact.txt": `key${"x".repeat(497)}\n`,
    "f48-long/over.txt": `key${"x".repeat(498)}\n`,
    "f48-many.txt": "key\n".repeat(251),
  });
  expect(await grep("\\b(key)\\s*=\\s*[0-9]+", "f48")).toEqual([
    flyto.at("f48/a.txt:1:>>key=12<<, KEY=3"),
    flyto.at("f48/a.txt:3:>>key = 4<<"),
  ]);
  const files = await grep("key", "f48", { output_mode: "files_with_matches" });
  expect(files).toEqual([flyto.at("f48/a.txt")]);
  const counts = await grep("key", "f48", { output_mode: "count", case_insensitive: true });
  expect(counts).toEqual([flyto.at("f48/a.txt:3"), "Total: 3 in 1 file"]);
  const [exact] = await grep("key", "f48-long/exact.txt");
  expect(exact).toMatch(/>>key<<x{497}$/);
  const [over] = await grep("key", "f48-long/over.txt");
  expect(over).toMatch(/>>key<<x{497}… \(1 more character\)$/);
  const many = await grep("key", "f48-many.txt");
  expect(many.filter((line) => line.includes(">>key<<"))).toHaveLength(250);
  expect(many.at(-1)).toBe("(Showing 1-250 of 251. Continue with offset=250.)");
});
