import { mkdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createFolderSource } from "../../../../src/kernel/registry/folders/folder-source.ts";
import { maxLoadMs } from "../../../../src/kernel/registry/load-code.ts";
import type { ToolContext } from "../../../../src/tool/tool-context.ts";
import { stopClock } from "../../../support/stop-clock.ts";
import { putFiles } from "../../../support/temporary-folder.ts";
import { until } from "../../../support/until.ts";
import { createTempFolder } from "../temp-folder.ts";
import { classicToolText, definedToolText } from "../tool-file-texts.ts";

const classicModule = (fields?: string, answer?: string) =>
  `export default ${classicToolText(fields, answer)};`;

/** What a folder offers and complains about, told once. */
async function read(folder: string) {
  const source = createFolderSource({ path: folder, watch: false });
  await source.start?.(() => {});
  await source.stop?.();
  return {
    tools: source.tools(),
    names: source.tools().map(({ tool }) => tool.name),
    problems: source.problems?.().map(({ subject, message }) => `${subject}: ${message}`) ?? [],
  };
}

/** A folder under watch; `changedWhere` waits for the change after which the wanted is true. */
async function watchFolder(folder: string) {
  const source = createFolderSource(folder);
  let changed = Promise.withResolvers<void>();
  let changes = 0;
  await source.start?.(() => {
    changes++;
    changed.resolve();
    changed = Promise.withResolvers();
  });
  onTestFinished(() => source.stop?.());
  const names = () => source.tools().map(({ tool }) => tool.name);
  return {
    source,
    names,
    changeCount: () => changes,
    async changedWhere(isWanted: () => boolean) {
      while (!isWanted()) await changed.promise;
    },
  };
}

describe("the path of a file is the name of its tool", () => {
  test("the folder gives the group, the file the action", async () => {
    const folder = await createTempFolder({
      "file/read.ts": definedToolText("read"),
      "file/write_all.mjs": classicModule("name: 'write_all',"),
      "web/fetch2.mjs": classicModule(),
    });
    const { tools, problems } = await read(folder);
    expect(tools.map(({ tool, group }) => [tool.name, group])).toEqual([
      ["file_read", "file"],
      ["file_write_all", "file"],
      ["web_fetch2", "web"],
    ]);
    expect(problems).toEqual([]);
  });

  test("nested folders all count, so the same action in two places stays apart", async () => {
    const folder = await createTempFolder({
      "a/b/c.mjs": classicModule(),
      "x/b/c.mjs": classicModule(),
      "top.mjs": classicModule(),
    });
    const { tools } = await read(folder);
    expect(tools.map(({ tool, group }) => [tool.name, group])).toEqual([
      ["a_b_c", "a_b"],
      ["top", undefined],
      ["x_b_c", "x_b"],
    ]);
  });

  test("two files that still give one name are reported with both paths, and the first is used", async () => {
    const folder = await createTempFolder({
      "a/b/c.mjs": classicModule("", "first"),
      "a/b_c.mjs": classicModule("", "second"),
    });
    const { tools, problems } = await read(folder);
    expect(tools).toHaveLength(1);
    expect(await tools[0]?.tool.run({}, {} as ToolContext)).toMatchObject({ content: [{ text: "first" }] });
    expect(problems).toEqual([
      `${join("a", "b_c.mjs")}: ${join("a", "b_c.mjs")} and ${join("a", "b", "c.mjs")} both define the tool a_b_c; only ${join("a", "b", "c.mjs")} is used`,
    ]);
  });

  test("files that are no tools are passed over", async () => {
    const folder = await createTempFolder({
      "file/index.js": "throw new Error('imported')",
      "file/index.ts": "throw new Error('imported')",
      "file/types.d.ts": "throw new Error('imported')",
      "file/read.test.ts": "throw new Error('imported')",
      "file/.hidden.js": "throw new Error('imported')",
      ".git/hook.js": "throw new Error('imported')",
      "node_modules/left/pad.js": "throw new Error('imported')",
      "file/README.md": "# Tools",
      "package.json": "{}",
    });
    expect(await read(folder)).toEqual({ tools: [], names: [], problems: [] });
  });

  test.each([
    ["Read.mjs", "rename Read to read"],
    ["readAll.mjs", "rename readAll to read_all"],
    ["read-all.mjs", "rename read-all to read_all"],
    ["My-Files/read.mjs", "rename My-Files to my_files"],
    ["файл.mjs", "rename it"],
    ["2fast.mjs", "starting with a letter"],
    [`${"long".repeat(20)}.mjs`, "1 to 64"],
  ])("%s is refused, and told what to be called", async (path, advice) => {
    const folder = await createTempFolder({ [path]: classicModule(), "good.mjs": classicModule() });
    const { names, problems } = await read(folder);
    expect(names).toEqual(["good"]);
    expect(problems).toEqual([expect.stringContaining(advice)]);
  });

  test("a declared name that only repeats the path is accepted, with a word of advice", async () => {
    const folder = await createTempFolder({
      "file/read.mjs": classicModule("name: 'file_read',"),
      "file/write.ts": definedToolText("internal_file_write"),
    });
    const { names, problems } = await read(folder);
    expect(names).toEqual(["file_read", "file_write"]);
    expect(problems).toEqual([
      expect.stringContaining('declares the name "file_read"; change it to "read"'),
      expect.stringContaining('declares the name "internal_file_write"; change it to "write"'),
    ]);
  });

  test("another declared name is reported, and the path wins", async () => {
    const folder = await createTempFolder({ "file/read.ts": definedToolText("slurp") });
    const source = createFolderSource({ path: folder, watch: false });
    await source.start?.(() => {});
    expect(source.tools().map(({ tool }) => tool.name)).toEqual(["file_read"]);
    expect(source.problems?.()).toMatchObject([
      { message: expect.stringContaining("the path gives the name file_read"), severity: "warning" },
    ]);
  });
});

