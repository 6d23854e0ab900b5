import { execFileSync } from "node:child_process";
import { mkdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { putFiles } from "../../support/open-file-session.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { judgeLine, openWorld } from "./judge-line.ts";

/** Commands whose program reads them in another way than their words suggest, with what has to be there for it. */
const attacks: readonly (readonly [line: string, why: string, files?: Readonly<Record<string, string>>])[] = [
  // Keywords and signs that only some awks know
  [`awk 'BEGIN{case/system("touch m")/1}'`, "mawk knows no case"],
  [`awk 'BEGIN{switch/system("touch m")/1}'`, "mawk knows no switch"],
  [`awk 'BEGIN{default/system("touch m")/1}'`, "mawk knows no default"],
  [`awk 'BEGIN{nextfile/system("touch m")/1}'`, "an old awk knows no nextfile"],
  [`awk 'BEGIN{func/system("touch m")/1}'`, "POSIX knows no func"],
  [`awk 'BEGIN{x = /a/ /system("touch m")/ 1}'`, "a pattern or a division after a pattern"],
  [`awk 'BEGIN{in/system("touch m")/1}'`, "nothing sensible follows in"],
  // Letters of options without a dash
  [`tar If 'sh -c "touch m"' a.tar -t`, "the first word is options"],
  ["tar T ../secret -t -f a.tar", "the first word is options"],
  ["tar xf a.tar -t", "the first word is options"],
  ["tar tIf 'touch m' a.tar", "the second letter runs a program"],
  ["tar tff a.tar ../b.tar", "each letter has its own value"],
  ['tar "$x" -t -f a.tar', "any letters"],
  ["tar *f a.tar -t", "any letters"],
  // Formats
  ["printf 'abc%.-1n' PATH; ls", "bash takes a negative precision"],
  ["printf '%-.-n' PATH", "bash takes a negative precision"],
  ["printf '%1$n' PATH", "not known in every detail"],
  ["printf '%y' PATH", "not known at all"],
  ["printf '%' PATH", "not complete"],
  ["printf '%d%' PATH", "not complete"],
  ["printf '%(%Y' PATH", "not complete"],
  // The end of options
  ["unzip -l -- -lo a.zip -d ../elsewhere", "unzip has no --"],
  ["unzip -l -- a.zip", "unzip has no --"],
  ["zipinfo -- -lo a.zip", "zipinfo has no --"],
  ["unzip -p - ../secret.zip", "a dash is an option without letters, so the archive comes after it"],
  // Files of further arguments
  ['nm "@"*', "@x may be there", { "@x": "" }],
  ["nm '@x'", "a file of arguments"],
  ["nm *", "any name"],
  ['strings "@"*', "@x may be there", { "@x": "" }],
  ["strings -- @x", "-- comes too late"],
  ["strings -n @x a.bin", "also as a value"],
  ['readelf "@"?', "@x may be there"],
  ['size @"x"', "a file of arguments"],
  ["for f in @*; do nm $f; done", "@x may be there", { "@x": "" }],
  // Ranges that are paths
  ["git diff x..y/../../outside/secret /dev/null", "a path with two dots in it"],
  ["git diff x...y/../../outside/secret /dev/null", "a path with three dots in it"],
  ["git diff ..x/../../outside/secret /dev/null", "a path that starts with two dots"],
  ["git diff id_rsa /dev/null", "a path without any dot"],
  // Operands that are written
  ["xxd in.bin -p", "after an operand, xxd knows no options"],
  ["xxd in.bin -r", "after an operand, xxd knows no options"],
  ["uniq in.txt -c", "after an operand, some uniq knows no options"],
  // Names that become options
  ["ls | xargs -n1 wc -l", "reads names from a file", { "--files0-from=x": "" }],
  ["ls | xargs -n1 wc -l", "two names", { "a --files0-from=x": "" }],
  ["find . -type f | xargs wc -l", "two names", { "a/b --files0-from=/etc/passwd": "" }],
  ["find . -type f | xargs wc -l", "quotes are taken away", { "a'b": "" }],
  ["find . -type f | xargs ls -l", "another path", { "a /etc/passwd": "" }],
  ["rg -l foo | xargs wc -l", "reads names from a file", { "x/y --files0-from=z": "" }],
  ["rg -l0 foo | xargs -0 wc -l", "reads names from a file", { "--files0-from=x": "" }],
  ["git diff --name-only HEAD~1 | xargs wc -l", "a name that is in no list"],
  ["wc -l *", "reads names from a file", { "--files0-from=x": "" }],
  ["du -s *", "reads names from a file", { "--files0-from=x": "" }],
  ["grep -n foo *", "reads patterns from a file", { "-fx": "" }],
  ["sha256sum *", "reads names from a file", { "-c": "" }],
  ['read -r x < a.txt; wc -l "$x"', "any name"],
  // Options that name files and programs, and languages that name values
  ["jq -n 'path(.[env:1])'", "a slice, and no key of an object"],
  ["jq '.[$ENV:1]' a.json", "a slice, and no key of an object"],
  ["jq '[.[] | env:1]' a.json", "not a key of an object"],
  ["jq '1, get_secret, 2' a.json", "not a key of an object"],
  ["iconv -f /outside/secret a.txt", "the path of a table"],
  ["iconv -t ../secret a.txt", "the path of a table"],
  ["ack --noenv -x foo", "reads names from its input"],
  ["fd -l foo", "runs ls"],
  ["nm -l a.out", "opens what the object names"],
  ["ls -T /etc", "elsewhere -T takes no value"],
  ["fmt -p /etc/passwd a.txt", "elsewhere -p takes no value"],
  ["sed -l 'w x' p a.txt", "elsewhere -l takes no value"],
  ["sed 'a\\ \nfoo\nw x' a.txt", "where the text starts is ambiguous"],
  ["sed 's/a\nb/c/' a.txt", "a pattern over two lines"],
  // git
  ["git log --diff-merges=remerge -p", "writes objects"],
  ["git log --diff-merges=r", "writes objects"],
  ["git shortlog --group=format:%G?", "verifies signatures"],
  ["git log --format='%(describe)'", "runs git again"],
  ["git diff --submodule=diff", "runs git in a submodule"],
  ["git diff --submodule", "opens a submodule's repository"],
  ["git log -p --submodule=log", "opens a submodule's repository"],
  ["git grep --recurse-submodules foo", "opens a submodule's repository"],
  ["git ls-files --recurse-submodules", "opens a submodule's repository"],
  ["git log --alternate-refs", "runs git in another repository"],
  ["env -i git status", "without our settings"],
  ["env --ignore-environment git status", "without our settings"],
  ["env -u GIT_CONFIG_COUNT git status", "without our settings"],
  ["env -uGIT_CONFIG_KEY_0 git status", "without our settings"],
  ["env --unset=GIT_OPTIONAL_LOCKS git diff", "without our settings"],
  ["env -i bash -c 'git status'", "without our settings"],
  ["timeout 5 env -i nice git log", "without our settings"],
  ["find . -maxdepth 0 -exec env -i git status \\;", "without our settings"],
  ["bash -c 'env -i git status'", "without our settings"],
];

test("a command that its program reads in another way than its words suggest asks", async () => {
  const plain = { "a.txt": "", "in.txt": "", "in.bin": "" };
  const common = await openWorld(plain);
  const judged = await Promise.all(
    attacks.map(async ([line, why, files]) => {
      const own = files && (await openWorld({ ...plain, ...files }));
      return { line: `${line} (${why})`, ...(await judgeLine(line, own ?? common)) };
    }),
  );
  expect(judged.filter(({ isAllowed }) => isAllowed).map(({ line }) => line)).toEqual([]);
});

test("the same words in a harmless sense are let through", async () => {
  const world = await openWorld({ "a.txt": "", "src/x": "", "in.bin": "" });
  const refused = [];
  for (const line of [
    `awk '/system/ { print $1 / 2 }' a.txt`,
    "tar tvf a.tar 'src/*'",
    "tar tzf a.tgz src",
    "printf '%5.2f %-10s %*d %b %q %(%F)T\\n' 1 a 3 4 b c -1",
    "printf '100%%\\n'",
    "nm -D -t x a.out",
    "readelf -x .text -W a.out",
    "size -A a.out",
    "git diff main..feature/x",
    "git diff origin/main...HEAD -- src",
    "xxd -p in.bin",
    "uniq -c a.txt",
    "wc -l *",
    "du -sh *",
    "grep -n foo *",
    "ls | xargs -n1 wc -l",
    "find . -type f | xargs wc -l",
    "git ls-files | xargs wc -l",
    "git diff --name-only | xargs wc -l",
    "jq '{env: .a, b}' a.json",
    "jq '.[1:2], {a: {env: 1}}' a.json",
    "iconv -f latin1 -t UTF-8//TRANSLIT a.txt",
    "git log --diff-merges=first-parent -p",
    "git shortlog -s --group=committer",
    "git diff --submodule=short",
    "env -i ls",
    "env -u LANG git status",
  ]) {
    const { isAllowed, reasons } = await judgeLine(line, world);
    if (!isAllowed) refused.push(`${line}: ${reasons.join("; ")}`);
  }
  expect(refused).toEqual([]);
});

test("a program that goes through links asks if one of them leads out of what it reads", async () => {
  const world = await openWorld({ "src/a/x.ts": "", "docs/x.md": "" });
  await symlink("x.ts", join(world.directory, "src/a/inside"));
  await symlink("nowhere", join(world.directory, "src/a/broken"));
  const lines = [
    "grep -R foo src",
    "grep --dereference-recursive foo src",
    "grep -nR foo .",
    "grep -R foo sr*",
    "rg -L foo src",
    "rg --follow foo",
    "fd -L foo",
    "ag -f foo src",
    "find -L src -name x",
    "find src -follow",
    "du -L src",
    "tree -l src",
    "ls -LR src",
    "diff -r src docs",
    "diff -ru src docs",
  ];
  const isAllowed = async (line: string) => [line, (await judgeLine(line, world)).isAllowed];
  for (const line of lines) expect(await isAllowed(line)).toEqual([line, true]);
  await symlink("/etc", join(world.directory, "src/a/outside"));
  for (const line of lines) expect(await isAllowed(line)).toEqual([line, false]);
  const inBusybox = { ...world, isBusybox: async () => true };
  expect((await judgeLine("grep -r foo src", inBusybox)).isAllowed, "busybox's grep -r").toBe(false);
  expect((await judgeLine("grep -r foo docs", inBusybox)).isAllowed).toBe(true);
  for (const line of [
    "grep -r foo src",
    "rg foo",
    "find src",
    "diff -r --no-dereference src docs",
    "grep -R foo docs",
  ])
    expect(await isAllowed(line)).toEqual([line, true]);
});

/** A repository with another one checked out in it, recorded as a link. */
async function openWithLink() {
  const world = await openWorld();
  const git = (folder: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: join(world.directory, folder),
      stdio: "ignore",
    });
  await rm(join(world.directory, ".git"), { recursive: true });
  await putFiles(world.directory, { "a b": "", "sub/deep/x": "" });
  git("sub/deep", "init", "--quiet");
  git("sub/deep", "add", "-A");
  git("sub/deep", "commit", "--quiet", "-m", "x");
  git(".", "init", "--quiet");
  git(".", "-c", "advice.addEmbeddedRepo=false", "add", "-A");
  return { world, git, config: join(world.directory, "sub/deep/.git/config") };
}

