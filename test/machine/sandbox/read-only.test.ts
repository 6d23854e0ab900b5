import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { needs } from "../../support/needs.ts";
import { putFiles, temporaryFolder } from "../../support/temporary-folder.ts";
import { makeFolder, makeWorkspace, openFor, run, testInside } from "./inside.ts";

testInside("a command that may only read writes nowhere but in its own /tmp and home", async () => {
  const { around, root, home, sandbox } = await makeWorkspace();
  await writeFile(join(root, "a.txt"), "as it was");
  const { stdout, stderr } = await run(
    sandbox,
    `echo x > a.txt; touch b.txt; mkdir '${around}/c'; touch /usr/x /etc/x /x; touch /tmp/x ~/x && echo private`,
    { profile: "read-only", directory: root, environment: { PATH: "", HOME: home } },
  );
  expect(stdout).toBe("private\n");
  expect(stderr.match(/Read-only file system/g)).toHaveLength(5);
  expect(await readFile(join(root, "a.txt"), "utf8")).toBe("as it was");
  expect(await readdir(root)).toEqual(["a.txt"]);
  expect((await readdir(around)).sort()).toEqual(["home", "work space"]);
  expect(await readdir(home)).toEqual([]);
});

testInside("a command sees the system and the workspace, and nothing else of the disk", async () => {
  const { around, root, home, sandbox } = await makeWorkspace();
  await writeFile(join(home, "diary"), "private");
  await mkdir(join(around, "sibling"));
  const { stdout } = await run(sandbox, `ls -A / /tmp '${around}' '${home}' /etc /run; cat /etc/shadow`, {
    profile: "read-only",
    directory: root,
    environment: { PATH: "/usr/bin:/bin", HOME: home },
  });
  expect(stdout).toContain("work space");
  expect(stdout).toContain("passwd");
  for (const unseen of ["sibling", "diary", "shadow", "mnt", "srv", "opt", "boot"]) {
    expect(stdout.split("\n")).not.toContain(unseen);
  }
});

testInside("processes of the machine cannot be seen", async () => {
  const { root, sandbox } = await makeWorkspace();
  const { stdout } = await run(
    sandbox,
    "echo /proc/[0-9]*; cat /proc/1/cmdline | tr '\\0' ' '; echo; ls /sys",
    {
      profile: "read-only",
      directory: root,
    },
  );
  const [processes, first] = stdout.split("\n");
  expect(processes?.split(" ").length).toBeLessThan(6);
  expect(first).toMatch(/^\S*bwrap /);
  expect(stdout).not.toContain(process.argv[1]);
});

testInside(
  "no setting of the kernel can be changed, by root either, and the standard streams still have names",
  async () => {
    const { root, sandbox } = await makeWorkspace();
    for (const profile of ["read-only", "workspace-write", "network"] as const) {
      const { stdout, stderr } = await run(
        sandbox,
        `for name in vm/swappiness kernel/core_pattern; do
        value=$(cat /proc/sys/$name) && echo "$value" > /proc/sys/$name && echo CHANGED
      done 2>/dev/null
      find /proc -path '/proc/[0-9]*' -prune -o -type f -writable -print 2>/dev/null
      { echo out > /dev/stdout; echo err > /dev/stderr; echo proc > /proc/self/fd/1; cat <(echo sub); } 2>&1 | cat`,
        { profile, directory: root },
      );
      expect({ stdout, stderr }).toEqual({ stdout: "out\nerr\nproc\nsub\n", stderr: "" });
    }
  },
);

testInside("a link in the workspace that leads outside leads nowhere", async () => {
  const { around, root, sandbox } = await makeWorkspace();
  await writeFile(join(around, "secret"), "secret");
  await symlink(join(around, "secret"), join(root, "absolute"));
  await symlink("../secret", join(root, "relative"));
  await symlink("/proc/1/root", join(root, "through-proc"));
  for (const profile of ["read-only", "workspace-write"] as const) {
    const { stdout } = await run(
      sandbox,
      `cat absolute relative; cat 'through-proc${around}/secret'; ls through-proc${process.cwd()}`,
      { profile, directory: root },
    );
    expect(stdout).toBe("");
  }
});

testInside("files that may hold secrets cannot be read, unless a person let it", async () => {
  const { root, sandbox } = await makeWorkspace();
  await mkdir(join(root, "deep", ".ssh"), { recursive: true });
  await writeFile(join(root, ".env"), "TOKEN=1");
  await writeFile(join(root, "deep", "key.pem"), "TOKEN=2");
  await writeFile(join(root, "deep", ".ssh", "known"), "TOKEN=3");
  await symlink("deep/key.pem", join(root, "id_link"));
  await writeFile(join(root, "plain"), "TOKEN=4");
  const command = "cat .env deep/key.pem deep/.ssh/known id_link plain";
  const box = { profile: "read-only", directory: root } as const;
  const refused = await run(sandbox, command, box);
  expect(refused.stdout).toBe("TOKEN=4");
  expect(refused.stderr.match(/Permission denied/g)).toHaveLength(4);
  const allowed = await run(sandbox, command, { ...box, readable: [join(root, ".env")] });
  expect(allowed.stdout).toBe("TOKEN=1TOKEN=4");
});