describe("a broken file is reported and does not stop the others", () => {
  test.each([
    ["a syntax error", "export default {", /./],
    ["an error while it is imported", "throw new Error('no key set');", /no key set/],
    ["something thrown that is no error", "throw 'tantrum';", /tantrum/],
    ["no export", "const tool = 1;", /no tool found/],
    ["a function", "export default () => 1;", /no tool found/],
    ["a list", `export default [${classicToolText()}];`, /one tool, not a list/],
    ["no handler", "export default { description: 'x', inputSchema: {} };", /no tool found/],
    ["no description", "export default { inputSchema: {}, handler() {} };", /description must be a string/],
    ["no schema", "export default { description: 'x', handler() {} };", /inputSchema must be a JSON Schema/],
    [
      "a schema that is not of an object",
      "export default { description: 'x', inputSchema: { type: 'string' }, handler() {} };",
      /needs type "object"/,
    ],
    ["an import that is not there", "import './nowhere.mjs';", /nowhere/],
  ])("%s", async (_what, text, message) => {
    const folder = await createTempFolder({ "a/bad.mjs": text, "a/good.mjs": classicModule() });
    const { names, problems } = await read(folder);
    expect(names).toEqual(["a_good"]);
    expect(problems).toEqual([expect.stringMatching(message)]);
    expect(problems[0]).toContain(join("a", "bad.mjs: "));
  });

  test("a missing folder is a problem, too", async () => {
    const folder = join(await createTempFolder(), "nowhere");
    const { names, problems } = await read(folder);
    expect(names).toEqual([]);
    expect(problems).toEqual([expect.stringContaining("the tool folder cannot be read: ENOENT")]);
  });

  test("so is a file in the folder's place", async () => {
    const folder = await createTempFolder({ tools: "not a folder" });
    expect((await read(join(folder, "tools"))).problems).toEqual([expect.stringContaining("ENOTDIR")]);
  });
});

