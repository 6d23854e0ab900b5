import { execFile } from "node:child_process";
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { needs } from "../../../support/needs.ts";
import { temporaryWorkspace } from "../temporary-workspace.ts";

const testAsRoot = await needs("root");

describe("writing", () => {
  test("creates a file with its parent folders, and tells of each", async () => {
    const { root, files, changes } = await temporaryWorkspace();
    const written = await files.writeText("new/deep/a.txt", "héllo");
    expect(await readFile(join(root, "new/deep/a.txt"), "utf8")).toBe("héllo");
    expect(written).toEqual({
      path: "new/deep/a.txt",
      created: true,
      sizeBytes: 6,
      hash: "3c48591d8d098a4538f5e013dfcf406e948eac4d3277b10bf614e295d6068179",
      wasUnread: false,
    });
    const { mode } = await stat(join(root, "new/deep/a.txt"));
    const folderMode = (await stat(join(root, "new"))).mode & 0o7777;
    expect(mode & 0o7777).toBe(0o666 & ~process.umask());
    expect(changes).toEqual([
      {
        path: join(root, "new"),
        before: { kind: "missing" },
        after: { kind: "directory", mode: folderMode },
      },
      {
        path: join(root, "new/deep"),
        before: { kind: "missing" },
        after: { kind: "directory", mode: folderMode },
      },
      {
        path: join(root, "new/deep/a.txt"),
        before: { kind: "missing" },
        after: { kind: "file", hash: written.hash, mode: mode & 0o7777, sizeBytes: 6 },
      },
    ]);
  });

  test("keeps the mode of what it overwrites, and its content for an undo", async () => {
    const { root, files, changes, scope } = await temporaryWorkspace({ "run.sh": "old\n" });
    await chmod(join(root, "run.sh"), 0o751);
    const written = await files.writeText("run.sh", "new\n");
    expect(written).toMatchObject({
      created: false,
      wasUnread: true,
      diff: expect.stringContaining("-old\n+new"),
    });
    expect((await stat(join(root, "run.sh"))).mode & 0o7777).toBe(0o751);
    expect(changes).toHaveLength(1);
    const [{ before, after }] = changes as [(typeof changes)[0]];
    expect(before).toMatchObject({ kind: "file", mode: 0o751, sizeBytes: 4 });
    expect(after).toMatchObject({ kind: "file", mode: 0o751, hash: written.hash });
    expect(before.kind === "file" && String(await scope.blobs.read(before.hash))).toBe("old\n");
  });

  testAsRoot("keeps the owner where it may", async () => {
    const { root, files } = await temporaryWorkspace({ "a.txt": "old" });
    await chown(join(root, "a.txt"), 1234, 4321);
    await files.writeText("a.txt", "new");
    expect(await stat(join(root, "a.txt"))).toMatchObject({ uid: 1234, gid: 4321 });
  });

  test("writes to where a link inside leads, and leaves the link", async () => {
    const { root, files } = await temporaryWorkspace({ "real/a.txt": "old" });
    await symlink("real/a.txt", join(root, "link.txt"));
    await symlink("real/new.txt", join(root, "dangling.txt"));
    expect(await files.writeText("link.txt", "new")).toMatchObject({ path: "real/a.txt" });
    await files.writeText("dangling.txt", "made");
    expect(await readlink(join(root, "link.txt"))).toBe("real/a.txt");
    expect(await readFile(join(root, "real/a.txt"), "utf8")).toBe("new");
    expect(await readFile(join(root, "real/new.txt"), "utf8")).toBe("made");
  });

  test("leaves the other names of a hard-linked file with the old content", async () => {
    const { root, outside, files } = await temporaryWorkspace({ "a.txt": "old" });
    await link(join(root, "a.txt"), join(outside, "other.txt"));
    await files.writeText("a.txt", "new");
    await files.updateText("a.txt", ({ text }) => `${text}er`);
    expect(await readFile(join(root, "a.txt"), "utf8")).toBe("newer");
    expect(await readFile(join(outside, "other.txt"), "utf8")).toBe("old");
  });

  test("the same text again changes nothing", async () => {
    const { root, files, changes } = await temporaryWorkspace({ "a.txt": "same" });
    const { ino } = await stat(join(root, "a.txt"));
    expect(await files.writeText("a.txt", "same")).not.toHaveProperty("diff");
    await files.updateText("a.txt", ({ text }) => text);
    expect((await stat(join(root, "a.txt"))).ino).toBe(ino);
    expect(changes).toEqual([]);
  });

  test("leaves nothing but the file behind", async () => {
    const { root, files } = await temporaryWorkspace({ "a.txt": "old" });
    await files.writeText("a.txt", "new");
    await expect(files.updateText("a.txt", () => "\ud800")).rejects.toMatchObject({ code: "invalid-input" });
    expect(await readdir(root)).toEqual(["a.txt"]);
  });
});

