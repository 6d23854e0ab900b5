import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sha256 } from "../../../../../src/shared/crypto.ts";
import { fc, fuzzRuns } from "../../../../support/fuzz.ts";
import { openFileSession } from "../../../../support/open-file-session.ts";

/** A file, read, and the outcome of one edit of it. */
async function edit(content: string | Uint8Array, old_string: string, new_string: string, more: object = {}) {
  const { session, workspace } = await openFileSession({ "a.txt": content });
  await session.call("file_read", { path: "a.txt" });
  const result = await session.call("file_edit", { path: "a.txt", old_string, new_string, ...more });
  return { session, workspace, result, content: await readFile(join(workspace, "a.txt"), "utf8") };
}

test("file_edit replaces the one place, and tells the count, the line, the diff and the new hash", async () => {
  const { result, content } = await edit("one\ntwo\nthree\n", "two", "zwei");
  expect(content).toBe("one\nzwei\nthree\n");
  expect(result).toMatchObject({
    status: "done",
    data: {
      path: "a.txt",
      replacements: 1,
      lines: [2],
      matchedBy: "exact",
      wasUnread: false,
      hash: sha256(content),
    },
  });
  expect(result.text).toContain("Edited a.txt: 1 replacement, at line 2.");
  expect(result.text).toContain("-two\n+zwei\n");
  expect(result.text).toContain(sha256(content).slice(0, 16));
  expect(result.text).not.toContain("when ignoring");
});

test("file_edit takes the new text literally", async () => {
  for (const replacement of ["$&", "$'", "$`", "$1", "$$", "\\1", "a$&b"]) {
    const { content } = await edit("x OLD y", "OLD", replacement);
    expect(content).toBe(`x ${replacement} y`);
    const all = await edit("OLD OLD", "OLD", replacement, { replace_all: true });
    expect(all.content).toBe(`${replacement} ${replacement}`);
  }
});

test("file_edit takes the old text literally", async () => {
  const { content } = await edit("a.c abc a+c", "a.c", "x");
  expect(content).toBe("x abc a+c");
});

test("file_edit lists every line if the text stands more than once, and changes nothing", async () => {
  const before = "x\nsame\ny\nsame\nsame\n";
  const { result, content } = await edit(before, "same", "other");
  expect(result).toMatchObject({ status: "failed", error: { code: "ambiguous-match" } });
  expect(result.text).toContain("3 times in a.txt, at lines 2, 4, 5");
  expect(result.text).toContain("replace all");
  expect(content).toBe(before);
});

test("file_edit replaces all matches where that is asked for", async () => {
  const { result, content } = await edit("x\nsame\nsame same\n", "same", "other", { replace_all: true });
  expect(content).toBe("x\nother\nother other\n");
  expect(result.text).toContain("3 replacements, at lines 2, 3 and 3");
  expect(result.data).toMatchObject({ replacements: 3 });
});

test("file_edit refuses an empty old text and one that is the new text, whatever is asked for", async () => {
  for (const [old_string, new_string] of [
    ["", "x"],
    ["one", "one"],
  ] as const) {
    for (const replace_all of [false, true]) {
      const { result, content } = await edit("one\n", old_string, new_string, { replace_all });
      expect(result).toMatchObject({ status: "failed", error: { code: "invalid-input" } });
      expect(content).toBe("one\n");
    }
  }
});

describe("text that does not stand there exactly", () => {
  test("is found with other line ends, and the file keeps its own", async () => {
    const { result, content } = await edit("one\r\ntwo\r\nthree\r\n", "one\ntwo\n", "1\n2\n2a\n");
    expect(content).toBe("1\r\n2\r\n2a\r\nthree\r\n");
    expect(result.data).toMatchObject({ matchedBy: "line-endings" });
    expect(result.text).toContain("matched only when ignoring line endings");
  });

  test("is found with other space at the ends of lines", async () => {
    const { result, content } = await edit("one  \ntwo\t\nthree\n", "one\ntwo\n", "1\n2\n");
    expect(content).toBe("1\n2\nthree\n");
    expect(result.text).toContain("when ignoring trailing whitespace");
  });

  test("is found with another indentation, which the new text gets too", async () => {
    const { result, content } = await edit(
      "if (x) {\n        first();\n        second();\n}\n",
      "    first();\n    second();\n",
      "    first();\n    if (y) {\n      second();\n    }\n",
    );
    expect(content).toBe("if (x) {\n        first();\n        if (y) {\n          second();\n        }\n}\n");
    expect(result.text).toContain("when ignoring indentation; new lines were re-indented to match the file");
  });

  test("is found with typographic quotes, dashes and spaces", async () => {
    const { result, content } = await edit("say “hello” — now\nbye\n", 'say "hello" - now', "say nothing");
    expect(content).toBe("say nothing\nbye\n");
    expect(result.text).toContain("when ignoring the style of quotes, dashes and spaces");
  });

  test("is not found with other words, and one of two such places is not chosen", async () => {
    const other = await edit("const total = sum(items);\n", "const total = sum(item);", "x");
    expect(other.result).toMatchObject({ status: "failed", error: { code: "no-match" } });
    const twice = await edit("one \ntwo\nx\none\t\ntwo\n", "one\ntwo\n", "1\n2\n");
    expect(twice.result).toMatchObject({ error: { code: "ambiguous-match" } });
    expect(twice.result.text).toContain("at lines 1, 4");
    expect(twice.content).toBe("one \ntwo\nx\none\t\ntwo\n");
  });
});

