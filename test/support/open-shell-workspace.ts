import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { RuntimeOptions } from "../../src/index.ts";
import { gitEnvironment } from "./git-environment.ts";
import { putFiles } from "./open-file-session.ts";
import { openTestSession, type TestSession, temporaryFolder } from "./open-test-session.ts";

const run = promisify(execFile);

/** A session on a real repository of a few files, with one commit, as commands about projects expect to find it. */
export async function openShellWorkspace(
  options: RuntimeOptions = {},
): Promise<TestSession & { readonly base: string }> {
  const base = await realpath(await temporaryFolder());
  const workspace = join(base, "work");
  await putFiles(workspace, projectFiles);
  const commit =
    'git init --quiet --initial-branch=main && git add . && git "$@" commit --quiet --message=first';
  await run("sh", ["-c", commit, "sh", ...asNobody], { cwd: workspace, env: gitEnvironment });
  return { ...(await openTestSession({ ...options, workspace })), base };
}

const projectFiles = {
  "README.md": "# Project\n\nTODO: write more.\n",
  "package.json": '{ "name": "project", "version": "1.0.0", "scripts": { "test": "true" } }\n',
  "a.txt": "foo\nbar\n1 2 3\n",
  "b.txt": "foo\nbaz\n",
  "in.txt": "b\na\n",
  "names.txt": "b\na\n",
  "data.csv": "a,b\n1,2\n",
  "data.json": '{ "items": [1, 2], "name": "data" }\n',
  "src/index.ts": "// TODO\nexport const foo = 1;\n",
  "src/main.ts": "export {};\n",
  "docs/guide.md": "# Guide\n",
  "test/index.test.ts": "export {};\n",
};

const asNobody = [
  "-c",
  "user.name=Nobody",
  "-c",
  "user.email=nobody@example.org",
  "-c",
  "commit.gpgsign=false",
];