const decisive = ["git status", "git diff", "git diff-files", "git log -1"];

test("settings of a repository inside the repository make git ask", async () => {
  const { world, config } = await openWithLink();
  const isAllowed = async (line: string) => [line, (await judgeLine(line, world)).isAllowed];
  for (const line of decisive) expect(await isAllowed(line)).toEqual([line, true]);
  for (const settings of [
    "[core]\n\tfsmonitor = touch m",
    '[filter "x"]\n\tclean = touch m',
    "[diff]\n\texternal = touch m",
    "[include]\n\tpath = elsewhere",
    "[core]\n\tworktree = /",
  ]) {
    await writeFile(config, settings);
    for (const line of decisive)
      expect([settings, ...(await isAllowed(line))]).toEqual([settings, line, false]);
  }
});

test("a submodule whose repository git keeps in its own folder is known, and one that leads elsewhere asks", async () => {
  const { world, git } = await openWithLink();
  const { directory } = world;
  await mkdir(join(directory, ".git/modules"));
  await rename(join(directory, "sub/deep/.git"), join(directory, ".git/modules/deep"));
  await writeFile(join(directory, "sub/deep/.git"), "gitdir: ../../.git/modules/deep\n");
  execFileSync("git", ["config", "-f", ".git/modules/deep/config", "core.worktree", "../../../sub/deep"], {
    cwd: directory,
  });
  git(".", "status");
  expect(await judgeLine("git status", world)).toMatchObject({ isAllowed: true });
  await rename(join(directory, ".git/modules/deep"), join(directory, "moved"));
  await writeFile(join(directory, "sub/deep/.git"), "gitdir: ../../moved\n");
  expect((await judgeLine("git status", world)).isAllowed).toBe(false);
});

