import { mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TemplateDefinitions } from "../../../../../src/capabilities/agents/sub-agents/templates/agent-template.ts";
import { createTemplateCatalogue } from "../../../../../src/capabilities/agents/sub-agents/templates/template-catalogue.ts";
import { openReading, openWorkspace } from "../../../../../src/capabilities/files/workspace.ts";
import { type Contents, putFiles } from "../../../../support/open-file-session.ts";
import { temporaryFolder } from "../../../../support/open-test-session.ts";

async function openCatalogue(contents: Contents, given: TemplateDefinitions = {}) {
  const base = await temporaryFolder();
  const root = join(base, "work");
  await mkdir(root);
  await putFiles(root, contents);
  const sources = { workspace: await openWorkspace({ root }), openReading };
  return { base, root, catalogue: createTemplateCatalogue(given, sources) };
}

function template(description: string, more = ""): string {
  return `---\ndescription: ${description}\n${more}---\nDo it.\n`;
}

test("templates come from code and from both folders, and the first of a name counts", async () => {
  const { catalogue } = await openCatalogue(
    {
      ".toolwright/agents/given.md": template("From our folder"),
      ".toolwright/agents/ours.md": template("Ours"),
      ".claude/agents/ours.md": template("Theirs"),
      ".claude/agents/theirs.md": template("Theirs"),
      ".claude/agents/notes.txt": "no template",
      ".claude/agents/.hidden.md": template("Hidden"),
      ".claude/agents/folder.md/inner.md": template("Inner"),
    },
    { given: { description: "From\ncode", tools: ["Read"], agents: { maxDepth: 1 } } },
  );
  expect(await catalogue.list()).toEqual([
    { name: "given", description: "From code", tools: ["Read"], agents: { maxDepth: 1 } },
    { name: "ours", description: "Ours", system: "Do it." },
    { name: "theirs", description: "Theirs", system: "Do it." },
  ]);
  expect(await catalogue.problems()).toEqual([
    {
      path: ".toolwright/agents/given.md",
      message: "ignored: one given in code has the same name and takes precedence",
    },
    {
      path: ".claude/agents/ours.md",
      message: "ignored: .toolwright/agents/ours.md has the same name and takes precedence",
    },
  ]);
});

test("the name in a file counts before the name of the file, and the first of two with the same", async () => {
  const { catalogue } = await openCatalogue({
    ".claude/agents/a.md": template("First", "name: reviewer\n"),
    ".claude/agents/b.md": template("Second", "name: reviewer\n"),
    ".claude/agents/c.md": template("Third", "name:\n"),
  });
  expect((await catalogue.list()).map(({ name, description }) => [name, description])).toEqual([
    ["reviewer", "First"],
    ["c", "Third"],
  ]);
  expect(await catalogue.problems()).toEqual([
    {
      path: ".claude/agents/b.md",
      message: "ignored: .claude/agents/a.md has the same name and takes precedence",
    },
  ]);
});

test("an unknown name of a template is answered with the nearest name, or with why that template cannot be used", async () => {
  const { catalogue } = await openCatalogue(
    { ".claude/agents/reviewer.md": template("Reviews"), ".claude/agents/broken.md": "no front matter" },
    { explorer: { description: "Explores" } },
  );
  expect(await catalogue.find("explorer")).toEqual({ name: "explorer", description: "Explores" });
  await expect(catalogue.find("reviewr")).rejects.toMatchObject({
    code: "not-found",
    message: 'there is no kind of agent named "reviewr"',
    hint: "Did you mean reviewer?",
  });
  await expect(catalogue.find("broken")).rejects.toMatchObject({
    code: "not-found",
    message: expect.stringContaining(".claude/agents/broken.md:1 cannot be used"),
  });
  for (const name of ["../work/.claude/agents/reviewer", "__proto__", "constructor", "", "."])
    await expect(catalogue.find(name)).rejects.toMatchObject({ code: "not-found" });
});

test("a workspace without templates is told the folders in which they would be", async () => {
  const { catalogue } = await openCatalogue({});
  expect(await catalogue.list()).toEqual([]);
  expect(await catalogue.problems()).toEqual([]);
  await expect(catalogue.find("any")).rejects.toMatchObject({
    hint: "No kinds of agents were found in .toolwright/agents or .claude/agents.",
  });
});

test("the templates that are known without waiting are those of code at first, and then those last seen", async () => {
  const { root, catalogue } = await openCatalogue(
    { ".claude/agents/old.md": template("Old") },
    { given: { description: "Given" } },
  );
  const known = () => catalogue.known().map(({ name }) => name);
  expect(known()).toEqual(["given"]);
  await catalogue.list();
  expect(known()).toEqual(["given", "old"]);
  await rm(join(root, ".claude/agents/old.md"));
  await putFiles(root, { ".toolwright/agents/new.md": template("New") });
  await catalogue.list();
  expect(known()).toEqual(["given", "new"]);
});