describe("the shape of a text", () => {
  const mark = Buffer.from([0xef, 0xbb, 0xbf]);

  test.each([
    [
      "a byte order mark",
      Buffer.concat([mark, Buffer.from("a\n")]),
      "b\n",
      Buffer.concat([mark, Buffer.from("b\n")]),
    ],
    ["CRLF, given LF", Buffer.from("a\r\nb\r\n"), "c\nd\n", Buffer.from("c\r\nd\r\n")],
    ["mixed line ends, as given", Buffer.from("a\r\nb\n"), "c\nd\n", Buffer.from("c\nd\n")],
    ["LF, given CRLF", Buffer.from("a\n"), "c\r\n", Buffer.from("c\r\n")],
    ["no newline at the end", Buffer.from("a\n"), "c", Buffer.from("c")],
    ["UTF-16", Buffer.from("\ufeffa\r\n", "utf16le"), "é\n", Buffer.from("\ufeffé\r\n", "utf16le")],
  ])("stays: %s", async (_title, before, text, after) => {
    const { root, files } = await temporaryWorkspace({ "a.txt": before });
    await files.writeText("a.txt", text);
    expect(await readFile(join(root, "a.txt"))).toEqual(after);
    await writeFile(join(root, "b.txt"), before);
    await files.updateText("b.txt", () => text);
    expect(await readFile(join(root, "b.txt"))).toEqual(after);
  });

  test("is told by a read", async () => {
    const { files } = await temporaryWorkspace({ "a.txt": Buffer.from("\ufeffé\r\n", "utf16le") });
    expect(await files.readText("a.txt")).toMatchObject({
      path: "a.txt",
      text: "é\r\n",
      encoding: "utf-16le",
      lineEnding: "crlf",
      sizeBytes: 8,
    });
  });

  test("is a legacy encoding where that is asked for, and refused otherwise", async () => {
    const latin = Buffer.from("caf\xe9\n", "latin1");
    const { root, files } = await temporaryWorkspace({ "a.txt": latin });
    await expect(files.readText("a.txt")).rejects.toMatchObject({ code: "not-text" });
    await expect(files.updateText("a.txt", () => "x")).rejects.toMatchObject({ code: "not-text" });
    expect(await readFile(join(root, "a.txt"))).toEqual(latin);
    expect(await files.readText("a.txt", { encoding: "latin1" })).toMatchObject({ text: "café\n" });
    await files.updateText("a.txt", ({ text }) => `${text}à\n`, { encoding: "latin1" });
    expect(await readFile(join(root, "a.txt"), "latin1")).toBe("café\nà\n");
    await files.writeText("b.txt", "é", { encoding: "latin1" });
    expect(await readFile(join(root, "b.txt"), "latin1")).toBe("é");
  });

  test("does not matter where no text is overwritten", async () => {
    const { root, files } = await temporaryWorkspace({ "a.bin": Buffer.from([0, 0xff, 0xfe]) });
    await expect(files.readText("a.bin")).rejects.toMatchObject({ code: "binary-file" });
    expect(await files.writeText("a.bin", "text")).not.toHaveProperty("diff");
    expect(await readFile(join(root, "a.bin"), "utf8")).toBe("text");
  });
});

