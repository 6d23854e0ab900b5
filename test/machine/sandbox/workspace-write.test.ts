import { existsSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { fuzzRuns } from "../../support/fuzz.ts";
import { needs } from "../../support/needs.ts";
import { putFiles, temporaryFolder } from "../../support/temporary-folder.ts";
import { makeFolder, makeWorkspace, openFor, run, start, testInside } from "./inside.ts";

const guarded = [".git", ".husky", ".mcp.json", ".vscode", ".idea", ".envrc", ".toolwright"];

testInside("a command that may write does so in the workspace, and the machine sees it", async () => {
  const { around, root, sandbox } = await makeWorkspace();
  await writeFile(join(root, "a"), "old");
  const { exitCode } = await run(
    sandbox,
    "echo new > a && mkdir -p b/c && touch b/c/d && mv a b/ && ! touch /usr/x ../x/y",
    {
      profile: "workspace-write",
      directory: root,
    },
  );
  expect(exitCode).toBe(0);
  expect(await readFile(join(root, "b", "a"), "utf8")).toBe("new\n");
  expect(await readdir(root)).toEqual(["b"]);
  expect((await readdir(around)).sort()).toEqual(["home", "work space"]);
});

testInside("a protected name that is missing cannot be made, and no placeholder is left", async () => {
  const { root, sandbox } = await makeWorkspace();
  const attempts = guarded.map((name) =>
    [
      `mkdir ${name}`,
      `mkdir -p ${name}/x`,
      `echo evil > ${name}`,
      `echo evil > ${name}/x`,
      `rmdir ${name} && mkdir ${name}`,
      `mv ${name} away && mkdir ${name}`,
      `mkdir evil; mv -T evil ${name}; mv -T --exchange evil ${name}`,
      `ln -s /tmp ${name}; ln -sfT /tmp ${name}`,
      `chmod 777 ${name} && mkdir ${name}/x`,
      `umount ${name}`,
    ].join("\n"),
  );
  const { stdout } = await run(sandbox, `exec 2>&1\n${attempts.join("\n")}\nrmdir evil; find . -mindepth 2`, {
    profile: "workspace-write",
    directory: root,
  });
  expect(stdout).toContain("Device or resource busy");
  expect(stdout).not.toContain("\n./");
  expect(await readdir(root)).toEqual([]);
});

testInside("places that are loaded as code cannot be written, moved away or made", async () => {
  const { root, home } = await makeWorkspace();
  await mkdir(join(root, "our/tools"), { recursive: true });
  await writeFile(join(root, "our/tools/a.mjs"), "good");
  const codePaths = [join(root, "our/tools"), join(root, "missing/tools"), join(home, "elsewhere")];
  const sandbox = await openFor(root, { home, codePaths });
  const box = { profile: "workspace-write", directory: root } as const;
  const attempts = [
    "echo evil > our/tools/a.mjs",
    "touch our/tools/b.mjs",
    "mv our/tools our/old && mkdir our/tools",
    "mv our old && mkdir -p our/tools && touch our/tools/b.mjs",
    "rm -rf our",
    "mkdir -p missing/tools",
    "ln -sfT /tmp our",
  ];
  const { exitCode } = await run(sandbox, `${attempts.map((each) => `(${each})`).join(" || ")}`, box);
  expect(exitCode).not.toBe(0);
  expect(await readFile(join(root, "our/tools/a.mjs"), "utf8")).toBe("good");
  expect((await readdir(root, { recursive: true })).sort()).toEqual(["our", "our/tools", "our/tools/a.mjs"]);
  expect((await run(sandbox, "touch our/free", box)).exitCode).toBe(0);
  const writable = [join(root, "our/tools/b.mjs")];
  expect((await run(sandbox, "touch our/tools/b.mjs", { ...box, writable })).exitCode).toBe(0);
});

testInside("a missing path that is named by a link to its folder cannot be made by any name", async () => {
  const { around, root, sandbox } = await makeWorkspace();
  await mkdir(join(root, "q"));
  await symlink("q", join(root, "l"));
  await symlink(around, join(root, "out"));
  const absent = [join(root, "l/new.txt"), join(root, "out/new.txt")];
  const box = { profile: "workspace-write", directory: root, absent } as const;
  const { stdout } = await run(
    sandbox,
    "touch q/new.txt l/new.txt out/new.txt; touch q/other && echo ran",
    box,
  );
  expect(stdout).toBe("ran\n");
  expect(await readdir(join(root, "q"))).toEqual(["other"]);
  expect((await readdir(around)).sort()).toEqual(["home", "work space"]);
});

testInside("a protected entry stays as it is, also through another name of it", async () => {
  const { root, sandbox } = await makeWorkspace();
  await mkdir(join(root, ".vscode"));
  await writeFile(join(root, ".vscode", "tasks.json"), "mine");
  await writeFile(join(root, ".mcp.json"), "mine");
  await writeFile(join(root, ".npmrc"), "mine");
  await mkdir(join(root, "packages", "one", ".husky"), { recursive: true });
  await writeFile(join(root, "packages", "one", ".husky", "pre-commit"), "mine");
  const { stdout } = await run(
    sandbox,
    `exec 2>&1
    for file in .vscode/tasks.json .mcp.json .npmrc packages/one/.husky/pre-commit; do
      echo evil > $file; echo evil > "$PWD/../work space/$file"; rm -f $file; mv $file away; chmod 777 $file
      ln $file link-to-it && echo evil > link-to-it
    done
    rm -f away; rm -rf .vscode; mv .vscode away; rm -rf away; cat .vscode/tasks.json .mcp.json .npmrc packages/one/.husky/pre-commit`,
    { profile: "workspace-write", directory: root },
  );
  expect(stdout.endsWith("minemineminemine")).toBe(true);
  expect(await readFile(join(root, ".vscode", "tasks.json"), "utf8")).toBe("mine");
  expect(await readFile(join(root, "packages", "one", ".husky", "pre-commit"), "utf8")).toBe("mine");
  expect((await readdir(root)).sort()).toEqual([".mcp.json", ".npmrc", ".vscode", "packages"]);
});

testInside("a protected name that is a link stops the command, since a link can be replaced", async () => {
  const { root, sandbox } = await makeWorkspace();
  await mkdir(join(root, "settings"));
  await symlink("settings", join(root, ".vscode"));
  const box = { profile: "workspace-write", directory: root } as const;
  await expect(run(sandbox, "true", box)).rejects.toMatchObject({ code: "unavailable" });
  expect((await run(sandbox, "true", { ...box, profile: "read-only" })).exitCode).toBe(0);
  expect((await run(sandbox, "true", { ...box, writable: [join(root, ".vscode")] })).exitCode).toBe(0);
  expect((await readdir(root)).sort()).toEqual([".vscode", "settings"]);
});

testInside("a place that a person let it write is written, protected or outside, and no other", async () => {
  const { around, root, sandbox } = await makeWorkspace();
  await mkdir(join(around, "outside"));
  const { stderr, exitCode } = await run(
    sandbox,
    "mkdir .vscode && touch .vscode/x ../outside/y ../made/z && ! mkdir .idea && ! touch /usr/x",
    {
      profile: "workspace-write",
      directory: root,
      writable: [join(root, ".vscode"), join(around, "outside"), join(around, "made", "z"), root],
    },
  );
  expect({ stderr, exitCode }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("made/z") });
  expect(await readdir(join(around, "outside"))).toEqual(["y"]);
  expect(await readdir(join(root, ".vscode"))).toEqual(["x"]);
  await mkdir(join(around, "made"));
  const again = await run(sandbox, "touch ../made/z && ! mkdir .idea", {
    profile: "workspace-write",
    directory: root,
    writable: [join(around, "made", "z"), root],
  });
  expect(again.exitCode).toBe(0);
  expect(await readdir(join(around, "made"))).toEqual(["z"]);
});

