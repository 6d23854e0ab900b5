import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished } from "vitest";
import { protectedNames } from "../../../src/kernel/policy/paths/protected-names.ts";
import { startChild } from "../../kernel/store/child.ts";
import { casesOf } from "../../support/fuzz.ts";
import { gitEnvironment } from "../../support/git-environment.ts";
import { makeFolder, makeWorkspace, openFor, run, testInside } from "./inside.ts";

const writing = (directory: string) => ({ profile: "workspace-write", directory }) as const;

const identity = ["-c", "user.name=a", "-c", "user.email=a@b"];

async function makeRepository() {
  const made = await makeWorkspace();
  const git = async (...args: string[]) =>
    (await promisify(execFile)("git", [...identity, ...args], { cwd: made.root, env: gitEnvironment }))
      .stdout;
  await git("init", "--quiet");
  await git("commit", "--quiet", "--allow-empty", "-m", "first");
  return { ...made, git };
}

const literalNames = protectedNames.filter((name) => !name.includes("*"));

testInside(
  "no protected entry can be replaced, wherever it is, nor by moving the folder around it",
  async () => {
    const { root, sandbox } = await makeWorkspace();
    const names = casesOf({
      sample: [".vscode", ".npmrc", ".claude", ".cargo", ".devcontainer", ".yarnrc.yml"],
      full: literalNames.filter((name) => name !== ".git"),
    });
    for (const [index, name] of names.entries()) {
      const folder = join(root, "packages", `p${index}`, "inner");
      await mkdir(join(folder, name), { recursive: true });
      await writeFile(join(folder, name, "file"), "mine");
    }
    const attempts = names.map((name, index) => {
      const folder = `packages/p${index}/inner`;
      return `for around in packages packages/p${index} ${folder}; do
      mv $around away && mkdir -p ${folder}/${name} && echo evil > ${folder}/${name}/file
      mv -T --exchange $around other; rm -rf $around
    done
    mv ${folder}/${name} x${index}; echo evil > ${folder}/${name}/file; rm -rf ${folder}/${name}`;
    });
    await run(sandbox, `mkdir other; ${attempts.join("\n")}`, writing(root));
    for (const [index, name] of names.entries()) {
      const file = join(root, "packages", `p${index}`, "inner", name, "file");
      expect(await readFile(file, "utf8"), name).toBe("mine");
    }
  },
);

testInside(
  "entries that may run later and could only be made are found after the command, and named",
  async () => {
    const { root, sandbox } = await makeRepository();
    const { planted = [] } = await run(
      sandbox,
      `mkdir -p sub/.vscode sub/deep/.claude && touch sub/.npmrc sub/.envrc .yarnrc.yml plain.txt
     git init -q nested; git init -q --bare layout; git init -q --bare inner/deep`,
      writing(root),
    );
    const named = planted.map(({ path, kind }) => `${kind} ${path.slice(root.length + 1)}`).sort();
    expect(named).toEqual([
      "bare-repository inner/deep",
      "bare-repository layout",
      "repository nested/.git",
      "settings .yarnrc.yml",
      "settings sub/.envrc",
      "settings sub/.npmrc",
      "settings sub/.vscode",
      "settings sub/deep/.claude",
    ]);
    expect((await run(sandbox, "echo more >> plain.txt", writing(root))).planted).toEqual([]);
  },
);

testInside("a repository that a command adds to the index is found, also without a sandbox", async () => {
  for (const mode of ["required", "off"] as const) {
    const { root, home } = await makeRepository();
    const sandbox = await openFor(root, { home, mode });
    const { planted = [] } = await run(
      sandbox,
      `git init -q evil && git -C evil -c user.name=a -c user.email=a@b commit -q --allow-empty -m x
       git add evil 2>/dev/null; git -C evil config core.fsmonitor 'touch ran'`,
      writing(root),
    );
    expect(planted).toContainEqual({ path: join(root, "evil"), kind: "submodule" });
    expect(sandbox.submodules()).toEqual([join(root, "evil")]);
    const clean = await openFor(root, { home, mode });
    expect((await run(clean, "touch a", writing(root))).planted).toEqual([]);
  }
});