describe("freshness", () => {
  test("a file changed since it was read is not written, and the change is shown", async () => {
    const { root, files, changes } = await temporaryWorkspace({ "a.txt": "one\ntwo\n" });
    await files.readLines("a.txt", { firstLine: 1, maxLines: 1 });
    await writeFile(join(root, "a.txt"), "one\nTWO\n");
    const refusal = {
      code: "stale-file",
      message: expect.stringContaining("-two\n+TWO"),
      hint: expect.stringContaining("Read it again"),
    };
    await expect(files.writeText("a.txt", "mine")).rejects.toMatchObject(refusal);
    await expect(files.updateText("a.txt", () => "mine")).rejects.toMatchObject(refusal);
    expect(changes).toEqual([]);
    await files.readText("a.txt");
    await files.writeText("a.txt", "mine");
    expect(await readFile(join(root, "a.txt"), "utf8")).toBe("mine");
  });

  test("a file that was only touched, and our own writes, are fresh", async () => {
    const { root, files } = await temporaryWorkspace({ "a.txt": "one" });
    await files.readText("a.txt");
    await utimes(join(root, "a.txt"), 1, 1);
    expect(await files.writeText("a.txt", "two")).toMatchObject({ wasUnread: false });
    expect(await files.updateText("a.txt", ({ text }) => `${text}!`)).toMatchObject({
      wasUnread: false,
      before: { text: "two" },
    });
    await writeFile(join(root, "a.txt"), "theirs");
    await expect(files.writeText("a.txt", "three")).rejects.toMatchObject({
      message: expect.stringContaining("-two!"),
    });
  });

  test("a part of a large file counts as long as the file is not touched", async () => {
    const { root, files } = await temporaryWorkspace({ "big.txt": "line\n".repeat(1_000_000) });
    await files.readLines("big.txt", { firstLine: 1, maxLines: 1 });
    expect(await files.updateText("big.txt", ({ text }) => `${text}end\n`)).toMatchObject({
      wasUnread: false,
    });
    await files.readLines("big.txt", { firstLine: 1, maxLines: 1 });
    await utimes(join(root, "big.txt"), 1, 1);
    await expect(files.writeText("big.txt", "x")).rejects.toMatchObject({
      code: "stale-file",
      message: "big.txt changed since you read it",
    });
  });

  test("a file that vanished since it was read can be made again", async () => {
    const { root, files } = await temporaryWorkspace({ "a.txt": "one" });
    await files.readText("a.txt");
    await rm(join(root, "a.txt"));
    await expect(files.updateText("a.txt", () => "two")).rejects.toMatchObject({ code: "not-found" });
    expect(await files.writeText("a.txt", "two")).toMatchObject({ created: true });
  });

  test("reading first can be required", async () => {
    const { workspace, scope } = await temporaryWorkspace({ "a.txt": "one" });
    const files = workspace.files({ ...scope, requireReadBeforeWrite: true });
    const refusal = { code: "stale-file", message: expect.stringContaining("has not read it") };
    await expect(files.writeText("a.txt", "two")).rejects.toMatchObject(refusal);
    await expect(files.updateText("a.txt", () => "two")).rejects.toMatchObject(refusal);
    await files.writeText("new.txt", "fine");
    await files.readText("a.txt");
    await files.writeText("a.txt", "two");
  });

  test("what is known of a file goes with it when it moves", async () => {
    const { files } = await temporaryWorkspace({ "a.txt": "one", "unread.txt": "x" });
    await files.readText("a.txt");
    await files.move("a.txt", "b.txt");
    await files.copy("b.txt", "c.txt");
    await files.move("unread.txt", "d.txt");
    expect(await files.writeText("b.txt", "two")).toMatchObject({ wasUnread: false });
    expect(await files.writeText("c.txt", "two")).toMatchObject({ wasUnread: false });
    expect(await files.writeText("d.txt", "two")).toMatchObject({ wasUnread: true });
  });
});