testInside("a sensitive file that is gone since it was last looked for does not stop a command", async () => {
  const { root, sandbox } = await makeWorkspace();
  await writeFile(join(root, ".env"), "");
  const box = { profile: "read-only", directory: root } as const;
  expect((await run(sandbox, "true", box)).exitCode).toBe(0);
  await rm(join(root, ".env"));
  expect(await run(sandbox, "true", box)).toMatchObject({ exitCode: 0, stderr: "" });
});

testInside("a place outside that a person let it read is there, and read-only", async () => {
  const { around, root, sandbox } = await makeWorkspace();
  await writeFile(join(around, "notes"), "notes");
  await writeFile(join(around, "other"), "other");
  const { stdout, stderr } = await run(sandbox, `cat ../notes ../other; echo > ../notes`, {
    profile: "read-only",
    directory: root,
    readable: [join(around, "notes"), join(around, "not-there")],
  });
  expect(stdout).toBe("notes");
  expect(stderr).toContain("Read-only file system");
});

const testInMemory = await needs("bubblewrap", "shared memory");

testInMemory(
  "a place in shared memory that a person let it use is there, and nothing else of that",
  async () => {
    const shared = temporaryFolder("toolwright-sandbox-", "/dev/shm");
    putFiles(shared, { notes: "notes", other: "other", written: "" });
    const { root, sandbox } = await makeWorkspace();
    const at = (name: string) => join(shared, name);
    const { stdout } = await run(sandbox, `cat ${at("notes")} ${at("other")}; echo new > ${at("written")}`, {
      profile: "workspace-write",
      directory: root,
      readable: [at("notes")],
      writable: [at("written")],
    });
    expect([stdout, await readFile(at("written"), "utf8")]).toEqual(["notes", "new\n"]);
  },
);

testInside("our own records are never visible, also where the workspace holds them", async () => {
  const { root } = await makeWorkspace();
  const records = join(root, "state", "records");
  await mkdir(records, { recursive: true });
  await writeFile(join(records, "log"), "log");
  const sandbox = await openFor(root, { hidden: [records, join(root, "not-there")] });
  for (const profile of ["read-only", "workspace-write", "network"] as const) {
    const { stdout, stderr } = await run(
      sandbox,
      "ls state/records; cat state/records/log; touch state/records/x",
      {
        profile,
        directory: root,
        readable: [records],
        writable: [records],
      },
    );
    expect(stdout).toBe("");
    expect(stderr.match(/Permission denied/g)).toHaveLength(3);
  }
  expect(await readdir(records)).toEqual(["log"]);
  expect(await readdir(root)).toEqual(["state"]);
});

testInside(
  "the network is out of reach: its addresses, the machine's loopback and its abstract sockets",
  async () => {
    const { root, sandbox } = await makeWorkspace();
    const abstract = `toolwright-test-${randomUUID()}`;
    const port = await listen({ host: "127.0.0.1", port: 0 });
    await listen({ path: `\0${abstract}` });
    const loopback = `
    use Socket;
    sub try { my ($name, $family, $address) = @_;
      my $s; if (!socket($s, $family, SOCK_STREAM, 0)) { print "$name: no socket\\n"; return }
      print "$name: ", connect($s, $address) ? "REACHED" : "not reached", "\\n"; }
    try("loopback", AF_INET, pack_sockaddr_in(${port}, inet_aton("127.0.0.1")));`;
    const others = `
    try("outside", AF_INET, pack_sockaddr_in(53, inet_aton("1.1.1.1")));
    try("abstract", AF_UNIX, pack_sockaddr_un("\\0${abstract}"));`;
    const inside = (profile: "read-only" | "workspace-write" | "network", script: string) =>
      run(sandbox, `perl -e '${script}'`, { profile, directory: root });
    expect((await inside("read-only", loopback + others)).stdout).toBe(
      "loopback: no socket\noutside: no socket\nabstract: not reached\n",
    );
    expect((await inside("workspace-write", loopback + others)).stdout).toBe(
      "loopback: not reached\noutside: not reached\nabstract: not reached\n",
    );
    // Whether this machine itself has a way to the outside, and how long that takes, is not asked.
    expect((await inside("network", loopback)).stdout).toBe("loopback: REACHED\n");
  },
);

function listen(where: { host: string; port: number } | { path: string }): Promise<number> {
  const server = createServer((socket) => socket.end());
  onTestFinished(() => void server.close());
  return new Promise((resolve) => {
    server.listen(where, () => {
      const address = server.address();
      resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
    });
  });
}

testInside("a workspace may have any name", async () => {
  const around = await makeFolder();
  for (const name of ["line\nbreak", "--bind", "\\040 $(touch x) '\"", "ümlaut 雪"]) {
    const root = join(around, name);
    await mkdir(root);
    const sandbox = await openFor(root);
    const { stdout, stderr } = await run(sandbox, "echo x > written; cat written", {
      profile: "workspace-write",
      directory: root,
    });
    expect({ stdout, stderr }).toEqual({ stdout: "x\n", stderr: "" });
    expect(await readdir(root)).toEqual(["written"]);
  }
});

testInside("a path with a NUL in it cannot say more to bubblewrap than a path", async () => {
  const { root, sandbox } = await makeWorkspace();
  const wrapped = sandbox.wrap(
    { file: "/bin/true", args: [], environment: { A: "x\0--bind\0/\0/host" } },
    { profile: "read-only", directory: root },
  );
  await expect(wrapped).rejects.toThrow("NUL");
});
