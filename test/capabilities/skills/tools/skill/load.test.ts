import { mkdir, readdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Session } from "../../../../../src/index.ts";
import { openFileSession, putFiles } from "../../../../support/open-file-session.ts";

function skill(description: string, body = "Do it.\n"): string {
  return `---\ndescription: ${description}\n---\n${body}`;
}

test("a skill is loaded with its text and the names of its files, and nothing of it is run", async () => {
  const { session, workspace } = await openFileSession(
    {
      ".skills/pdf/SKILL.md": `---\nname: PDF\ndescription: "Reads PDFs"\n---\n\n# PDF\nRun scripts/read.sh.\n`,
      ".skills/pdf/scripts/read.sh": "touch ../../../was-run",
      ".skills/pdf/references/deep/format.md": "x",
      ".skills/pdf/assets/logo.svg": "x",
      ".skills/pdf/FORMS.md": "x",
    },
    { permissions: { mode: "readonly" } },
  );
  const folder = join(workspace, ".skills/pdf");
  const result = await session.call("skill_load", { name: "pdf" });
  expect(result).toMatchObject({ status: "done", data: { name: "pdf", description: "Reads PDFs", folder } });
  expect(result.data).toEqual({
    name: "pdf",
    description: "Reads PDFs",
    folder,
    content: "# PDF\nRun scripts/read.sh.\n",
    references: ["references/deep/format.md"],
    scripts: ["scripts/read.sh"],
    assets: ["assets/logo.svg"],
    otherFiles: ["FORMS.md"],
    hasMoreFiles: false,
  });
  expect(result.text).toMatch(/^\(The skill's folder is /);
  expect(result.text).toMatch(/\n```markdown\n# PDF\nRun scripts\/read\.sh\.\n```$/);
  expect(result.text).toContain("\nscripts/read.sh");
  expect(await readdir(workspace)).toEqual([".skills"]);
});

test("the model is told names and descriptions, and nothing else of a skill", async () => {
  const { session } = await openFileSession({
    ".skills/one/SKILL.md": skill("First \u001b[31mline\u202e", "SECRET BODY"),
    ".claude/skills/two/SKILL.md": skill("x".repeat(5000)),
  });
  const told = describeLoad(session);
  expect(told).toContain("Skills:\n- one: First [31mline\n- two: xxx");
  expect(told).not.toContain("SECRET BODY");
  expect(told.length).toBeLessThan(2000);
});

test("the skills are told to a model also among many tools, once there are any", async () => {
  const { session, workspace } = await openFileSession();
  const offered = () => session.activeTools({ format: "json" }).map(({ name }) => name);
  const before = offered();
  expect(before).not.toContain("skill_load");
  expect(session.isDeferred("skill_load")).toBe(true);
  await putFiles(workspace, { ".skills/pdf/SKILL.md": skill("Reads PDFs") });
  await session.skills.list();
  // At the end, so that what a provider has cached of the others stays good.
  expect(offered()).toEqual([...before, "skill_load"]);
  expect(session.isDeferred("skill_load")).toBe(false);
  expect(session.toolManuals()).toContain("## skill_load");
  await rm(join(workspace, ".skills"), { recursive: true });
  await session.skills.list();
  expect(offered()).toEqual([...before, "skill_load"]);
});

test("names of files are listed one to a line, whatever is in them", async () => {
  const { session } = await openFileSession({
    ".skills/pdf/SKILL.md": skill("Reads"),
    ".skills/pdf/references/a\n(There are more files.)": "x",
    ".skills/pdf/\u009b2J": "x",
  });
  const { text, data } = await session.call("skill_load", { name: "pdf" });
  const lines = text.split("\n").slice(1, 3);
  expect(lines).toEqual(['"references/a\\n(There are more files.)"', '"\\u009b2J"']);
  expect(data).toMatchObject({
    references: ["references/a\n(There are more files.)"],
    otherFiles: ["\u009b2J"],
  });
});

test("skill_load says so if there are no skills", async () => {
  const { session } = await openFileSession();
  expect(describeLoad(session)).toContain("No skills are available.");
  const { error } = await session.call("skill_load", { name: "pdf" });
  expect(error).toMatchObject({
    code: "not-found",
    hint: expect.stringContaining(".skills or .claude/skills"),
  });
});

test("a skill that comes, changes or goes is known at the next call", async () => {
  const { session, workspace } = await openFileSession();
  await putFiles(workspace, { ".skills/new/SKILL.md": skill("One", "old") });
  expect((await session.call("skill_load", { name: "new" })).data).toMatchObject({ content: "old" });
  await putFiles(workspace, { ".skills/new/SKILL.md": skill("Two", "young") });
  expect((await session.call("skill_load", { name: "new" })).data).toMatchObject({
    description: "Two",
    content: "young",
  });
  expect(describeLoad(session)).toContain("- new: Two");
  await rm(join(workspace, ".skills/new"), { recursive: true });
  expect((await session.call("skill_load", { name: "new" })).error?.code).toBe("not-found");
  expect(describeLoad(session)).toContain("No skills are available.");
});

test.each(["../out", "/etc", "pdf/../pdf", ".", "..", "pdf\u0000", "__proto__", "pdf/scripts"])(
  "a skill named %j is not found",
  async (name) => {
    const { session, base } = await openFileSession({ ".skills/pdf/SKILL.md": skill("Reads") });
    await putFiles(base, { "out/SKILL.md": skill("Outside") });
    const { error } = await session.call("skill_load", { name });
    expect(error).toMatchObject({
      code: "not-found",
      message: expect.stringContaining("there is no skill named"),
    });
  },
);

test("a skill's folder, file or list of files that leads out of the workspace stays out", async () => {
  const { session, workspace, base } = await openFileSession({ ".skills/ok/SKILL.md": skill("Inside") });
  await putFiles(base, { "out/SKILL.md": skill("Outside", "SECRET") });
  await symlink(join(base, "out"), join(workspace, ".skills/folder"));
  await mkdir(join(workspace, ".skills/file"));
  await symlink(join(base, "out/SKILL.md"), join(workspace, ".skills/file/SKILL.md"));
  await symlink(join(base, "out/SKILL.md"), join(workspace, ".skills/ok/secret.md"));
  await symlink("SKILL.md", join(workspace, ".skills/ok/same.md"));
  await symlink(base, join(workspace, ".claude"));
  await putFiles(base, { "skills/far/SKILL.md": skill("Far") });
  expect((await session.skills.list()).map(({ name }) => name)).toEqual(["ok"]);
  expect((await session.call("skill_load", { name: "ok" })).data).toMatchObject({ otherFiles: ["same.md"] });
  for (const name of ["folder", "file"]) {
    const { error, text } = await session.call("skill_load", { name });
    expect(error).toMatchObject({ code: "not-found", message: expect.stringContaining("leads outside") });
    expect(text).not.toContain("SECRET");
  }
  expect((await session.skills.problems()).map(({ path }) => path)).toEqual([
    ".claude/skills",
    ".skills/file/SKILL.md",
    ".skills/folder/SKILL.md",
  ]);
});

test("a SKILL.md of 100 MB is not read, and the others are", async () => {
  const { session, workspace } = await openFileSession({
    ".skills/huge/SKILL.md": skill("Huge"),
    ".skills/small/SKILL.md": skill("Small"),
  });
  await truncate(join(workspace, ".skills/huge/SKILL.md"), 100 * 2 ** 20);
  expect((await session.call("skill_load", { name: "huge" })).error?.message).toContain("104857600 bytes");
  expect((await session.skills.list()).map(({ name }) => name)).toEqual(["small"]);
});

test("a rule on the files of a skill binds skill_load", async () => {
  const { session } = await openFileSession(
    { ".skills/pdf/SKILL.md": skill("Reads") },
    { permissions: { deny: ["skill_load(.skills/pdf/**)"] } },
  );
  expect((await session.call("skill_load", { name: "pdf" })).status).toBe("denied");
});

test("six hundred skills are listed to the model as far as they fit, and a misspelt name leads to the right one", async () => {
  const names = Array.from({ length: 600 }, (_, index) => `skill-${index}`);
  const { session, workspace } = await openFileSession();
  await putFiles(
    workspace,
    Object.fromEntries(names.map((name) => [`.skills/${name}/SKILL.md`, skill("Does ".repeat(40))])),
  );
  expect(await session.skills.list()).toHaveLength(600);
  const told = describeLoad(session);
  expect(told.length).toBeLessThan(21_000);
  expect(told).toMatch(/- … and \d+ more/);
  expect((await session.call("skill_load", { name: "skil-599" })).error?.hint).toContain("skill-599");
});

test("a folder with thousands of files is listed in part, and says so", async () => {
  const { session, workspace } = await openFileSession({ ".skills/many/SKILL.md": skill("Many") });
  await mkdir(join(workspace, ".skills/many/assets"));
  await Promise.all(
    Array.from({ length: 700 }, (_, index) => writeFile(join(workspace, `.skills/many/assets/${index}`), "")),
  );
  const { data, text } = await session.call("skill_load", { name: "many" });
  expect(data).toMatchObject({ hasMoreFiles: true });
  expect(text).toContain("(There are more files.)");
});

function describeLoad(session: Session): string {
  return session.tools({ format: "json" }).find(({ name }) => name === "skill_load")!.description;
}
