import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gitEnvironment } from "../../../support/git-environment.ts";

const run = promisify(execFile);

/** A workspace beside things that no command may reach, all of it planted to be acted on. */
export interface PlantedWorld {
  /** Holds the workspace, `outside` and `home`. */
  readonly base: string;
  readonly work: string;
  readonly home: string;
  remove(): Promise<void>;
}

/** Texts that may not be printed: each stands where only a command that does more than it says gets at it. */
export const canaries = {
  "a file outside": "canary-4f1c-outside",
  "a file in the home folder": "canary-88d0-home",
  "the environment": "canary-c7e2-environment",
  "a secret": "canary-93b5-secret",
} as const;

/** A plain repository, one with a hostile repository as a gitlink in it, one with a bare layout at its root, one with secrets in its folders, or nothing. */
export type RepositoryKind = "plain" | "gitlink" | "bare" | "secrets" | "nothing";

/** Names that do not exist; whatever makes them has written. */
export const newNames = ["m", "sub/m", "../outside/m"];

/** What each payload would do is seen at once: it starts a program and makes a file. */
export const payloads = ["touch m", "sh -c 'touch m'", "./run.sh", "|touch m", "touch m;", "!touch m"];

/** What an argument may name, as it is written from the workspace. */
export const plantedNames = {
  files: [
    ..."a.txt b.txt in.bin data.json data.csv names.txt list0 a.awk a.sed a.tar a.tar.gz a.zip a.gz a.o".split(
      " ",
    ),
    ..."run.sh @x -p link-in sub/c.txt sub/inner/d.txt package.json .env a..b/e.txt a.patch a.sums".split(
      " ",
    ),
  ],
  folders: [".", "sub", "sub/inner", "evil", "evil", "evil", "a..b", "link-out", "vendor/bare", "x=y", "[d]"],
  outside: [
    "../outside/secret.txt",
    "../outside",
    "$BASE/outside/secret.txt",
    "link-secret",
    "link-out/secret.txt",
    "~/note.txt",
    "$HOME/note.txt",
    "sub/../../outside/secret.txt",
    "a..b/../../outside/secret.txt",
    "x=y/../../outside/secret.txt",
    "/proc/self/environ",
    "dangling",
    "[x]",
    "[d]/a.txt",
  ],
} as const;

/** From the workspace, where it has secrets. */
export const secretFiles = ["sub/.env.local", "a..b/id_rsa"];

const hostileConfig = `[core]
\tfsmonitor = "touch m #"
\tpager = touch m
[diff]
\texternal = touch m
[diff "hostile"]
\ttextconv = touch m
\tcommand = touch m
[filter "hostile"]
\tclean = touch m
\tsmudge = touch m
\tprocess = touch m
`;

