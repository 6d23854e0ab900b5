import { access, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { CheckerOptions } from "../../../src/capabilities/diagnostics/diagnostics-options.ts";
import { defineTool, type RuntimeOptions } from "../../../src/index.ts";
import { needs } from "../../support/needs.ts";
import { noSandbox } from "../../support/no-sandbox.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";

const packages = dirname(dirname(createRequire(import.meta.url).resolve("typescript/package.json")));
const compiler = join(packages, `@typescript/typescript-${process.platform}-${process.arch}`, "lib");
const tsc = join(compiler, "tsc");

/** A project of two files, the second of which needs the first. The compiler is in sight of the sandbox. */
async function openProject(diagnostics: readonly CheckerOptions[], options: RuntimeOptions = {}) {
  const root = await temporaryFolder();
  const compilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ["es5"],
    allowImportingTsExtensions: true,
  };
  await writeFile(join(root, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  await writeFile(join(root, "a.ts"), "export const a: number = 1;\n");
  await writeFile(join(root, "b.ts"), 'import { a } from "./a.ts";\nexport const b: number = a;\n');
  const { session } = await openTestSession({
    workspace: { root, extraRoots: [compiler, dirname(process.execPath)] },
    dialect: "canonical",
    // Without a sandbox to run it in, naming a checker is not the permission to run it.
    permissions: { mode: noSandbox === undefined ? "edit" : "auto" },
    diagnostics,
    ...options,
  });
  const write = (path: string, content: string) => session.call("file_write", { path, content });
  return { root, session, write };
}

const typeChecker: CheckerOptions = { files: "**/*.ts", command: [tsc, "--noEmit"], format: "tsc" };

test("an edit's result has what the project's type checker finds in it, then only what is new, wherever", async () => {
  const { session, write } = await openProject([typeChecker]);
  const wrong = await write("a.ts", "export const a: number = 'x';\n");
  expect(wrong.status).toBe("done");
  expect(wrong.text).toContain("tsc found 1 problem after this change");
  expect(wrong.text).toContain("a.ts:1:14 error TS2322: Type 'string' is not assignable to type 'number'.");
  expect(wrong.receipt.diagnostics).toEqual([
    { by: "tsc", status: "checked", problems: 1, before: 0, elsewhere: 0 },
  ]);
  const breaking = await write("a.ts", "\n\nexport const a: string = 'x';\n");
  expect(breaking.text).toContain("b.ts:2:14 error TS2322");
  const again = await write("a.ts", "export const a: string = 'y';\n");
  expect(again.text).toContain("tsc found no new problems (1 problem in other files).");
  const [first, second] = await session.callAll([
    { name: "file_write", input: { path: "a.ts", content: "export const a = 1;\n" } },
    { name: "file_write", input: { path: "b.ts", content: "export const b: boolean = '';\n" } },
    { name: "file_read", input: { path: "notes.md" } },
  ]);
  expect(first?.receipt.diagnostics).toBeUndefined();
  expect(second?.text).toContain("b.ts:1:14 error TS2322");
  const other = await write("notes.md", "nothing to check\n");
  expect(other.receipt.diagnostics).toBeUndefined();
}, 60_000);

test("a language server is asked, stays with the session, and ends with it", async () => {
  const { session, write } = await openProject([
    { files: "*.ts", command: [tsc, "--lsp", "--stdio"], format: "language-server", timeoutMs: 30_000 },
  ]);
  const wrong = await write("a.ts", "export const a: number = 'x';\n");
  expect(wrong.text).toContain("a.ts:1:14 error 2322: Type 'string' is not assignable to type 'number'.");
  const more = await write("a.ts", "export const a: number = 'x';\nexport const c: string = 1;\n");
  expect(more.text).toContain(
    "tsc found 1 problem after this change (1 problem of the changed files was there before)",
  );
  expect(more.text).toContain("a.ts:2:14 error 2322");
  const right = await write("a.ts", "export const a: number = 1;\n");
  expect(right.text).toContain("tsc found no new problems.");
  await session.close();
}, 60_000);

test("a language server that only publishes by itself is waited for", async () => {
  const { root, write } = await openProject([
    { files: "*.ts", command: [process.execPath, "server.mjs"], format: "language-server" },
  ]);
  await writeFile(join(root, "server.mjs"), publishingServer);
  const wrong = await write("a.ts", "TODO\n");
  expect(wrong.text).toContain("a.ts:1:1 warning todo: version 1");
  const again = await write("a.ts", "TODO TODO\n");
  expect(again.text).toContain("a.ts:1:1 warning todo: version 2");
}, 30_000);

/** Publishes an old version first, as servers do that are still busy with it. */
const publishingServer = `
let held = Buffer.alloc(0);
const send = (message) => {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write("Content-Length: " + Buffer.byteLength(text) + "\\r\\n\\r\\n" + text);
};
const publish = ({ uri, version }) => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } };
  for (const each of [version - 1, version])
    send({
      method: "textDocument/publishDiagnostics",
      params: { uri, version: each, diagnostics: [{ range, severity: 2, code: "todo", message: "version " + each }] },
    });
};
process.stdin.on("data", (chunk) => {
  held = Buffer.concat([held, chunk]);
  for (;;) {
    const end = held.indexOf("\\r\\n\\r\\n");
    const length = Number(/Content-Length: (\\d+)/.exec(held.toString("latin1", 0, Math.max(0, end)))?.[1]);
    if (end === -1 || held.length < end + 4 + length) return;
    const { id, method, params } = JSON.parse(held.toString("utf8", end + 4, end + 4 + length));
    held = held.subarray(end + 4 + length);
    if (method === "initialize") send({ id, result: { capabilities: {} } });
    if (method === "textDocument/didOpen" || method === "textDocument/didChange") publish(params.textDocument);
  }
});
`;

test("an edit stays done and does not wait for long, whatever a checker does", async () => {
  const server = { files: "a.ts", format: "language-server" } as const;
  const { write } = await openProject([
    { files: "a.ts", command: ["sleep", "600"], format: "unix", timeoutMs: 300 },
    { files: "a.ts", command: ["false"], format: "tsc" },
    { files: "a.ts", command: ["no-such-program"], format: "tsc" },
    { files: "a.ts", command: ["echo", "not JSON"], format: "eslint-json" },
    { ...server, command: ["sleep", "600"], timeoutMs: 300 },
    { ...server, command: ["yes"] },
    { ...server, command: ["false"] },
  ]);
  const done = await write("a.ts", "export {};\n");
  expect(done.status).toBe("done");
  expect(done.receipt.diagnostics?.map(({ by, status }) => `${by} ${status}`)).toEqual([
    "sleep timed-out",
    "false failed",
    "no-such-program failed",
    "echo failed",
    "sleep timed-out",
    "yes failed",
    "false failed",
  ]);
}, 60_000);

const testInside = await needs("bubblewrap");

testInside("a checker changes nothing", async () => {
  const { root, write } = await openProject([{ files: "a.ts", command: ["touch", "made"], format: "unix" }]);
  const done = await write("a.ts", "export {};\n");
  expect(done.receipt.diagnostics).toMatchObject([{ by: "touch", status: "failed" }]);
  expect(done.text).toContain("Read-only file system");
  await expect(access(join(root, "made"))).rejects.toThrow();
});

test("naming a checker is the permission to run it in a sandbox, but rules come first", async () => {
  const denied = await openProject([typeChecker], { permissions: { mode: "edit", deny: ["Bash(*tsc*)"] } });
  const { text, receipt } = await denied.write("a.ts", "export {};\n");
  expect(receipt.diagnostics).toEqual([{ by: "tsc", status: "refused" }]);
  expect(text).toContain("tsc did not look at the changed files");
  const unconfined = await openProject([typeChecker], { sandbox: "off", permissions: { mode: "edit" } });
  const { receipt: without } = await unconfined.write("a.ts", "export {};\n");
  expect(without.diagnostics).toEqual([{ by: "tsc", status: "refused" }]);
  const allowed = await openProject([typeChecker], {
    sandbox: "off",
    permissions: { mode: "auto" },
  });
  const { receipt: free } = await allowed.write("a.ts", "export {};\n");
  expect(free.diagnostics?.[0]?.status).toBe("checked");
}, 60_000);

test("a problem in a file that the session may not read is only counted", async () => {
  const { root, write } = await openProject(
    [{ files: "**", command: ["cat", "found.txt"], format: "unix" }],
    { permissions: { mode: "edit", deny: ["Read(secret.txt)"] } },
  );
  await writeFile(join(root, "found.txt"), "");
  await write("a.ts", "export {};\n");
  const found = ["secret.txt:1:1: error: the password is x", "b.ts:2: warning: unused"];
  await writeFile(join(root, "found.txt"), found.join("\n"));
  const { text } = await write("a.ts", "export { };\n");
  expect(text).toContain("cat found 1 problem after this change (1 problem in other files)");
  expect(text).toContain("b.ts:2 warning: unused");
  expect(text).not.toContain("password");
}, 30_000);

test("a receipt has the fields of capabilities in the order of their list, between the result and the undo record", async () => {
  const writeAndRun = defineTool({
    name: "write_and_run",
    description: "Write a file and run a command.",
    params: {},
    async run(_input, { files, processes }) {
      await files.writeText("a.ts", "export const a: number = 'x';\n");
      await processes.run("true");
    },
  });
  const { session } = await openProject([typeChecker], {
    tools: [writeAndRun],
    permissions: { mode: "auto", allow: ["write_and_run", "shell_run"] },
  });
  const { receipt } = await session.call("write_and_run");
  const names = Object.keys(receipt);
  expect(names.slice(names.indexOf("resultHash"))).toEqual([
    ...["resultHash", "sandbox", "diagnostics", "undo"],
    ...["position", "previousHash", "hash"],
  ]);
});