testInside(
  "a placeholder that was left in the workspace is taken away by the next command, and nothing else is",
  async () => {
    const { root } = await makeWorkspace();
    await mkdir(join(root, ".vscode"), 0o1555);
    await mkdir(join(root, ".idea"));
    await mkdir(join(root, ".git"));
    await writeFile(join(root, ".git", "commondir"), ".", { mode: 0o1444 });
    await writeFile(join(root, ".git", "config"), "", { mode: 0o444 });
    await run(await openFor(root), "true", { profile: "workspace-write", directory: root });
    expect((await readdir(root)).sort()).toEqual([".git", ".idea"]);
    expect(await readdir(join(root, ".git"))).toEqual(["config"]);
  },
);

testInside("entries that another program put into a placeholder meanwhile stay", async () => {
  const { root, sandbox } = await makeWorkspace();
  const box = { profile: "workspace-write", directory: root } as const;
  const started = await start(sandbox, "touch ready; until [ -e go ]; do sleep 0.01; done", box);
  await vi.waitUntil(async () => (await readdir(root)).includes("ready"), { timeout: 45_000 });
  await chmod(join(root, ".vscode"), 0o1755);
  await writeFile(join(root, ".vscode", "mine"), "mine");
  await chmod(join(root, ".vscode"), 0o1555);
  await writeFile(join(root, "go"), "");
  await started.ended;
  await started.finish();
  expect((await readdir(root)).sort()).toEqual([".vscode", "go", "ready"]);
  expect((await lstat(join(root, ".vscode"))).mode & 0o7777).toBe(0o755);
  expect((await run(sandbox, "cat .vscode/mine; touch .vscode/x", box)).stdout).toBe("mine");
});