test("a template that cannot be used is told with its file and line, and breaks nothing", async () => {
  const { base, root, catalogue } = await openCatalogue({
    ".claude/agents/good.md": template("Good"),
    ".claude/agents/plain.md": "# No front matter\n",
    ".claude/agents/open.md": "---\ndescription: Open\n",
    ".claude/agents/silent.md": "---\nname: silent\n---\nDo it.\n",
    ".claude/agents/binary.md": new Uint8Array([0, 1, 2, 3]),
    ".claude/agents/escape.md": template("Escape", "color: red\n").replace("Do it", "Do\n\u001b[2Jit"),
    ".claude/agents/turned.md": template("Turned").replace("Do it", "Do \u202eit"),
    ".claude/agents/two\nlines.md": template("Two"),
    ".claude/agents/id_rsa.md": template("Secret"),
    ".claude/agents/huge.md": template("Huge"),
  });
  await truncate(join(root, ".claude/agents/huge.md"), 10 * 2 ** 20);
  await writeFile(join(base, "outside.md"), template("Outside"));
  await symlink(join(base, "outside.md"), join(root, ".claude/agents/link.md"));
  await symlink("nowhere.md", join(root, ".claude/agents/loose.md"));
  await symlink("loop.md", join(root, ".claude/agents/loop.md"));
  await symlink(base, join(root, ".toolwright"));
  await mkdir(join(base, "agents"));
  await writeFile(join(base, "agents/far.md"), template("Far"));
  expect((await catalogue.list()).map(({ name }) => name)).toEqual(["good"]);
  const told = new Map((await catalogue.problems()).map(({ path, message }) => [path, message]));
  const folder = ".claude/agents";
  expect(told.get(".toolwright/agents")).toContain("outside the workspace");
  expect(told.get(`${folder}/plain.md:1`)).toContain("must begin with a line ---");
  expect(told.get(`${folder}/open.md:1`)).toContain("no line --- at its end");
  expect(told.get(`${folder}/silent.md:1`)).toContain("no description; add a line");
  expect(told.get(`${folder}/binary.md`)).toBeDefined();
  expect(told.get(`${folder}/escape.md:6`)).toContain("U+001B; remove it");
  expect(told.get(`${folder}/turned.md:4`)).toContain("U+202E; remove it");
  expect(told.get(`${folder}/two lines.md`)).toContain("name");
  expect(told.get(`${folder}/id_rsa.md`)).toContain(
    'may hold secrets (sensitive name "id_rsa.md"); rename it',
  );
  expect(told.get(`${folder}/huge.md`)).toContain("10485760 bytes");
  expect(told.get(`${folder}/huge.md`)).toContain("make it shorter");
  expect(told.get(`${folder}/link.md`)).toMatch(/leads outside the workspace \S+; replace it with a file/);
  expect(told.get(`${folder}/loose.md`)).toContain("does not exist");
  expect(told.get(`${folder}/loop.md`)).toBeDefined();
  expect(told.size).toBe(13);
});

test("a link to a file of the workspace is as good as the file", async () => {
  const { root, catalogue } = await openCatalogue({ "shared/reviewer.md": template("Reviews") });
  await mkdir(join(root, ".claude/agents"), { recursive: true });
  await symlink("../../shared/reviewer.md", join(root, ".claude/agents/reviewer.md"));
  expect(await catalogue.list()).toMatchObject([{ name: "reviewer", description: "Reviews" }]);
});

test("a folder with more templates than are read gives the first ones, and reports the rest as a problem", async () => {
  const { root, catalogue } = await openCatalogue({
    ".claude/agents/first.md": template("First"),
    ".claude/agents/last.md": template("Last"),
  });
  putFiles(
    join(root, ".claude/agents"),
    Object.fromEntries(Array.from({ length: 9999 }, (_, index) => [`from-${index}`, ""])),
  );
  expect((await catalogue.list()).map(({ name }) => name)).toEqual(["first"]);
  expect(await catalogue.problems()).toEqual([
    { path: ".claude/agents", message: "only the first 10000 entries are read; remove some" },
  ]);
}, 60_000);

test("templates beyond the limit for all of them are not kept, and the first ones stay usable", async () => {
  const long = "x".repeat(2 ** 18 - 100);
  const names = Array.from({ length: 200 }, (_, index) => `a${String(index).padStart(3, "0")}`);
  const { catalogue } = await openCatalogue(
    Object.fromEntries(names.map((name) => [`.claude/agents/${name}.md`, `${template("Long")}${long}`])),
  );
  for (const _ of ["first", "again"]) {
    const list = await catalogue.list();
    expect(list.length).toBeGreaterThanOrEqual(64);
    expect(list.length).toBeLessThan(64 + 40);
    expect(list.map(({ name }) => name)).toEqual(names.slice(0, list.length));
    const problems = await catalogue.problems();
    expect(problems).toHaveLength(200 - list.length);
    expect(problems[0]).toEqual({
      path: `.claude/agents/${names[list.length]}.md`,
      message: "the files before it already fill the size limit; remove some",
    });
  }
});

test("a hundred callers that list templates at once all get the same", async () => {
  const { catalogue } = await openCatalogue({ ".claude/agents/one.md": template("One") });
  const lists = await Promise.all(Array.from({ length: 100 }, () => catalogue.list()));
  for (const list of lists) expect(list).toMatchObject([{ name: "one" }]);
});