testInside(
  "a .git that git would no longer take for one is put right, so that no layout beside it counts",
  async () => {
    const { root, sandbox, git } = await makeRepository();
    const head = await readFile(join(root, ".git/HEAD"), "utf8");
    const { planted = [] } = await run(
      sandbox,
      `rm -f .git/HEAD; rm -rf .git/objects .git/refs; mv .git/refs .git/r; mkdir objects refs
     echo 'ref: refs/heads/x' > HEAD; printf '[core]\\n\\tfsmonitor = touch ran #\\n\\tworktree = .\\n' > config`,
      writing(root),
    );
    expect(planted.map(({ kind }) => kind).sort()).toEqual(["bare-repository", "head"]);
    expect(await readFile(join(root, ".git/HEAD"), "utf8")).toBe(head);
    expect(await git("rev-parse", "--absolute-git-dir")).toBe(`${join(root, ".git")}\n`);
    expect(existsSync(join(root, "ran"))).toBe(false);
  },
);

testInside(
  "a link or a folder in place of a HEAD is replaced, and nothing is written where it leads",
  async () => {
    const { around, root, sandbox } = await makeRepository();
    const victim = join(around, "victim");
    await writeFile(victim, "precious");
    const head = await readFile(join(root, ".git/HEAD"), "utf8");
    const inPlaceOfIt = [
      `ln -s '${victim}' .git/HEAD`,
      `ln -s '${victim}2' .git/HEAD`,
      "mkdir -p .git/HEAD/x",
    ];
    for (const make of inPlaceOfIt) {
      const { planted = [] } = await run(sandbox, `rm .git/HEAD; ${make}`, writing(root));
      expect(planted.map(({ kind }) => kind)).toEqual(["head"]);
      expect((await lstat(join(root, ".git/HEAD"))).isFile()).toBe(true);
      expect(await readFile(join(root, ".git/HEAD"), "utf8")).toBe(head);
    }
    expect(await readFile(victim, "utf8")).toBe("precious");
    expect(await readdir(around)).not.toContain("victim2");
  },
);

testInside(
  "of a folder in PATH its programs and libraries are shown, and nothing that lies beside them",
  async () => {
    const { root, home } = await makeWorkspace();
    const prefix = join(home, "X");
    for (const folder of ["bin", "lib", "run", "keys"])
      await mkdir(join(prefix, folder), { recursive: true });
    await writeFile(join(prefix, "config.json"), "credentials");
    await writeFile(join(prefix, "keys/key"), "credentials");
    await writeFile(join(prefix, "lib/text"), "from its library");
    await writeFile(join(prefix, "bin/mine"), '#!/bin/sh\ncat "$(dirname "$0")/../lib/text"\n', {
      mode: 0o755,
    });
    await symlink(join(home, "private"), join(prefix, "share"));
    await mkdir(join(home, "private"));
    await writeFile(join(home, "private/diary"), "credentials");
    const userPath = `${join(prefix, "bin")}:/usr/bin:/bin`;
    const sandbox = await openFor(root, { home, userPath });
    const { stdout } = await run(
      sandbox,
      `mine; echo; ls -A ~/X; cat ~/X/config.json ~/X/keys/key ~/X/share/diary`,
      { ...writing(root), environment: { PATH: userPath, HOME: home } },
    );
    expect(stdout).toBe("from its library\nbin\nlib\n");
  },
);

testInside("no socket in the workspace answers, in any profile, unless a person named it", async () => {
  const { root, sandbox } = await makeWorkspace();
  await mkdir(join(root, "run"));
  const path = join(root, "run/app.sock");
  const server = createServer((socket) => socket.end("answered"));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const client = `perl -MIO::Socket::UNIX -e 'my $s = IO::Socket::UNIX->new(Peer => "run/app.sock") or exit 1; print <$s>'`;
  for (const profile of ["read-only", "workspace-write", "network"] as const) {
    expect((await run(sandbox, client, { profile, directory: root })).stdout, profile).toBe("");
  }
  const named = { ...writing(root), writable: [path] };
  expect((await run(sandbox, client, named)).stdout).toBe("answered");
});

testInside("a socket without a listener can be removed, as servers do when they start", async () => {
  const { root, sandbox } = await makeWorkspace();
  const leave = `perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "s", Listen => 1) or die'`;
  await run(sandbox, leave, writing(root));
  expect(await readdir(root)).toEqual(["s"]);
  expect((await run(sandbox, `rm s && ${leave}`, writing(root))).exitCode).toBe(0);
});