testInside("a protected name stays protected for one command when another ends", async () => {
  const { root, sandbox } = await makeWorkspace();
  const other = await openFor(root);
  const box = { profile: "workspace-write", directory: root } as const;
  const waiting = await start(
    sandbox,
    "touch ready; until [ -e go ]; do sleep 0.01; done; mkdir .vscode",
    box,
  );
  const { exitCode } = await run(other, "until [ -e ready ]; do sleep 0.01; done; ls -d .vscode", box);
  expect(exitCode).toBe(0);
  expect((await lstat(join(root, ".vscode"))).isDirectory()).toBe(true);
  await writeFile(join(root, "go"), "");
  expect((await waiting.ended).stderr).toContain("File exists");
  await waiting.finish();
  expect((await readdir(root)).sort()).toEqual(["go", "ready"]);
});

const testAsPlainUser = await needs("bubblewrap", "plain user");

testAsPlainUser(
  "in a folder that the user cannot write nothing is put, since the command cannot write there either",
  async () => {
    const { root, sandbox } = await makeWorkspace();
    await chmod(root, 0o555);
    expect(
      (await run(sandbox, "! mkdir .vscode", { profile: "workspace-write", directory: root })).exitCode,
    ).toBe(0);
    await chmod(root, 0o755);
  },
);

const manyCommands = fuzzRuns({ sample: 40, full: 100 });

testInside(
  `${manyCommands} commands at once all run, and leave nothing behind`,
  async () => {
    const { root, sandbox } = await makeWorkspace();
    const ended = await Promise.all(
      Array.from({ length: manyCommands }, (_, index) =>
        run(sandbox, `mkdir .vscode 2>/dev/null && echo GOT IN; echo ${index} > file-${index}`, {
          profile: "workspace-write",
          directory: root,
        }),
      ),
    );
    expect(ended.filter(({ exitCode, stdout, stderr }) => exitCode !== 0 || stdout || stderr)).toEqual([]);
    expect(await readdir(root)).toHaveLength(manyCommands);
  },
  60_000,
);

testInside("more than one root can be written, and each is protected", async () => {
  const { around, root } = await makeWorkspace();
  const extra = join(around, "extra");
  await mkdir(extra);
  const sandbox = await openFor(root, { roots: { root, extraRoots: [extra] } });
  const { exitCode } = await run(sandbox, "touch a ../extra/b && ! mkdir .idea && ! mkdir ../extra/.idea", {
    profile: "workspace-write",
    directory: root,
  });
  expect(exitCode).toBe(0);
  expect([await readdir(root), await readdir(extra)]).toEqual([["a"], ["b"]]);
});

