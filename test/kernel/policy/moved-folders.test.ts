import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { RuntimeOptions } from "../../../src/index.ts";
import { testInside } from "../../machine/sandbox/inside.ts";
import { casesOf } from "../../support/fuzz.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { onDisk, putFiles, temporaryFolder } from "../../support/temporary-folder.ts";

/** Something below a folder that keeps its protection only as long as it keeps its path. */
interface Thing {
  readonly name: string;
  /** What the message names, or the rule in it. */
  readonly below: RegExp;
  readonly permissions?: (workspace: string) => NonNullable<RuntimeOptions["permissions"]>;
  readonly content?: Readonly<Record<string, string>>;
  readonly isRecord?: boolean;
}

const things: readonly Thing[] = [
  { name: "a denied read", below: /sec/, permissions: () => ({ deny: ["Read(a/p/q/sec/**)"] }) },
  {
    name: "a denied read of one file",
    below: /sec\/k\.txt/,
    permissions: () => ({ deny: ["Read(a/p/q/sec/k.txt)"] }),
  },
  {
    name: "a denied read by its absolute path",
    below: /sec/,
    permissions: (workspace) => ({ deny: [`Read(/${workspace}/a/p/q/sec/**)`] }),
  },
  { name: "a read that asks", below: /sec/, permissions: () => ({ ask: ["Read(a/p/q/sec/**)"] }) },
  { name: "a denied change", below: /sec/, permissions: () => ({ deny: ["Edit(a/p/q/sec/**)"] }) },
  {
    name: "a denied change of one file",
    below: /one\.txt/,
    permissions: () => ({ deny: ["Write(a/p/q/one.txt)"] }),
  },
  {
    name: "a denied change by its absolute path",
    below: /sec\/k\.txt/,
    permissions: (workspace) => ({ deny: [`Edit(/${workspace}/a/p/q/sec/k.txt)`] }),
  },
  { name: "a change that asks", below: /sec/, permissions: () => ({ ask: ["@write(a/p/q/sec/**)"] }) },
  { name: "a pattern", below: /sec/, permissions: () => ({ deny: ["Read(**/sec/**)"] }) },
  { name: "a secret", below: /\.env/, content: { "a/p/q/.env": "hush\n" } },
  { name: "a deep secret", below: /r\/s\/key\.pem/, content: { "a/p/q/r/s/key.pem": "hush\n" } },
  { name: "a record", below: /own records/, isRecord: true },
];

interface Way {
  readonly tool: string;
  readonly input: (folder: string) => Readonly<Record<string, unknown>>;
}

const command = (write: (folder: string) => string): Way => ({
  tool: "shell_run",
  input: (folder) => ({ command: write(folder) }),
});

/** Each moves a folder of the workspace, given by its path. */
const ways: readonly Way[] = [
  command((folder) => `mv ${folder} z`),
  command((folder) => `mv -T ./${folder}/ z`),
  command((folder) => `mv -f -t other ${folder}`),
  command((folder) => `mv other/a.txt ${folder} other2`),
  command((folder) => `mv ${folder.slice(0, -1)}* other`),
  command((folder) => `mv a/../${folder} z`),
  command((folder) => `mv linked/${folder} z`),
  command((folder) => `cd other && mv ../${folder} .`),
  command((folder) => `timeout 5 mv ${folder} z`),
  command((folder) => `bash -c 'mv ${folder} z'`),
  command((folder) => `f=${folder}; mv "$f" z`),
  command((folder) => `for f in ${folder}; do mv "$f" z; done`),
  command((folder) => `mv --exchange -T other ${folder}`),
  command((folder) => `mv -b -T other/a.txt ${folder}`),
  command((folder) => `find ${folder} -maxdepth 0 -exec mv {} z \\;`),
  command((folder) => `find a -name ${folder.at(-1)} -exec mv {} z \\;`),
  command((folder) => `find a -name '${folder.at(-1)}' -print0 | xargs -0 -I{} mv {} z`),
  command((folder) => `git mv ${folder} z`),
  command((folder) => `git mv -k -- ${folder} other`),
  command((folder) => `git -c core.quotepath=off mv -f ${folder} z`),
  command((folder) => `git -C other mv ../${folder} ../z`),
  command((folder) => `git -C other worktree move ../${folder} ../z`),
  { tool: "file_move", input: (source) => ({ source, destination: "z" }) },
  { tool: "file_move", input: (folder) => ({ source: `linked/${folder}`, destination: "z" }) },
];