testInside("permission to create one file shows and opens nothing that is beside it", async () => {
  const { around, root, sandbox } = await makeWorkspace();
  const folder = join(around, "beside");
  await mkdir(folder);
  await writeFile(join(folder, "neighbour"), "private");
  const made = [join(folder, "new.txt"), join(folder, "tree/deep/file")];
  const { stdout } = await run(
    sandbox,
    `cat ../beside/neighbour; echo evil > ../beside/neighbour; echo new > ../beside/new.txt
     mkdir -p ../beside/tree/deep && echo deep > ../beside/tree/deep/file; touch ../beside/unnamed`,
    { ...writing(root), writable: made },
  );
  expect(stdout).toBe("");
  expect((await readdir(folder)).sort()).toEqual(["neighbour", "new.txt", "tree"]);
  expect(await readFile(join(folder, "neighbour"), "utf8")).toBe("private");
  expect(await readFile(made[0]!, "utf8")).toBe("new\n");
  expect(await readFile(made[1]!, "utf8")).toBe("deep\n");
  // The workspace itself is still there if what is to be created lies beside it.
  const sibling = join(around, "sibling.txt");
  await run(sandbox, "touch inside && cp inside ../sibling.txt", { ...writing(root), writable: [sibling] });
  expect(existsSync(sibling) && existsSync(join(root, "inside"))).toBe(true);
  expect(await readdir(around)).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/^\.toolwright-/)]),
  );
});

testInside(
  "a stage that a killed process has left beside a file to be created goes with the next one",
  async () => {
    const { around, root, sandbox } = await makeWorkspace();
    const folder = join(around, "beside");
    await mkdir(folder);
    await mkdir(join(folder, ".toolwright-stage_mine"));
    const create = "touch ../beside/new.txt; echo made; sleep 1000";
    const child = startChild(new URL("child-start-command.ts", import.meta.url), [
      ...[root, create, "false", join(folder, "new.txt")],
    ]);
    expect(await child.nextLine()).toBe("made");
    // Before it is killed: any command of this user may sweep the stage afterwards.
    expect(await readdir(folder)).toHaveLength(2);
    await child.kill();
    // Wherever that one creates something.
    await run(sandbox, "touch ../sibling.txt", { ...writing(root), writable: [join(around, "sibling.txt")] });
    expect(await readdir(folder)).toEqual([".toolwright-stage_mine"]);
  },
);

testInside(
  "secrets are hidden however many there are and however deep, or the command does not run",
  async () => {
    const root = await makeFolder();
    const deep = join(root, ...Array.from({ length: 12 }, () => "d"));
    await mkdir(deep, { recursive: true });
    const count = casesOf({ sample: [100], full: [900] })[0]!;
    await Promise.all(
      Array.from({ length: count }, (_, index) => writeFile(join(deep, `${index}.pem`), `secret-${index}`)),
    );
    const box = { profile: "read-only", directory: root } as const;
    expect((await run(await openFor(root), "grep -rh secret- .", box)).stdout).toBe("");
    const small = await openFor(root, { maxFolders: 5 });
    await expect(run(small, "grep -rh secret- .", box)).rejects.toMatchObject({ code: "unavailable" });
    expect((await run(small, "true", { ...box, isApproved: true })).exitCode).toBe(0);
  },
);

testInside(
  "the certificates that the environment names are there for a command that may install something",
  async () => {
    const { around, root, sandbox } = await makeWorkspace();
    await writeFile(join(around, "proxy.pem"), "certificate");
    await writeFile(join(around, "key.pem"), "key");
    const environment = {
      PATH: "/usr/bin:/bin",
      NODE_EXTRA_CA_CERTS: join(around, "proxy.pem"),
      SSL_CERT_DIR: "/",
    };
    const { stdout } = await run(sandbox, "cat ../proxy.pem ../key.pem; echo > ../proxy.pem", {
      ...writing(root),
      environment,
    });
    expect(stdout).toBe("certificate");
    expect(await readFile(join(around, "proxy.pem"), "utf8")).toBe("certificate");
  },
);
