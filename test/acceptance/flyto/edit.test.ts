import { chmod, readFile, stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { changing, flagsOf, shareFlyto, shown } from "./share-flyto.ts";

const flyto = shareFlyto();

const edit = (path: string, input: object) => flyto.call("Edit", { file_path: flyto.at(path), ...input });
const contentOf = (path: string) => readFile(flyto.at(path), "utf8");

test("F36: Edit also answers to FileEdit, runs alone, and its changes can be reverted", async () => {
  await flyto.put({ "f36.txt": "old\n" });
  expect(shown(flyto.session, "Edit").metadata.aliases).toEqual(["FileEdit"]);
  expect(flagsOf(flyto.session, "Edit")).toEqual(changing);
  const input = { file_path: flyto.at("f36.txt"), old_string: "old", new_string: "new" };
  const { callId } = await flyto.call("FileEdit", input);
  expect(await contentOf("f36.txt")).toBe("new\n");
  await flyto.session.undo(callId);
  expect(await contentOf("f36.txt")).toBe("old\n");
});

test("F37: Edit needs file_path, old_string and new_string; replace_all is off unless it is asked for", async () => {
  const { required, properties } = shown(flyto.session, "Edit").inputSchema;
  expect(required).toEqual(["file_path", "old_string", "new_string"]);
  expect(properties).toMatchObject({ replace_all: { type: "boolean", default: false } });
  await flyto.put({ "f37.txt": "a a\n" });
  expect(await edit("f37.txt", { old_string: "a" })).toMatchObject({ error: { code: "invalid-input" } });
  const replaced = await edit("f37.txt", { old_string: "a", new_string: "b", replace_all: true });
  expect(replaced.data).toMatchObject({ replacements: 2 });
  expect(await contentOf("f37.txt")).toBe("b b\n");
});

test("F38: the old text must stand in the file once unless all places are meant, and must differ from the new", async () => {
  await flyto.put({ "f38.txt": "twice twice\n" });
  const twice = await edit("f38.txt", { old_string: "twice", new_string: "once" });
  expect(twice).toMatchObject({ status: "failed", error: { code: "ambiguous-match" } });
  for (const replace_all of [false, true]) {
    const same = await edit("f38.txt", { old_string: "twice", new_string: "twice", replace_all });
    expect(same).toMatchObject({ status: "failed", error: { code: "invalid-input" } });
  }
  expect(await contentOf("f38.txt")).toBe("twice twice\n");
  const all = await edit("f38.txt", { old_string: "twice", new_string: "once", replace_all: true });
  expect(all.status).toBe("done");
  expect(await contentOf("f38.txt")).toBe("once once\n");
});

test("F39: where the old text stands several times, each line with it is named", async () => {
  await flyto.put({ "f39.txt": "same\nother\nsame\nother\nsame\n" });
  const { error } = await edit("f39.txt", { old_string: "same", new_string: "new" });
  expect(error?.message).toContain("at lines 1, 3, 5");
});

test("F40: where the old text is not found, a difference in whitespace or the most similar lines are shown", async () => {
  await flyto.put({ "f40.txt": "  let value = compute(input);\n  finish(value);\n" });
  const told = async (old_string: string) => (await edit("f40.txt", { old_string, new_string: "x" })).text;
  expect(await told("let   value=compute( input );")).toContain("only its whitespace differs");
  const similar = await told("  let value = compute(output);\n  finish(value);");
  expect(similar).toContain("Closest match, lines 1-2");
  expect(similar).toContain("let value = compute(input);");
});

test("F41: text with LF is found in a file with CRLF and the other way round, and the file keeps its own", async () => {
  await flyto.put({ "f41-crlf.txt": "one\r\ntwo\r\n", "f41-lf.txt": "one\ntwo\n" });
  await edit("f41-crlf.txt", { old_string: "one\ntwo\n", new_string: "1\n2\n3\n" });
  await edit("f41-lf.txt", { old_string: "one\r\ntwo\r\n", new_string: "1\r\n2\r\n3\r\n" });
  expect(await contentOf("f41-crlf.txt")).toBe("1\r\n2\r\n3\r\n");
  expect(await contentOf("f41-lf.txt")).toBe("1\n2\n3\n");
});

test("F42: an edited file keeps its permissions", async () => {
  for (const mode of [0o755, 0o600]) {
    const path = `f42-${mode}.sh`;
    await flyto.put({ [path]: "echo old\n" });
    await chmod(flyto.at(path), mode);
    expect((await edit(path, { old_string: "old", new_string: "new" })).status).toBe("done");
    expect((await stat(flyto.at(path))).mode & 0o777).toBe(mode);
  }
});

test("F43: Write, also called FileWrite, takes a path and a content; it creates, overwrites and makes folders", async () => {
  const { metadata, inputSchema } = shown(flyto.session, "Write");
  expect(metadata.aliases).toEqual(["FileWrite"]);
  expect(flagsOf(flyto.session, "Write")).toEqual(changing);
  expect(inputSchema.required).toEqual(["file_path", "content"]);
  expect(Object.keys(inputSchema.properties ?? {})).toEqual(["file_path", "content"]);
  const write = (name: string, content: string) =>
    flyto.call(name, { file_path: flyto.at("f43/a/b/new.txt"), content });
  expect((await write("Write", "first\n")).data).toMatchObject({ created: true });
  expect(await contentOf("f43/a/b/new.txt")).toBe("first\n");
  expect((await write("FileWrite", "second\n")).data).toMatchObject({ created: false });
  expect(await contentOf("f43/a/b/new.txt")).toBe("second\n");
});
