import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { describeSandbox } from "../../../src/machine/sandbox/find-sandbox.ts";
import { openSandbox } from "../../../src/machine/sandbox/open-sandbox.ts";
import { recognizeDenial } from "../../../src/machine/sandbox/recognize-denial.ts";
import type { SandboxBounds } from "../../../src/machine/sandbox/sandbox.ts";
import { makeWorkspace, run, testInside } from "./inside.ts";

const readOnly: SandboxBounds = { profile: "read-only", directory: "/w" };
const writing: SandboxBounds = { profile: "workspace-write", directory: "/w" };
const network: SandboxBounds = { profile: "network", directory: "/w" };
const sensitiveNames = [".env*", "*.pem"];

test("a failure that looks like the sandbox's doing is reported as probably caused by it", () => {
  const says = (box: SandboxBounds, stderr: string, exitCode = 1) =>
    recognizeDenial({ exitCode, stderr }, box, sensitiveNames);
  expect(says(readOnly, "touch: cannot touch 'b': Read-only file system")).toContain(
    "profile read-only allows writing only to /tmp",
  );
  expect(says(writing, "Error: EROFS: read-only file system, open '/usr/x'")).toContain("only the workspace");
  expect(says(writing, "curl: (6) Could not resolve host: example.org")).toContain("no network");
  expect(says(writing, "getaddrinfo EAI_AGAIN registry.npmjs.org")).toContain("no network");
  expect(says(readOnly, "cat: 'a/.env': Permission denied")).toContain("secrets");
  expect(says(writing, "mkdir: cannot create directory ‘.vscode’: File exists")).toContain(
    "run as code later",
  );
  expect(says(writing, "bash: .git/hooks: Is a directory")).toContain("run as code later");
  expect(says(writing, "unshare failed: Operation not permitted")).toContain("may have");
  for (const stderr of ["Read-only file system", "Could not resolve host", "Operation not permitted"]) {
    expect(says(readOnly, stderr)).toMatch(/probably|may have/);
  }
});

test("other failures are not put down to the sandbox", () => {
  const says = (box: SandboxBounds, stderr: string, exitCode = 1) =>
    recognizeDenial({ exitCode, stderr }, box, sensitiveNames);
  expect(says(readOnly, "warning: Read-only file system", 0)).toBeUndefined();
  expect(says(network, "curl: (6) Could not resolve host: example.org")).toBeUndefined();
  expect(says(readOnly, "cat: a: Permission denied")).toBeUndefined();
  expect(says(writing, "cat: .env: Permission denied")).toBeUndefined();
  expect(says(writing, "mkdir: cannot create directory 'src': File exists")).toBeUndefined();
  expect(says(writing, "cat: src: Is a directory")).toBeUndefined();
  expect(says(readOnly, "grep: nothing: No such file or directory", 2)).toBeUndefined();
  expect(says(readOnly, "connect: Connection refused")).toBeUndefined();
});

testInside("messages of real programs that the sandbox stopped are recognised", async () => {
  const { root, sandbox } = await makeWorkspace();
  const outcome = async (command: string, box: SandboxBounds) =>
    recognizeDenial(await run(sandbox, command, { ...box, directory: root }), box, sensitiveNames);
  expect(await outcome("touch x", readOnly)).toContain("probably");
  expect(await outcome("echo > /usr/x", writing)).toContain("probably");
  expect(await outcome("mkdir .vscode", writing)).toContain("probably");
  expect(await outcome("echo x > .envrc", writing)).toContain("probably");
  expect(
    await outcome("getent hosts example.org >&2 || git ls-remote https://example.org/x", writing),
  ).toContain("no network");
  expect(await outcome("exec 3<>/dev/tcp/192.0.2.1/80", readOnly)).toContain("no network");
  expect(await outcome("exec 3<>/dev/tcp/192.0.2.1/80", writing)).toContain("no network");
  expect(await outcome("false", writing)).toBeUndefined();
});

test("a sandbox that was switched off is told as such, and still reads with care", async () => {
  const sandbox = await openSandbox({
    mode: "off",
    roots: { root: "/nowhere", extraRoots: [] },
    hidden: [],
    protectedNames: [],
    sensitiveNames: [],
    userPath: "",
  });
  expect(sandbox).toMatchObject({ kind: "none", reason: "it was switched off" });
  expect(describeSandbox(sandbox)).toContain("WITHOUT a sandbox: it was switched off");
  const program = { file: "/bin/true", args: ["x"], environment: { PATH: "/mine", GIT_DIR: "x" } };
  expect(await sandbox.wrap(program, writing)).toMatchObject({ ...program, descriptors: [] });
  const { environment } = await sandbox.wrap(program, readOnly);
  expect(environment).toMatchObject({ GIT_OPTIONAL_LOCKS: "0", PATH: expect.stringContaining("/usr/bin") });
  expect(environment).not.toHaveProperty("GIT_DIR");
});

test("a folder of the kernel cannot be a sandboxed workspace", async () => {
  const options = { hidden: [], protectedNames: [], sensitiveNames: [], userPath: "" };
  const roots = { root: "/proc", extraRoots: [] };
  expect((await openSandbox({ mode: "auto", roots, ...options })).kind).toBe("none");
  await expect(openSandbox({ mode: "required", roots, ...options })).rejects.toThrow("a sandbox is required");
});

testInside(
  "a machine without namespaces has no sandbox, and the reason and what to do are told",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "toolwright-"));
    const script = `
    import { probeBubblewrap } from ${JSON.stringify(join(import.meta.dirname, "../../../src/machine/sandbox/open-sandbox.ts"))};
    console.log(JSON.stringify(await probeBubblewrap()));`;
    // Inside a sandbox no other one can be made, which is what many containers are like.
    const wrapped = [
      "--bind",
      "/",
      "/",
      "--dev",
      "/dev",
      "--unshare-user",
      "--disable-userns",
      "--unshare-pid",
      "--proc",
      "/proc",
    ];
    const { stdout } = await promisify(execFile)("bwrap", [
      ...wrapped,
      process.execPath,
      "--input-type=module",
      "-e",
      script,
    ]);
    await rm(folder, { recursive: true });
    expect(JSON.parse(stdout)).toEqual({
      reason: expect.stringMatching(/cannot create a sandbox here .*user namespaces/),
    });
  },
);