/** The folders that are moved: the one around the thing, and those further above. */
const folders = ["a/p/q", "a/p", "a"];

const places = (["edit", "auto"] as const).flatMap((mode) =>
  (["auto", "off"] as const).map((sandbox) => ({ mode, sandbox })),
);

async function openWith({ permissions, content = {}, isRecord = false }: Thing, options: RuntimeOptions) {
  const workspace = temporaryFolder("toolwright-moved-", onDisk);
  putFiles(workspace, {
    "a/p/q/sec/k.txt": "hush\n",
    "a/p/q/one.txt": "one\n",
    "a/p/beside/a.txt": "a\n",
    "other/a.txt": "a\n",
    "other2/a.txt": "a\n",
    ".gitignore": ".env\n*.pem\nstate\n",
    ...content,
    ...(isRecord && { "a/p/q/state/toolwright/other-0123/mcp-clients": "hush\n" }),
  });
  await symlink(".", join(workspace, "linked"));
  git(workspace, "init", "--quiet");
  git(workspace, "add", "--all");
  git(workspace, "commit", "--quiet", "-m", "all");
  if (isRecord) {
    vi.stubEnv("XDG_STATE_HOME", join(workspace, "a/p/q/state"));
    onTestFinished(() => void vi.unstubAllEnvs());
  }
  const permitted = { ...options.permissions, ...permissions?.(workspace) };
  return openTestSession({ ...options, workspace, permissions: permitted });
}

function git(workspace: string, ...args: string[]): void {
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: workspace });
}

test.each(
  casesOf({
    sample: things.flatMap((thing, index) => [
      { thing, ...places[index % places.length]! },
      { thing, ...places[(index + 2) % places.length]! },
    ]),
    full: things.flatMap((thing) => places.map((place) => ({ thing, ...place }))),
  }),
)(
  "a folder above $thing.name is moved by nothing unasked, in mode $mode with the sandbox $sandbox",
  async ({ thing, mode, sandbox }) => {
    const { session } = await openWith(thing, { sandbox, permissions: { mode } });
    const surprises: string[] = [];
    for (const { tool, input } of ways)
      for (const folder of folders) {
        const { decision, reason } = await session.explain(tool, input(folder));
        const isTold = thing.below.test(reason);
        // In mode edit, some of them ask whatever they move.
        if (decision === "allow" || (mode === "auto" && !isTold))
          surprises.push(`${tool} ${JSON.stringify(input(folder))}: ${decision}, ${reason}`);
      }
    expect(surprises).toEqual([]);
  },
);

test("the question about a folder that is moved names what lies below it", async () => {
  const reasonsOf = async (thing: Thing) => {
    const { session, workspace } = await openWith(thing, { sandbox: "off", permissions: { mode: "auto" } });
    const { reason } = await session.explain("shell_run", { command: "mv a z" });
    return reason.replaceAll(`${workspace}/`, "");
  };
  const [rule, secret, record] = ["a denied read", "a deep secret", "a record"].map(
    (name) => things.find((thing) => thing.name === name)!,
  ) as [Thing, Thing, Thing];
  expect(await reasonsOf(rule)).toBe(
    "the deny rule Read(a/p/q/sec/**) may apply: it moves a, and it is about a/p/q/sec, which is in a",
  );
  expect(await reasonsOf(secret)).toBe("it moves a/p/q/r/s/key.pem, which may hold secrets");
  expect(await reasonsOf(record)).toBe(
    "a/p/q/state/toolwright belongs to Toolwright's own records, and a holds it",
  );
});