describe("links", () => {
  test("inside the folder are followed", async () => {
    const folder = await createTempFolder({ "a/one.mjs": classicModule() });
    await symlink(join(folder, "a", "one.mjs"), join(folder, "two.mjs"));
    await symlink(join(folder, "a"), join(folder, "b"));
    expect((await read(folder)).names).toEqual(["a_one", "b_one", "two"]);
  });

  test("out of the folder are refused, also into one whose name begins alike", async () => {
    const parent = await createTempFolder({
      "tools/good.mjs": classicModule(),
      "tools_evil/one.mjs": classicModule(),
    });
    const folder = join(parent, "tools");
    await symlink(join(parent, "tools_evil"), join(folder, "dir"));
    await symlink(join(parent, "tools_evil", "one.mjs"), join(folder, "file.mjs"));
    const { names, problems } = await read(folder);
    expect(names).toEqual(["good"]);
    expect(problems).toEqual([
      "dir: the link points outside the tool folder",
      "file.mjs: the link points outside the tool folder",
    ]);
  });

  test("that go round or lead nowhere are reported", async () => {
    const folder = await createTempFolder({ "a/good.mjs": classicModule() });
    await symlink(join(folder, "a"), join(folder, "a", "again"));
    await symlink(join(folder, "gone.mjs"), join(folder, "dangling.mjs"));
    const { names, problems } = await read(folder);
    expect(names).toEqual(["a_good"]);
    expect(problems).toEqual([
      `${join("a", "again")}: the link points to a folder that contains it`,
      expect.stringContaining("dangling.mjs: ENOENT"),
    ]);
  });

  test("may lead to the folder itself", async () => {
    const parent = await createTempFolder({ "real/one.mjs": classicModule() });
    await symlink(join(parent, "real"), join(parent, "link"));
    expect((await read(join(parent, "link"))).names).toEqual(["one"]);
  });
});

