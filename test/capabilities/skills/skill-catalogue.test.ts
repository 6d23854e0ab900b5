import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openReading, openWorkspace } from "../../../src/capabilities/files/workspace.ts";
import { createSkillCatalogue } from "../../../src/capabilities/skills/skill-catalogue.ts";
import type { OpenReading } from "../../../src/kernel/definitions/definition-kind.ts";
import { type Contents, putFiles } from "../../support/open-file-session.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

async function openCatalogue(contents: Contents) {
  const root = await temporaryFolder();
  await putFiles(root, contents);
  const workspace = await openWorkspace({ root });
  return { root, catalogue: createSkillCatalogue({ workspace, openReading }) };
}

const file = "---\ndescription: It helps\n---\n";

test("skills are found in both places, and the first of a name counts", async () => {
  const { catalogue } = await openCatalogue({
    ".skills/both/SKILL.md": "---\ndescription: Ours\n---\n",
    ".claude/skills/both/SKILL.md": "---\ndescription: Theirs\n---\n",
    ".claude/skills/other/SKILL.md": file,
    ".skills/README.md": "no skill",
    ".skills/.hidden/SKILL.md": file,
  });
  expect(await catalogue.list()).toMatchObject([
    { name: "both", description: "Ours" },
    { name: "other", description: "It helps" },
  ]);
  expect(await catalogue.problems()).toEqual([
    { path: ".claude/skills/both", message: "ignored: .skills/both has the same name and takes precedence" },
  ]);
});

test("an unusable definition is reported with its file and line, and breaks nothing", async () => {
  const { catalogue } = await openCatalogue({
    ".skills/good/SKILL.md": file,
    ".skills/broken/SKILL.md": '---\nname: x\ndescription: "open\n---\n',
    ".skills/silent/SKILL.md": "---\nname: x\n---\n",
    ".skills/invisible/SKILL.md": '---\ndescription: "\\u200b"\n---\n',
    ".skills/binary/SKILL.md": new Uint8Array([0, 1, 2, 3]),
    ".skills/empty/notes.md": "",
    ".skills/two\nlines/SKILL.md": file,
    ".skills/-rf/SKILL.md": file,
    [`.skills/${"x".repeat(65)}/SKILL.md`]: file,
    ".skills/id_rsa/SKILL.md": file,
    ".skills/中文 skill/SKILL.md": file,
  });
  expect((await catalogue.list()).map(({ name }) => name)).toEqual(["good", "中文 skill"]);
  const told = new Map((await catalogue.problems()).map(({ path, message }) => [path, message]));
  expect(told.get(".skills/broken/SKILL.md:3")).toContain("quotes");
  expect(told.get(".skills/silent/SKILL.md:1")).toContain("no description");
  expect(told.get(".skills/invisible/SKILL.md:1")).toContain("no description");
  expect(told.get(".skills/binary/SKILL.md")).toBeDefined();
  expect(told.get(".skills/empty/SKILL.md")).toContain("does not exist");
  expect(told.get(".skills/two lines")).toContain("name");
  expect(told.get(".skills/-rf")).toContain("name");
  expect(told.get(".skills/id_rsa/SKILL.md")).toContain("may hold secrets");
  expect(told.size).toBe(9);
});

test("a change is seen by a later caller, even while a look is running", async () => {
  const root = await temporaryFolder();
  await putFiles(root, { ".skills/one/SKILL.md": file });
  const read = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const openSlowly = afterReading(async () => {
    read.resolve();
    await goOn.promise;
  });
  const workspace = await openWorkspace({ root });
  const catalogue = createSkillCatalogue({ workspace, openReading: openSlowly });
  const early = catalogue.list();
  await read.promise;
  await writeFile(join(root, ".skills/one/SKILL.md"), "---\ndescription: It helped\n---\n");
  const late = Promise.all([catalogue.list(), catalogue.list()]);
  goOn.resolve();
  expect(await early).toMatchObject([{ description: "It helps" }]);
  for (const list of await late) expect(list).toMatchObject([{ description: "It helped" }]);
});

test("a change that keeps size and time is seen", async () => {
  const { root, catalogue } = await openCatalogue({ ".skills/one/SKILL.md": file });
  const path = join(root, ".skills/one/SKILL.md");
  await utimes(path, 1000, 1000);
  await catalogue.list();
  await writeFile(path, file.replace("helps", "harms"));
  await utimes(path, 1000, 1000);
  expect(await catalogue.list()).toMatchObject([{ description: "It harms" }]);
});

/** The same workspace, but each read is held back after the file was read. */
function afterReading(wait: () => Promise<void>): OpenReading {
  return (workspace) => {
    const files = openReading(workspace);
    return {
      ...files,
      async readText(...given) {
        const text = await files.readText(...given);
        await wait();
        return text;
      },
    };
  };
}