test.each(places)(
  "other folders are moved unasked, in mode $mode with the sandbox $sandbox",
  async ({ mode, sandbox }) => {
    const thing: Thing = { ...things[0]!, content: { "a/p/q/.env": "hush\n", "c/node_modules/x/.env": "" } };
    const { session, workspace } = await openWith(thing, { sandbox, permissions: { mode } });
    for (const command of [
      "mv other z",
      "mv other2 a/p/",
      "mv c d",
      "mv -t z a/p/beside",
      "mv a/p/q/one.txt z",
    ])
      expect((await session.explain("shell_run", { command })).decision, command).toBe("allow");
    const moved = await session.call("file_move", { source: "other", destination: "z" });
    expect(moved.status, moved.text).toBe("done");
    expect(existsSync(join(workspace, "z/a.txt"))).toBe(true);
  },
);

const aroundIt = ["a", "a/p", "a/p/q"];
const taking = [
  ...aroundIt.flatMap((folder) => [
    { tool: "shell_run", input: { command: `mv ${folder} z; find . -name k.txt -exec cat {} +` } },
    { tool: "shell_run", input: { command: `cp -r ${folder} c; find . -name k.txt -exec cat {} +` } },
    { tool: "file_move", input: { source: folder, destination: "z" } },
    { tool: "file_copy", input: { source: folder, destination: "c2" } },
    { tool: "file_copy", input: { source: `linked/${folder}`, destination: "c2" } },
  ]),
  { tool: "shell_run", input: { command: "mv a/p/* other" } },
];
const changing = [
  ...aroundIt.flatMap((folder) => [
    { tool: "shell_run", input: { command: `mv ${folder} z` } },
    { tool: "shell_run", input: { command: `rm -rf ${folder}` } },
    { tool: "file_move", input: { source: folder, destination: "z" } },
    { tool: "file_delete", input: { path: folder, recursive: true } },
    { tool: "file_delete", input: { path: `linked/${folder}`, recursive: true } },
    { tool: "file_copy", input: { source: "other", destination: folder, overwrite: true } },
  ]),
  { tool: "file_move", input: { source: "forged", destination: "linked/a/p", overwrite: true } },
];

testInside.each(
  (["edit", "auto"] as const).flatMap((mode) =>
    (["required", "off"] as const).flatMap((sandbox) => [
      { mode, sandbox, rule: "Read(a/p/q/sec/**)", tried: taking },
      { mode, sandbox, rule: "Edit(a/p/q/sec/**)", tried: changing },
      { mode, sandbox, rule: "Edit(a/p/q/sec/k.txt)", tried: changing },
    ]),
  ),
)(
  "a path that $rule denies is not had by its folder, in mode $mode with the sandbox $sandbox",
  async ({ mode, sandbox, rule, tried }) => {
    const thing = { name: rule, below: /./, permissions: () => ({ deny: [rule] }) };
    const { session, workspace } = await openWith(thing, { sandbox, permissions: { mode } });
    putFiles(workspace, { "forged/q/sec/k.txt": "forged\n" });
    for (const { tool, input } of tried) {
      const { text } = await session.call(tool, input);
      const said = `${tool} ${JSON.stringify(input)}`;
      expect(await readFile(join(workspace, "a/p/q/sec/k.txt"), "utf8"), said).toBe("hush\n");
      if (tried === changing) continue;
      const found = execFileSync("grep", ["-rl", "--exclude-dir=.git", "hush", "."], { cwd: workspace });
      expect([text.includes("hush"), found.toString()], said).toEqual([false, "./a/p/q/sec/k.txt\n"]);
    }
  },
);