test("the files that git tracks are read from a list of any version", async () => {
  const { world, git, config } = await openWithLink();
  const plain = await readFile(config, "utf8");
  // Only from the third version on can the list say that a file is to be added.
  await writeFile(join(world.directory, "new"), "");
  for (const version of ["2", "3", "4"]) {
    if (version === "3") git(".", "add", "-N", "new");
    git(".", "update-index", "--index-version", version);
    await writeFile(config, plain);
    expect(await judgeLine("git status", world)).toMatchObject({ isAllowed: true });
    expect((await judgeLine("git ls-files | xargs wc -l", world)).reasons.join()).toContain("a b");
    await writeFile(config, "[core]\nfsmonitor = x");
    expect((await judgeLine("git status", world)).isAllowed).toBe(false);
  }
});

test("a list of tracked files that is split over two files, or is damaged, makes git ask", async () => {
  const { world, git } = await openWithLink();
  git(".", "update-index", "--split-index");
  expect((await judgeLine("git status", world)).isAllowed).toBe(false);
  for (const text of ["", "DIRC", "DIRC\0\0\0\x09\0\0\0\x01".padEnd(200, "x")]) {
    await writeFile(join(world.directory, ".git/index"), text);
    expect((await judgeLine("git status", world)).isAllowed).toBe(false);
  }
});