const files: Readonly<Record<string, string>> = {
  "outside/secret.txt": `${canaries["a file outside"]}\n`,
  "outside/other.txt": `${canaries["a file outside"]}\n`,
  "home/note.txt": `${canaries["a file in the home folder"]}\n`,
  "home/.ssh/id_rsa": `${canaries["a file in the home folder"]}\n`,
  "work/a.txt": "foo\nbar\n1 2 3\n",
  "work/b.txt": "foo\nbaz\n",
  "work/in.bin": "\u0000\u0001bin\u0002\n",
  "work/data.json": '{ "items": [1, 2], "name": "data", "env": { "a": "b" } }\n',
  "work/data.csv": "a,b\n1,2\n",
  "work/names.txt": "a.txt\n../outside/secret.txt\n--files0-from=list0\n",
  "work/list0": "../outside/secret.txt\0../outside/other.txt\0",
  "work/a.awk": 'BEGIN { system("touch m") }\n',
  "work/a.sed": "w m\n1e touch m\n",
  "work/a.patch": "--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n-foo\n+fox\n",
  "work/a.sums": "0000 *../outside/secret.txt\n00000000000000000000000000000000  ../outside/secret.txt\n",
  // Some programs take `@x` for the arguments that are in `x`.
  "work/@x": "foo\n",
  "work/x": "../outside/secret.txt\n",
  "work/-p": "foo\n",
  "work/.env": "KEY=value\n",
  "work/package.json": '{ "name": "project", "version": "1.0.0", "scripts": { "test": "touch m" } }\n',
  "work/.gitattributes": "*.txt filter=hostile diff=hostile\n",
  "work/sub/c.txt": "one\ntwo\n",
  "work/sub/inner/d.txt": "three\n",
  "work/sub/inner/.vscode/tasks.json": "{}\n",
  "work/a..b/e.txt": "four\n",
  "work/a..b/.envrc": "touch m\n",
  "work/x=y/f.txt": "five\n",
  "work/[d]/g.txt": "six\n",
  "work/d/h.txt": "seven\n",
  "work/evil/.vscode/settings.json": "{}\n",
  "work/evil/.envrc": "touch m\n",
  "work/evil/.husky/pre-commit": "touch m\n",
  "work/evil/plain.txt": "plain\n",
  "work/vendor/bare/HEAD": "ref: refs/heads/main\n",
  "work/vendor/bare/config": `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n${hostileConfig}`,
  "work/vendor/bare/objects/info/packs": "",
  "work/vendor/bare/refs/heads/none": "",
};

/** Where the next `ls` comes from if something put a number, a name or nothing into PATH. */
const foldersOfPrograms = [".", "sub", "0", "1", "2", "3", "4", "5"];

const links: Readonly<Record<string, string>> = {
  "work/link-in": "a.txt",
  "work/link-out": "../outside",
  "work/link-secret": "../outside/secret.txt",
  "work/dangling": "../outside/m",
  // Names that would be patterns without quotes, beside others that these patterns match.
  "work/[x]": "../outside/secret.txt",
  "work/[d]/a.txt": "../../outside/secret.txt",
  // A name that is completed by the program that is given its first part.
  "work/n.gz": "../outside/secret.txt",
};

export async function plantWorld(kind: RepositoryKind = "plain"): Promise<PlantedWorld> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "toolwright-planted-")));
  const work = join(base, "work");
  const world = {
    base,
    work,
    home: join(base, "home"),
    remove: () => rm(base, { recursive: true, force: true }),
  };
  if (kind === "nothing") {
    await mkdir(world.home);
    await mkdir(work);
    return world;
  }
  for (const [path, text] of Object.entries(files)) await put(join(base, path), text);
  for (const [path, target] of Object.entries(links)) await symlink(target, join(base, path));
  for (const name of ["run.sh", ...foldersOfPrograms.map((folder) => join(folder, "ls"))]) {
    await put(join(work, name), "#!/bin/sh\ntouch m\n");
    await chmod(join(work, name), 0o755);
  }
  await cp("/bin/true", join(work, "a.o"));
  await plantArchives(work);
  await plantRepository(work);
  if (kind === "gitlink") await plantGitlink(work);
  if (kind === "bare") await plantBareLayout(work);
  // After the commit, so that they are in no repository.
  if (kind === "secrets")
    for (const path of secretFiles) await put(join(work, path), `${canaries["a secret"]}\n`);
  return world;
}

/**
 * A folder for each program, with files named like its options: listed or matched by a pattern, they become arguments.
 * Where such an option takes a file, that one leads outside.
 */
export async function plantOddNames(
  work: string,
  programs: readonly { readonly call: string; readonly options: readonly string[] }[],
): Promise<void> {
  for (const { call, options } of programs) {
    const folder = join(work, "odd", call.replace(" ", "-"));
    const names = options.filter((option) => option.length < 30).slice(0, maxOddNames);
    for (const name of names)
      await put(join(folder, name.startsWith("--") ? `${name}=list0` : name), "foo\n");
    await put(join(folder, "list0"), "../../../outside/secret.txt\0");
    await put(join(folder, "@x"), "foo\n");
    await put(join(folder, "x"), "../../../outside/secret.txt\n");
  }
}