describe("writers of one file", () => {
  test("come one after the other, and nothing is lost", async () => {
    const { root, files, changes } = await temporaryWorkspace({ "log.txt": "" });
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        files.updateText("log.txt", async ({ text }) => {
          await stat(root);
          return `${text}${index}\n`;
        }),
      ),
    );
    const lines = (await readFile(join(root, "log.txt"), "utf8")).trimEnd().split("\n").map(Number);
    expect(lines.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 50 }, (_, index) => index),
    );
    expect(changes).toHaveLength(50);
  });

  test("in new folders need not agree on who makes them", async () => {
    const { root, files, changes } = await temporaryWorkspace();
    await Promise.all(Array.from({ length: 20 }, (_, index) => files.writeText(`a/b/${index}.txt`, "x")));
    expect(await readdir(join(root, "a/b"))).toHaveLength(20);
    expect(changes).toHaveLength(22);
  });

  test("an outsider who writes in between is not overwritten", async () => {
    const { root, files } = await temporaryWorkspace({ "a.txt": "one" });
    const update = files.updateText("a.txt", async () => {
      await writeFile(join(root, "a.txt"), "theirs");
      return "mine";
    });
    await expect(update).rejects.toMatchObject({ code: "stale-file", retryable: true });
    expect(await readFile(join(root, "a.txt"), "utf8")).toBe("theirs");
    expect(await readdir(root)).toEqual(["a.txt"]);
  });
});

describe("a file that cannot be written", () => {
  test("is refused by kind", async () => {
    const { root, files } = await temporaryWorkspace({ "sub/a.txt": "a", "f.txt": "f" });
    await promisify(execFile)("mkfifo", [join(root, "pipe")]);
    await expect(files.writeText("sub", "x")).rejects.toMatchObject({ code: "is-directory" });
    await expect(files.writeText(".", "x")).rejects.toMatchObject({ code: "is-directory" });
    await expect(files.writeText("new/", "x")).rejects.toMatchObject({ code: "is-directory" });
    await expect(files.writeText("pipe", "x")).rejects.toMatchObject({ code: "not-a-file" });
    await expect(files.writeText("f.txt/x", "x")).rejects.toMatchObject({ code: "not-a-directory" });
    await expect(files.writeText("a".repeat(256), "x")).rejects.toMatchObject({ code: "invalid-input" });
    await expect(files.updateText("missing", () => "x")).rejects.toMatchObject({ code: "not-found" });
    expect((await lstat(join(root, "pipe"))).isFIFO()).toBe(true);
  });

  test("is refused by size where the whole would have to be read, but can be overwritten", async () => {
    const { root, files, changes } = await temporaryWorkspace({ "small.txt": "12345" });
    await expect(files.readText("small.txt", { maxBytes: 4 })).rejects.toMatchObject({ code: "too-large" });
    await mkdir(join(root, "d"));
    await writeFile(join(root, "d/huge.txt"), "");
    await truncate(join(root, "d/huge.txt"), 101 * 2 ** 20);
    await expect(files.readText("d/huge.txt")).rejects.toMatchObject({ code: "too-large" });
    await expect(files.updateText("d/huge.txt", () => "x")).rejects.toMatchObject({ code: "too-large" });
    expect(await files.writeText("d/huge.txt", "x")).toMatchObject({ wasUnread: true, created: false });
    expect(changes).toMatchObject([{ before: { sizeBytes: 101 * 2 ** 20 }, after: { sizeBytes: 1 } }]);
  });

  test("is not touched once the call is over", async () => {
    const { root, workspace, scope } = await temporaryWorkspace({ "a.txt": "one" });
    const over = new AbortController();
    const files = workspace.files({ ...scope, signal: over.signal });
    const update = files.updateText("a.txt", () => {
      over.abort(new Error("over"));
      return "two";
    });
    await expect(update).rejects.toThrow("over");
    expect(await readFile(join(root, "a.txt"), "utf8")).toBe("one");
    // And the path is free again.
    await workspace.files(scope).writeText("a.txt", "three");
  });
});