testInside("a workspace may be the home folder, whose shell files are protected then", async () => {
  const home = await makeFolder();
  const sandbox = await openFor(home, { home });
  const { stdout } = await run(sandbox, "exec 2>&1; echo evil > .bashrc; mkdir .ssh; touch ~/fine; ls -A", {
    profile: "workspace-write",
    directory: home,
    environment: { PATH: "/usr/bin:/bin", HOME: home },
  });
  expect(stdout).toContain("Is a directory");
  expect(stdout).toContain("File exists");
  expect(await readdir(home)).toEqual(["fine"]);
});

for (const where of ["the workspace", "in the workspace"] as const) {
  testInside(`every dot entry of a home folder that is ${where} stays as it is`, async () => {
    const root = await makeFolder();
    const home = where === "the workspace" ? root : join(root, "people/me");
    await putFiles(home, {
      ".config/toolwright/policy.json": "{}",
      ".config/git/config": "",
      ".local/state/toolwright/other/token": "HIDDEN",
      ".local/bin/tool": "mine",
      ".vimrc": "mine",
      "dotfiles/tmux.conf": "mine",
      "project/.vimrc": "mine",
    });
    await symlink("dotfiles/tmux.conf", join(home, ".tmux.conf"));
    const sandbox = await openFor(root, { home, hidden: [join(home, ".local/state/toolwright")] });
    const { stdout, planted } = await run(
      sandbox,
      `cd ~; exec 2>&1
      mv .config .c2 || echo kept; mv .local .l2 || echo kept; rm .vimrc || echo kept
      echo evil > .config/git/config || echo kept; echo evil > .local/bin/new || echo kept
      cat .local/state/toolwright/other/token .l2/state/toolwright/other/token
      echo free > project/.vimrc; ln -sf /tmp/evil .tmux.conf; mkdir .new`,
      { profile: "network", directory: root, environment: { PATH: "/usr/bin:/bin", HOME: home } },
    );
    expect(stdout.match(/^kept$/gm)).toHaveLength(5);
    expect(stdout).not.toContain("HIDDEN");
    expect(await readFile(join(home, "project/.vimrc"), "utf8")).toBe("free\n");
    expect(planted?.map(({ path }) => path).sort()).toEqual([join(home, ".new"), join(home, ".tmux.conf")]);
  });
}

testInside("the whole disk as a workspace is still only read by a command that may only read", async () => {
  const folder = await makeFolder();
  // The sandbox has a `/dev` of its own, without what the machine has mounted in there.
  const onDevice = existsSync("/dev/shm") ? [temporaryFolder("toolwright-sandbox-", "/dev/shm")] : [];
  // Only the outermost is looked through: further in, other tests make and remove what would have to be hidden.
  const sandbox = await openFor("/", { hidden: [folder, ...onDevice], maxFolders: 1 });
  const command = `touch /x '${homedir()}/x'; ls -d /usr /etc/hostname; ls '${folder}'; echo /proc/[0-9]*`;
  const attempt = () => run(sandbox, command, { profile: "read-only", directory: "/", isApproved: true });
  let { stdout, stderr } = await attempt();
  // All of the machine's mounts are in it, and other tests mount and unmount meanwhile.
  for (let again = 0; again < 20 && /^bwrap: |was not run/m.test(stderr); again++) {
    ({ stdout, stderr } = await attempt());
  }
  expect(stderr).not.toMatch(/^bwrap: |was not run/m);
  expect(stderr.match(/Read-only file system/g)).toHaveLength(2);
  expect(stderr).toContain("Permission denied");
  expect(stdout).toContain("/usr");
  expect(stdout.split(" ").length).toBeLessThan(6);
});