const maxOddNames = 40;

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** Each with an entry that is not there yet, so that unpacking it shows. */
async function plantArchives(work: string): Promise<void> {
  await put(join(work, "fresh.txt"), "fresh\n");
  await run("tar", ["-cf", "a.tar", "fresh.txt"], { cwd: work });
  await run("tar", ["-czf", "a.tar.gz", "fresh.txt"], { cwd: work });
  await run("gzip", ["-kN", "fresh.txt"], { cwd: work });
  await run("mv", ["fresh.txt.gz", "a.gz"], { cwd: work });
  // Where no zip is installed, unzip is tried on what is no archive.
  await run("zip", ["-q", "a.zip", "fresh.txt"], { cwd: work }).catch(() => put(join(work, "a.zip"), ""));
  await rm(join(work, "fresh.txt"));
}

/** Two branches and their merge, a commit that is said to be signed, and files that changed since in time or text. */
async function plantRepository(work: string): Promise<void> {
  const git = gitIn(work);
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", ".");
  await git("commit", "--quiet", "--message=first");
  await git("checkout", "--quiet", "-b", "other");
  await writeFile(join(work, "b.txt"), "foo\nother\n");
  await git("commit", "--quiet", "--all", "--message=on other");
  await git("checkout", "--quiet", "main");
  await writeFile(join(work, "b.txt"), "foo\nmain\n");
  await git("commit", "--quiet", "--all", "--message=on main");
  await git("merge", "--quiet", "--strategy=ours", "--message=merged", "other");
  await commitSigned(work);
  await writeFile(join(work, "b.txt"), "foo\nchanged\n");
  // As if it had been written again: the index then has to look at its text.
  await utimes(join(work, "a.txt"), 1_000_000_000, 1_000_000_000);
}

async function commitSigned(work: string): Promise<void> {
  const git = gitIn(work);
  const { stdout: last } = await git("cat-file", "commit", "HEAD");
  const { stdout: head } = await git("rev-parse", "HEAD");
  const tree = /^tree .*$/m.exec(last)![0];
  const [author, committer] = [/^author .*$/m.exec(last)![0], /^committer .*$/m.exec(last)![0]];
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n aaaa\n -----END PGP SIGNATURE-----";
  const text = `${tree}\nparent ${head.trim()}\n${author}\n${committer}\n${signature}\n\nsigned\n`;
  await put(join(work, ".git/signed"), text);
  const { stdout: hash } = await git("hash-object", "-t", "commit", "-w", ".git/signed");
  await rm(join(work, ".git/signed"));
  await git("update-ref", "refs/heads/main", hash.trim());
}

async function plantGitlink(work: string): Promise<void> {
  const inner = join(work, "linked");
  await put(join(inner, "inner.txt"), "inner\n");
  await put(join(inner, ".gitattributes"), "* filter=hostile diff=hostile\n");
  await gitIn(inner)("init", "--quiet", "--initial-branch=main");
  await gitIn(inner)("add", ".");
  await gitIn(inner)("commit", "--quiet", "--message=inner");
  await gitIn(work)("add", "linked");
  await gitIn(work)("commit", "--quiet", "--message=linked", "linked");
  await put(join(inner, "inner.txt"), "changed\n");
  await put(join(inner, ".git/config"), `[core]\n\trepositoryformatversion = 0\n${hostileConfig}`);
}

async function plantBareLayout(work: string): Promise<void> {
  for (const name of ["objects", "refs", "HEAD", "index"])
    await cp(join(work, ".git", name), join(work, name), { recursive: true });
  await rm(join(work, ".git/HEAD"));
  await put(join(work, "config"), `[core]\n\trepositoryformatversion = 0\n\tworktree = .\n${hostileConfig}`);
}

function gitIn(cwd: string): (...words: string[]) => Promise<{ stdout: string }> {
  const identity = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"];
  return (...words) =>
    run("git", [...identity, "-c", "commit.gpgsign=false", ...words], { cwd, env: gitEnvironment });
}