describe("text that is not there", () => {
  test("is told with the closest region and what differs in it", async () => {
    const before = "function add(a, b) {\n  return a + b;\n}\n\nfunction other() {}\n";
    const { result, content } = await edit(
      before,
      "function add(a, b) {\n  return a - b;\n}",
      "function add() {}",
    );
    expect(result).toMatchObject({ status: "failed", error: { code: "no-match" } });
    expect(result.text).toContain("Closest match, lines 1-3");
    expect(result.text).toContain(">     2\t  return a + b;");
    expect(result.text).toContain("First difference, line 2:");
    expect(content).toBe(before);
  });

  test("is told when only whitespace, case, line numbers or escapes stand in the way", async () => {
    const text = "  let value = compute(input);\n  finish(value);\n";
    const told = async (old: string) => (await edit(text, old, "x")).result.text;
    expect(await told("let   value=compute( input );")).toContain("only its whitespace differs");
    expect(await told("LET VALUE = COMPUTE(INPUT);")).toContain("only its upper and lower case differ");
    expect(await told("     1\t  let value = compute(input);\n     2\t  finish(value);")).toContain(
      "line numbers",
    );
    expect(await told("compute(input);\\n  finish")).toContain("escape sequences");
    expect(await told("nothing of the kind whatsoever 42")).toContain("nor anything like it");
    expect((await edit("", "x", "y")).result.text).toContain("which is empty");
  });

  test("is told to be perhaps a matter of not having read the file", async () => {
    const { session } = await openFileSession({ "a.txt": "one\n" });
    const input = { path: "a.txt", old_string: "two", new_string: "x" };
    const unread = await session.call("file_edit", input);
    expect(unread.text).toContain("this session has not read the file");
    await session.call("file_read", { path: "a.txt" });
    expect((await session.call("file_edit", input)).text).not.toContain("has not read");
  });
});

test("file_edit keeps byte order mark, line ends, missing last newline and mode", async () => {
  const { session, workspace } = await openFileSession({ "a.sh": "\ufeffone\r\ntwo" });
  await chmod(join(workspace, "a.sh"), 0o755);
  const input = { path: "a.sh", old_string: "two", new_string: "2\n3" };
  expect(await session.call("file_edit", input)).toMatchObject({ status: "done" });
  expect(await readFile(join(workspace, "a.sh"), "utf8")).toBe("\ufeffone\r\n2\r\n3");
  expect((await stat(join(workspace, "a.sh"))).mode & 0o777).toBe(0o755);
});

test("file_edit keeps UTF-16, and refuses what it cannot decode rather than damage it", async () => {
  const utf16 = Buffer.from("\ufeffone\ntwo\n", "utf16le");
  const { session, workspace } = await openFileSession({
    "a.txt": utf16,
    "latin.txt": Buffer.from([0x61, 0xe9, 0x0a]),
    "a.bin": Buffer.from([0x61, 0, 1, 2]),
  });
  const call = (path: string, old_string: string) =>
    session.call("file_edit", { path, old_string, new_string: "X" });
  expect(await call("a.txt", "two")).toMatchObject({ status: "done" });
  expect(await readFile(join(workspace, "a.txt"))).toEqual(Buffer.from("\ufeffone\nX\n", "utf16le"));
  expect(await call("latin.txt", "a")).toMatchObject({ status: "failed", error: { code: "not-text" } });
  expect(await readFile(join(workspace, "latin.txt"))).toEqual(Buffer.from([0x61, 0xe9, 0x0a]));
  expect(await call("a.bin", "a")).toMatchObject({ status: "failed" });
  expect(await readFile(join(workspace, "a.bin"))).toEqual(Buffer.from([0x61, 0, 1, 2]));
});

