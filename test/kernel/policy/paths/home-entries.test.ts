import { mkdirSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openTestSession } from "../../../support/open-test-session.ts";
import { onDisk, putFiles, temporaryFolder } from "../../../support/temporary-folder.ts";

const entries = [
  ".config/git/config",
  ".config/systemd/user/x.service",
  ".config/autostart/x.desktop",
  ".vimrc",
  ".tmux.conf",
  ".local/bin/ls",
  ".docker/config.json",
  ".kube/config",
  ".psqlrc",
  ".curlrc",
  ".new/deep/er/file",
  "\uff0evimrc",
];

/** A home folder, in a folder of homes, that the process has as its own. */
function makeHome(): { readonly homes: string; readonly home: string } {
  const homes = temporaryFolder("toolwright-homes-", onDisk);
  const home = join(homes, "me");
  putFiles(home, { "plain.txt": "", "work/.vimrc": "", ".config/git/config": "", ".vimrc": "" });
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_STATE_HOME", join(homes, "state"));
  onTestFinished(() => void vi.unstubAllEnvs());
  return { homes, home };
}

const waysTo = (path: string) => [
  { tool: "file_write", input: { path, content: "x" } },
  { tool: "file_move", input: { source: "tree/plain.txt", destination: path } },
  { tool: "file_mkdir", input: { path, recursive: true } },
  { tool: "shell_run", input: { command: `echo x > '${path}'` } },
  { tool: "shell_run", input: { command: `cp plain.txt '${path}'` } },
  { tool: "shell_run", input: { command: `mkdir -p '${path}'` } },
];

test.each(["the home folder", "a folder above it", "a link to it", "what HOME leads to by a link"])(
  "with %s as workspace, whatever writes an entry of it that begins with a dot asks",
  async (which) => {
    const { homes, home } = makeHome();
    putFiles(home, { "tree/plain.txt": "" });
    await symlink(home, join(homes, "link"));
    if (which === "what HOME leads to by a link") vi.stubEnv("HOME", join(homes, "link"));
    const workspace = { "a folder above it": homes, "a link to it": join(homes, "link") }[which] ?? home;
    const { session } = await openTestSession({ workspace, sandbox: "off", permissions: { mode: "auto" } });
    for (const entry of entries)
      for (const { tool, input } of waysTo(join(home, entry))) {
        const { decision, reason } = await session.explain(tool, input);
        expect([entry, tool, decision], reason).toEqual([entry, tool, "ask"]);
        expect(reason).toMatch(/may run as code later \(protected name ".+" in the home folder\)/);
      }
    for (const entry of ["plain.txt", "work/.vimrc", "work/.config/git/config", "tree/.new"])
      for (const { tool, input } of waysTo(join(home, entry)))
        expect([entry, tool, (await session.explain(tool, input)).decision]).toEqual([entry, tool, "allow"]);
    expect((await session.explain("file_read", { path: join(home, ".vimrc") })).decision).toBe("allow");
  },
);

test("a call that names only a folder asks about the entries of the home folder that it would write", async () => {
  const { homes, home } = makeHome();
  putFiles(home, { "tree/.vimrc": "", "tree/.new/a": "", "deep/.config/git/config": "", "plain/a.txt": "" });
  await symlink("work", join(home, ".linked"));
  const options = { sandbox: "off", permissions: { mode: "auto" } } as const;
  const { session } = await openTestSession({ ...options, workspace: home });
  for (const [tool, input] of [
    ["shell_run", { command: "cp -rT tree ." }],
    ["shell_run", { command: "cp -r tree/. ." }],
    ["shell_run", { command: "cp -r deep/.config ." }],
    ["shell_run", { command: "mv tree/.new ." }],
    ["shell_run", { command: "mv .config elsewhere" }],
    ["shell_run", { command: "find . -name config -exec sed -i s/a/b/ {} +" }],
    ["shell_run", { command: "echo x > .linked/a" }],
    ["shell_run", { command: "rm .vimrc" }],
    ["shell_run", { command: "cd .config && touch git/config" }],
    ["file_copy", { source: "tree", destination: ".new" }],
    ["file_move", { source: ".vimrc", destination: "vimrc" }],
    ["file_delete", { path: ".config/git", recursive: true }],
    ["file_write", { path: ".linked/a", content: "" }],
  ] as const) {
    const { decision, reason } = await session.explain(tool, input);
    expect([tool, input, decision !== "allow"], reason).toEqual([tool, input, true]);
  }
  for (const command of ["cp -rT plain .", "cp -r tree other", "mv tree other"])
    expect([command, (await session.explain("shell_run", { command })).decision]).toEqual([command, "allow"]);
  // What is above the home folder is above our own records, too.
  const { session: above } = await openTestSession({ ...options, workspace: homes });
  for (const [tool, input] of [
    ["shell_run", { command: "mv me you" }],
    ["shell_run", { command: "rm -rf me" }],
    ["shell_run", { command: "cp -rT me/tree me" }],
    ["file_copy", { source: "me/tree", destination: "me", overwrite: true }],
    ["file_move", { source: "me", destination: "you" }],
    ["file_delete", { path: "me", recursive: true }],
  ] as const)
    expect([input, (await above.explain(tool, input)).decision]).toEqual([input, "deny"]);
});

test("a rule that names the path answers, and no other", async () => {
  const { home } = makeHome();
  const allow = ["Edit(.config/git/**)", "Edit"];
  const { session } = await openTestSession({
    workspace: home,
    sandbox: "off",
    permissions: { mode: "auto", allow },
  });
  const decisionOn = async (path: string) =>
    (await session.explain("file_write", { path, content: "" })).decision;
  expect(await decisionOn(".config/git/config")).toBe("allow");
  expect(await decisionOn(".config/other")).toBe("ask");
});

test.each([
  { name: "a workspace below such an entry", root: ".dotfiles/project", extraRoots: [] },
  { name: "one beside the home folder's root", root: ".", extraRoots: [".dotfiles/project"] },
  { name: "one with the home folder as a further root", root: ".dotfiles/project", extraRoots: ["."] },
])("$name is as any other", async ({ root, extraRoots }) => {
  const { home } = makeHome();
  const project = join(home, ".dotfiles/project");
  mkdirSync(project, { recursive: true });
  const workspace = { root: join(home, root), extraRoots: extraRoots.map((each) => join(home, each)) };
  const { session } = await openTestSession({ workspace, sandbox: "off", permissions: { mode: "edit" } });
  for (const path of ["a.txt", ".prettierrc", ".config/git/config"])
    for (const { tool, input } of waysTo(join(project, path)).filter((way) => way.tool !== "file_move"))
      expect((await session.explain(tool, input)).decision, path).toBe("allow");
  const isHomeOpen = extraRoots.includes(".") || root === ".";
  const { decision } = await session.explain("file_write", { path: join(home, ".vimrc"), content: "" });
  expect(decision).toBe(isHomeOpen ? "ask" : "deny");
});