test("a repository without its head, objects or references asks, because git would take another one", async () => {
  const layout = {
    HEAD: "ref: refs/heads/main\n",
    "objects/x": "",
    "refs/x": "",
    config: "[core]\nfsmonitor = x",
  };
  for (const name of ["HEAD", "objects", "refs"]) {
    const world = await openWorld(layout);
    expect((await judgeLine("git log -1", world)).isAllowed).toBe(true);
    await rm(join(world.directory, ".git", name), { recursive: true });
    expect([name, (await judgeLine("git log -1", world)).isAllowed]).toEqual([name, false]);
  }
});

test("a repository that takes its objects from elsewhere asks", async () => {
  const world = await openWorld({ ".git/objects/info/alternates": "/outside/.git/objects\n" });
  expect((await judgeLine("git log -1", world)).isAllowed).toBe(false);
});

test("without a sandbox, git does not rewrite its list when it looks for changes", async () => {
  const { world } = await openWithLink();
  const index = join(world.directory, ".git/index");
  const { session } = await openTestSession({ workspace: world.directory, sandbox: "off" });
  await utimes(join(world.directory, "a b"), 1, 1);
  const before = await stat(index);
  expect(await session.call("shell_run", { command: "git diff; git status" })).toMatchObject({
    status: "done",
  });
  expect((await stat(index)).ino).toBe(before.ino);
});

test("in mode edit, what a folder holds is looked at before it is copied or moved", async () => {
  const workspace = await temporaryFolder();
  await putFiles(workspace, {
    "evil/a.txt": "",
    "evil/deep/.vscode/tasks.json": "{}",
    "evil/.envrc": "",
    "good/a.txt": "",
    "good/b/c.txt": "",
    "sub/x": "",
    "tools/notes.txt": "",
    "other/tools/a.mjs": "",
  });
  await symlink("/etc", join(workspace, "good/b/link"));
  await mkdir(join(workspace, "evil/.husky"));
  const { session } = await openTestSession({
    workspace,
    permissions: { mode: "edit" },
    toolFolders: [join(workspace, "tools")],
  });
  const decisionOn = async (command: string) => (await session.explain("shell_run", { command })).decision;
  for (const line of [
    "cp -rT evil sub",
    "cp -rT evil .",
    "cp -r evil new",
    "cp -a evil new",
    "cp -r evil sub/",
    "cp -r -t sub evil",
    "cp -r evil/. sub",
    "cp -r evil/deep new",
    "cp -r evil/* sub",
    "cp -r e* sub",
    "mv evil new",
    "mv -T evil new",
    "mv evil sub",
    "mv -t sub evil",
    "mv evil/deep new",
    "cp -rL good new",
    "cp -r other/. .",
    "cp -rT other .",
  ])
    expect([line, await decisionOn(line)]).toEqual([line, "ask"]);
  for (const line of ["cp -r good new", "cp -rT good sub", "mv good new", "mv sub good", "cp evil/a.txt sub"])
    expect([line, await decisionOn(line)]).toEqual([line, "allow"]);
});
