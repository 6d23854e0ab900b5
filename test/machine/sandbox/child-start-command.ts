import { spawn } from "node:child_process";
import { openSandbox } from "../../../src/machine/sandbox/open-sandbox.ts";

// A process of its own that starts a command in a sandbox, to be killed or to inherit something.
const [root = "", command = "", isKept, ...writable] = process.argv.slice(2);
const sandbox = await openSandbox({
  mode: "required",
  roots: { root, extraRoots: [] },
  hidden: [],
  protectedNames: [".vscode"],
  sensitiveNames: [],
  userPath: "/usr/bin:/bin",
});
const wrapped = await sandbox.wrap(
  { file: "/bin/bash", args: ["-c", command], environment: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" } },
  { profile: "workspace-write", directory: root, isKept: isKept === "true", writable },
);
const child = spawn(wrapped.file, wrapped.args, {
  env: { ...wrapped.environment },
  stdio: ["ignore", "inherit", "inherit", "ignore", ...wrapped.descriptors],
  detached: true,
});
child.on("close", () => wrapped.finish?.());
await wrapped.release();