testInside(
  "programs of the user are there for a command that may write, and their secrets are not",
  async () => {
    const { around, root, home } = await makeWorkspace();
    const version = join(home, ".nvm", "v1");
    await mkdir(join(version, "bin"), { recursive: true });
    await mkdir(join(version, "lib"));
    await mkdir(join(home, ".cargo", "bin"), { recursive: true });
    await mkdir(join(home, "bin"));
    await mkdir(join(around, "app", "bin"), { recursive: true });
    await writeFile(join(version, "lib", "text"), "from its library");
    await writeFile(join(version, "bin", "mine"), '#!/bin/sh\ncat "$(dirname "$0")/../lib/text"\n', {
      mode: 0o755,
    });
    await writeFile(join(around, "app", "bin", "linked"), "#!/bin/sh\necho linked\n", { mode: 0o755 });
    await symlink(join(around, "app", "bin", "linked"), join(home, "bin", "linked"));
    await writeFile(join(home, ".cargo", "credentials.toml"), "token");
    await writeFile(join(home, ".gitconfig"), "[user]\n\tname = Somebody\n");
    await writeFile(join(home, ".git-credentials"), "token");
    const userPath = [
      join(version, "bin"),
      join(home, ".cargo", "bin"),
      join(home, "bin"),
      home,
      "/",
      "bin",
      "/usr/bin",
    ].join(":");
    const sandbox = await openFor(root, { home, userPath });
    const environment = { PATH: userPath, HOME: home };
    const command =
      "mine; linked; git config user.name; cat ~/.cargo/credentials.toml ~/.git-credentials; ls -A ~; touch ~/.nvm/v1/bin/x";
    const writing = await run(sandbox, command, { profile: "workspace-write", directory: root, environment });
    expect(writing.stdout).toBe("from its librarylinked\nSomebody\n.cargo\n.gitconfig\n.nvm\nbin\n");
    expect(writing.stderr.match(/No such file or directory/g)).toHaveLength(2);
    expect(writing.stderr).toContain("Read-only file system");
    const reading = await run(sandbox, command, { profile: "read-only", directory: root, environment });
    expect(reading.stdout).toBe("");
  },
);

testInside("a file changed since the last look is found, and one old enough is looked at again", async () => {
  const { root, sandbox } = await makeWorkspace();
  await mkdir(join(root, "sub"));
  await utimes(root, 0, 0);
  const box = { profile: "workspace-write", directory: root } as const;
  await run(sandbox, "true", box);
  await writeFile(join(root, ".envrc"), "mine");
  expect((await run(sandbox, "echo evil > .envrc", box)).stderr).toContain("Read-only file system");
  await rm(join(root, ".envrc"));
  expect((await run(sandbox, "echo evil > .envrc", box)).stderr).toContain("Is a directory");
  expect(await readdir(root)).toEqual(["sub"]);
});

testInside("a program gets its environment as it is, whatever shells make of it", async () => {
  const { root, sandbox } = await makeWorkspace();
  const environment = {
    ...{ A: "1", "a.b": "2", SHLVL: "5", SHELLOPTS: "xtrace", BASHOPTS: "nullglob", POSIXLY_CORRECT: "1" },
    ...{ expected: "mine", tries: "mine", table: "mine", LC_ALL: "xx_YY", BASH_ENV: "/x", _: "mine" },
    "BASH_FUNC_f%%": "() { :; }",
  };
  const program = { file: "/usr/bin/env", args: [], environment };
  const { stdout, stderr } = await run({ ...sandbox, wrap: (_, box) => sandbox.wrap(program, box) }, "", {
    profile: "workspace-write",
    directory: root,
  });
  const wanted = Object.entries({ ...environment, PWD: root }).map(([name, value]) => `${name}=${value}`);
  expect(stdout.trim().split("\n").toSorted()).toEqual(wanted.toSorted());
  expect(stderr).toBe("");
});

testInside("names that mean something to a shell are only names", async () => {
  const { around, home } = await makeWorkspace();
  const names = ["$(echo >witness)", "a]=`echo >witness`", "x[$(echo >witness)]", "*", "'\"\\\n#"];
  for (const name of names) {
    const root = join(around, name);
    await mkdir(join(root, name, ".husky"), { recursive: true });
    const sandbox = await openFor(root, { home });
    const { stdout, stderr } = await run(sandbox, 'echo ran; mv -T "./$name" z', {
      profile: "workspace-write",
      directory: root,
      environment: { PATH: "/usr/bin:/bin", name },
    });
    expect({ name, stdout }).toEqual({ name, stdout: "ran\n" });
    expect(stderr).toContain("busy");
  }
  const made = await readdir(around, { recursive: true });
  expect(made.filter((path) => path.endsWith("/witness"))).toEqual([]);
});