describe("a watched folder", () => {
  test("offers a new file, also in a new folder, and a whole folder moved in", async () => {
    const folder = await createTempFolder({ "a/one.mjs": classicModule() });
    const elsewhere = await createTempFolder({ "c/d/four.mjs": classicModule() });
    const { names, changedWhere } = await watchFolder(folder);
    putFiles(folder, { "a/two.mjs": classicModule() });
    await changedWhere(() => names().includes("a_two"));
    putFiles(folder, { "b/x/three.mjs": classicModule() });
    await changedWhere(() => names().includes("b_x_three"));
    await rename(join(elsewhere, "c"), join(folder, "c"));
    await changedWhere(() => names().includes("c_d_four"));
    putFiles(folder, { "c/d/five.mjs": classicModule() });
    await changedWhere(() => names().includes("c_d_five"));
    expect(names()).toHaveLength(5);
  });

  test("does not miss a file that appears while the folder is first read", async () => {
    const appearing = JSON.stringify(classicModule());
    const folder = await createTempFolder({
      "one.mjs": `import { writeFile } from "node:fs/promises";
        await writeFile(new URL("two.mjs", import.meta.url), ${appearing});
        ${classicModule()}`,
    });
    const { names, changedWhere } = await watchFolder(folder);
    await changedWhere(() => names().includes("two"));
    expect(names()).toEqual(["one", "two"]);
  });

  test("withdraws a deleted file's tool", async () => {
    const folder = await createTempFolder({ "a/one.mjs": classicModule(), "b/two.mjs": classicModule() });
    const { names, changedWhere } = await watchFolder(folder);
    await rm(join(folder, "a"), { recursive: true });
    await changedWhere(() => !names().includes("a_one"));
    expect(names()).toEqual(["b_two"]);
  });

  test("withdraws a tool whose file breaks, says so, and offers it again when mended", async () => {
    const folder = await createTempFolder({ "a/one.mjs": classicModule(), "b/two.mjs": classicModule() });
    const { source, names, changedWhere } = await watchFolder(folder);
    putFiles(folder, { "a/one.mjs": "throw new Error('broken now');" });
    await changedWhere(() => source.problems?.()[0]?.message === "broken now");
    expect(names()).toEqual(["b_two"]);
    putFiles(folder, { "b/two.mjs": classicModule("", "other") });
    putFiles(folder, { "b/three.mjs": classicModule() });
    await changedWhere(() => names().includes("b_three"));
    expect(source.problems?.()).toHaveLength(1);
    putFiles(folder, { "a/one.mjs": classicModule() });
    await changedWhere(() => names().includes("a_one"));
    expect(source.problems?.()).toEqual([]);
  });

  test("keeps the very same tool as long as its file stays", async () => {
    const folder = await createTempFolder({ "one.mjs": classicModule() });
    const { source, names, changedWhere } = await watchFolder(folder);
    const [before] = source.tools();
    putFiles(folder, { "two.mjs": classicModule() });
    await changedWhere(() => names().includes("two"));
    expect(source.tools()[0]?.tool).toBe(before?.tool);
  });

  test("may go and come back, and need not be there at the start", async () => {
    const parent = await createTempFolder();
    const folder = join(parent, "tools");
    const { source, names, changedWhere } = await watchFolder(folder);
    expect(source.problems?.()).toHaveLength(1);
    for (const answer of ["first", "second"]) {
      await mkdir(folder);
      putFiles(folder, { "one.mjs": classicModule("", answer) });
      await changedWhere(() => names().length === 1);
      expect(source.problems?.()).toEqual([]);
      await rm(folder, { recursive: true });
      // Its files go before the folder itself does.
      await changedWhere(() => names().length === 0 && source.problems?.().length === 1);
    }
  });

  test("goes on after a listener to its changes has thrown", async () => {
    const folder = await createTempFolder({ "one.mjs": classicModule() });
    const source = createFolderSource(folder);
    onTestFinished(() => source.stop?.());
    let told = Promise.withResolvers<void>();
    await source.start?.(() => {
      told.resolve();
      told = Promise.withResolvers();
      throw new Error("not interested");
    });
    // A file that is seen before it is whole is told of twice.
    const toldOf = async (count: number) => {
      while (source.tools().length < count) await told.promise;
    };
    putFiles(folder, { "two.mjs": classicModule() });
    await toldOf(2);
    putFiles(folder, { "three.mjs": classicModule() });
    await toldOf(3);
  });

  test("is let go by stop", async () => {
    const folder = await createTempFolder({ "one.mjs": classicModule() });
    const stopped = await watchFolder(folder);
    const watching = await watchFolder(folder);
    await stopped.source.stop?.();
    putFiles(folder, { "two.mjs": classicModule() });
    // The other source hears of the change, so the stopped one would have, too.
    await watching.changedWhere(() => watching.names().includes("two"));
    expect(stopped.names()).toEqual(["one"]);
    expect(stopped.changeCount()).toBe(0);
  });
});

test("a module is loaded as one also where the package.json that npm init writes says commonjs", async () => {
  const folder = await createTempFolder({
    "package.json": '{ "type": "commonjs" }',
    "text/typed.ts": `const shown: string = "x";\nexport default ${classicToolText()};\nvoid shown;\n`,
    "text/plain.js": classicModule(),
    "text/common.js": `module.exports = ${classicToolText()};`,
  });
  expect(await read(folder)).toMatchObject({
    names: ["text_common", "text_plain", "text_typed"],
    problems: [],
  });
});

test("a file of a tool that never ends loading is named, and does not keep the others from being offered", async () => {
  const folder = await createTempFolder({
    "file/read.ts": definedToolText("read"),
    "file/never.mjs": "globalThis.isLoadingNever = true; await new Promise(() => {});",
  });
  stopClock();
  const reading = read(folder);
  await until(() => "isLoadingNever" in globalThis);
  Reflect.deleteProperty(globalThis, "isLoadingNever");
  await vi.advanceTimersByTimeAsync(maxLoadMs);
  const { names, problems } = await reading;
  expect(names).toEqual(["file_read"]);
  expect(problems).toEqual([expect.stringContaining("file/never.mjs: it did not end within 30 s")]);
});
