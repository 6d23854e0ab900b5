import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { putFiles } from "../../support/temporary-folder.ts";
import { openFolderProcess } from "./folder-process.ts";
import { createTempFolder } from "./temp-folder.ts";
import { classicToolText, definedToolText } from "./tool-file-texts.ts";

const answered = (text: string) => ({ content: [{ type: "text", text }] });

describe("in Node itself, a changed file gives the changed tool", () => {
  const esModule = (answer: string) => `export default ${classicToolText("", answer)};`;
  const commonJs = (answer: string) => `module.exports = ${classicToolText("", answer)};`;
  const typedCommonJs = (answer: string) =>
    `const tool: object = ${classicToolText("", answer)};\nmodule.exports = tool;`;
  const compiled = (answer: string) =>
    `Object.defineProperty(exports, "__esModule", { value: true });\nexports.default = ${classicToolText("", answer)};`;
  const moduleType = '{ "type": "module" }';
  const commonJsType = '{ "type": "commonjs" }';

  test.each([
    ["a .mjs", "say.mjs", esModule, commonJsType],
    ["a .cjs", "say.cjs", commonJs, moduleType],
    ["a .js of an ES module package", "say.js", esModule, moduleType],
    ["a .js of a CommonJS package", "say.js", commonJs, commonJsType],
    ["a .js that a compiler made from a default export", "say.js", compiled, commonJsType],
    [
      "a .ts of an ES module package",
      "say.ts",
      (answer: string) => `const tool: object = ${classicToolText("", answer)};\nexport default tool;`,
      moduleType,
    ],
    ["a .ts of a CommonJS package", "say.ts", typedCommonJs, commonJsType],
  ])("%s", async (_kind, path, write, packageText) => {
    const folder = await createTempFolder({ "package.json": packageText, [path]: write("first") });
    const { reportWhere } = openFolderProcess(folder);
    const isAnswer = (text: string) => (report: { answers: Record<string, unknown> }) =>
      JSON.stringify(report.answers.say) === JSON.stringify(answered(text));
    const first = await reportWhere(() => true);
    expect(first).toEqual({ answers: { say: answered("first") }, problems: [] });
    // Of the same length, and more than once: neither a size nor a second reload may be taken for the old.
    for (const answer of ["other", "third"]) {
      putFiles(folder, { [path]: write(answer) });
      await reportWhere(isAnswer(answer));
    }
  });
});

describe("in Node itself", () => {
  test("a .ts file made with defineTool is loaded as it is", async () => {
    const folder = await createTempFolder({
      "package.json": '{ "type": "module" }',
      "group/say.ts": definedToolText("say", "hello"),
    });
    const report = await openFolderProcess(folder).reportWhere(() => true);
    expect(report).toEqual({ answers: { group_say: "hello" }, problems: [] });
  });

  test("a file that breaks, is mended and is deleted is followed through, in CommonJS too", async () => {
    const good = `module.exports = ${classicToolText("", "fine")};`;
    const folder = await createTempFolder({ "say.cjs": good });
    const { reportWhere } = openFolderProcess(folder);
    await reportWhere(({ answers }) => "say" in answers);
    putFiles(folder, { "say.cjs": "module.exports = {" });
    // It may also be looked at while it is written, and nothing is in it yet.
    const broken = await reportWhere(({ problems }) => problems.some((text) => text.includes("Unexpected")));
    expect(broken).toEqual({ answers: {}, problems: [expect.stringMatching(/^say\.cjs: /)] });
    putFiles(folder, { "say.cjs": good });
    expect(await reportWhere(({ answers }) => "say" in answers)).toMatchObject({ problems: [] });
    await rm(join(folder, "say.cjs"));
    await reportWhere(({ answers }) => !("say" in answers));
  });

  test("a watched folder that is deleted does not end the process, and stop lets it end", async () => {
    const folder = await createTempFolder({ "tools/a/say.mjs": `export default ${classicToolText()};` });
    const { reportWhere, close } = openFolderProcess(join(folder, "tools"));
    await reportWhere(() => true);
    await rm(join(folder, "tools"), { recursive: true });
    await reportWhere(({ problems }) => problems.some((problem) => problem.includes("cannot be read")));
    expect(await close()).toBe(0);
  });
});