test("file_edit refuses a file that changed since it was read, shows the change, and works again after a read", async () => {
  const { session, workspace } = await openFileSession({ "a.txt": "one\ntwo\n" });
  await session.call("file_read", { path: "a.txt" });
  await writeFile(join(workspace, "a.txt"), "one\nTWO\n");
  const input = { path: "a.txt", old_string: "one", new_string: "1" };
  const stale = await session.call("file_edit", input);
  expect(stale).toMatchObject({ status: "failed", error: { code: "stale-file" } });
  expect(stale.text).toContain("-two\n+TWO\n");
  await session.call("file_read", { path: "a.txt" });
  expect(await session.call("file_edit", input)).toMatchObject({ status: "done" });
  // Its own change, and a touch that changes nothing, are no reason to refuse.
  await writeFile(join(workspace, "a.txt"), "1\nTWO\n");
  expect(await session.call("file_edit", { ...input, old_string: "TWO", new_string: "2" })).toMatchObject({
    status: "done",
  });
});

test("file_edit says that it edited an unread file, and refuses where reading is required", async () => {
  const input = { path: "a.txt", old_string: "one", new_string: "1" };
  const free = await openFileSession({ "a.txt": "one\n" });
  const edited = await free.session.call("file_edit", input);
  expect(edited).toMatchObject({ status: "done", data: { wasUnread: true } });
  expect(edited.text).toContain("had not been read in this session");
  const strict = await openFileSession({ "a.txt": "one\n" }, { requireReadBeforeWrite: true });
  expect(await strict.session.call("file_edit", input)).toMatchObject({ error: { code: "stale-file" } });
});

test("file_edit needs permission to read and to write", async () => {
  const attempt = async (path: string, permissions: object) => {
    const { session } = await openFileSession({ [path]: "one" }, { permissions });
    const { status, error } = await session.call("file_edit", { path, old_string: "one", new_string: "1" });
    return error?.code ?? status;
  };
  expect(await attempt("a.txt", { mode: "edit" })).toBe("done");
  expect(await attempt("a.txt", { mode: "readonly" })).toBe("permission-denied");
  expect(await attempt("a.txt", { mode: "ask" })).toBe("approval-needed");
  expect(await attempt("a.txt", { deny: ["file_edit(a.txt)"] })).toBe("permission-denied");
  // Reading asks for the one, writing for the other.
  expect(await attempt(".env", { mode: "auto" })).toBe("approval-needed");
  expect(await attempt(".git/config", { mode: "auto" })).toBe("approval-needed");
  const asked = await openFileSession({ ".env": "one" }, { onApproval: () => "allow" });
  expect(
    await asked.session.call("file_edit", { path: ".env", old_string: "one", new_string: "1" }),
  ).toMatchObject({ status: "done", receipt: { effects: { reads: [".env"], writes: [".env"] } } });
});

test("a missing file is told with what is there instead", async () => {
  const { session } = await openFileSession({ "readme.md": "x" });
  const missing = await session.call("file_edit", { path: "readme.txt", old_string: "x", new_string: "y" });
  expect(missing).toMatchObject({ status: "failed", error: { code: "not-found" } });
  expect(missing.text).toContain("readme.md");
});

test("fifty edits of one file at a time lose nothing", async () => {
  const names = Array.from({ length: 50 }, (_, index) => `<${index}>`);
  const { session, workspace } = await openFileSession({ "a.txt": names.join("\n") });
  const results = await Promise.all(
    names.map((name) =>
      session.call("file_edit", { path: "a.txt", old_string: name, new_string: `done ${name}` }),
    ),
  );
  expect(results.every(({ status }) => status === "done")).toBe(true);
  expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe(
    names.map((name) => `done ${name}`).join("\n"),
  );
});

test("an edit of any text makes exactly the splice, and undo brings back every byte", {
  timeout: 120_000,
}, async () => {
  const { session, workspace } = await openFileSession();
  const file = join(workspace, "a.txt");
  const text = fc.string({
    unit: fc.constantFrom("a", "b", "$&", " ", "\n", "\r\n", "é", "😀", "“"),
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(text, text, text, text, async (before, old, after, replacement) => {
      const whole = before + old + after;
      const isOnce = whole.indexOf(old) === before.length && whole.lastIndexOf(old) === before.length;
      fc.pre(old !== "" && old !== replacement && isOnce && !whole.includes("\r"));
      await writeFile(file, whole);
      await session.call("file_read", { path: "a.txt" });
      const input = { path: "a.txt", old_string: old, new_string: replacement };
      const { status, callId, error } = await session.call("file_edit", input);
      if (status !== "done") {
        // Two lines that would become one, or a line whose indentation is not certain.
        expect(error).toMatchObject({ code: "ambiguous-match" });
        expect(await readFile(file, "utf8")).toBe(whole);
        return;
      }
      // Lines end as all others of the file do.
      const fitted = whole.includes("\n") ? replacement.replaceAll("\r\n", "\n") : replacement;
      expect(await readFile(file, "utf8")).toBe(before + fitted + after);
      expect((await session.undo(callId)).status).toBe("done");
      expect(await readFile(file, "utf8")).toBe(whole);
    }),
    { numRuns: fuzzRuns({ sample: 25, full: 300 }) },
  );
});
