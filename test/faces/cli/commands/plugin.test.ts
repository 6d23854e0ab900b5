import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { openLives } from "../../../../src/machine/locks/process-lives.ts";
import { needs } from "../../../support/needs.ts";
import { type Cli, createCli } from "../run-cli.ts";

/** Every file that is loaded or run says so in a file beside the workspace. */
const mark = 'import { appendFileSync } from "node:fs";\nappendFileSync(process.env.RAN, import.meta.url);\n';

const files = {
  "package.json": JSON.stringify({
    name: "@acme/csv",
    version: "1.2.0",
    scripts: { postinstall: 'echo postinstall >> "$RAN"' },
  }),
  "toolwright.json": JSON.stringify({
    toolFolders: ["tools"],
    plugins: ["./extra.mjs"],
    hooks: { PreToolUse: [{ command: ["./hook.sh"], matcher: "file_write" }] },
    mcpServers: { hub: { command: "node", args: ["server.js"], cwd: "." } },
  }),
  "tools/csv/totals.mjs": `${mark}import { defineTool } from "toolwright/tool";
export default defineTool({ name: "totals", description: "Add.", params: {}, traits: { readOnly: true }, run: () => "6" });\n`,
  "extra.mjs": `${mark}export default { name: "extra" };\n`,
  "hook.sh": "#!/bin/sh\necho {}\n",
  "server.js": "",
  "commands/report.md": "Report on $1.\n",
};

async function createPlugin(changes: Record<string, string> = {}) {
  const cli = await createCli({});
  const place = join(cli.folder, "csv");
  for (const [path, text] of Object.entries({ ...files, ...changes })) {
    await mkdir(dirname(join(place, path)), { recursive: true });
    await writeFile(join(place, path), text);
  }
  const ran = join(cli.folder, "ran");
  const run = (words: readonly string[]) => cli(words, { environment: { RAN: ran } });
  return { cli, place, run, whatRan: () => readFile(ran, "utf8").catch(() => "") };
}

const kept = (cli: Cli) => join(cli.folder, ".config/toolwright/plugins");

test("a plugin is shown with all that it brings, and nothing of it runs or is kept before a yes", async () => {
  const { cli, place, run, whatRan } = await createPlugin();
  const shown = await run(["plugin", "add", place]);
  expect(shown).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("add --yes") });
  expect(shown.stdout.split("\n")).toEqual([
    expect.stringMatching(/^@acme\/csv 1\.2\.0 from \/.*\/csv, sha256 [0-9a-f]{32}$/),
    "  tools     csv_totals",
    "  module    ./extra.mjs, which can add any tools and hooks",
    "  hook      PreToolUse: ./hook.sh",
    "  server    hub: node server.js",
    "  commands  /report",
    "",
  ]);
  expect(await readdir(kept(cli))).toEqual([]);
  expect(await whatRan()).toBe("");

  expect(await run(["plugin", "add", place, "--yes"])).toMatchObject({ exitCode: 0 });
  expect(await whatRan()).toBe("");
  await rm(place, { recursive: true });
  const called = await run(["call", "csv_totals"]);
  expect(called).toMatchObject({ exitCode: 0, stdout: "6\n" });
  expect(await whatRan()).toContain("totals.mjs");
  expect((await run(["plugin", "list"])).stdout).toContain("csv_totals");
  expect(await run(["plugin", "remove", "@acme/csv"])).toMatchObject({ exitCode: 0 });
  expect(await readdir(kept(cli))).toEqual(["plugins.json"]);
  expect((await run(["call", "csv_totals"])).exitCode).not.toBe(0);
});

test("receipts of a plugin's tools name the copy that was approved", async () => {
  const { place, run } = await createPlugin({
    "extra.mjs": `import { defineTool } from "toolwright/tool";
const more = defineTool({ name: "more", description: "More.", params: {}, traits: { readOnly: true }, run: () => "7" });
export default { name: "extra", version: "9", tools: [more] };\n`,
  });
  const { stdout } = await run(["plugin", "add", place, "--yes"]);
  const hash = /sha256 ([0-9a-f]{32})/.exec(stdout)![1]!;
  for (const tool of ["csv_totals", "more"])
    expect(await run(["call", tool, "{}"])).toMatchObject({ exitCode: 0 });
  const receipts = (await run(["log", "--json"])).stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(receipts.map(({ tool, toolVersion }) => [tool, toolVersion.slice(0, 32)]).sort()).toEqual([
    ["csv_totals", hash],
    ["more", hash],
  ]);
});

test("a plugin's copy that was changed is not used, and another version is asked about again", async () => {
  const { cli, place, run, whatRan } = await createPlugin({ "toolwright.json": '{"toolFolders":["tools"]}' });
  await run(["plugin", "add", place, "--yes"]);
  const [copy = ""] = (await readdir(kept(cli))).filter((name) => name.startsWith("@acme+csv"));
  const tool = join(kept(cli), copy, "csv/tools/csv/totals.mjs");
  await writeFile(tool, (await readFile(tool, "utf8")).replace('"6"', '"7"'));
  const refused = await run(["call", "csv_totals"]);
  expect(refused.stderr).toContain(
    "the plugin @acme/csv is not used: its files have changed since you added it",
  );
  expect(refused.exitCode).not.toBe(0);
  expect((await run(["plugin", "list"])).stdout).toContain("not used: its files have changed");
  expect(await whatRan()).toBe("");

  await writeFile(join(place, "package.json"), '{"name":"@acme/csv","version":"2.0.0"}');
  const asked = await run(["plugin", "add", place]);
  expect(asked.exitCode).toBe(3);
  expect(asked.stdout).toContain("It takes the place of @acme/csv 1.2.0 from");
  await run(["plugin", "add", place, "--yes"]);
  expect(await run(["call", "csv_totals"])).toMatchObject({ stdout: "6\n", stderr: "" });
  expect((await readdir(kept(cli))).length).toBe(2);
});

test("unfinished copies that killed processes left go when the next plugin is added, and no others do", async () => {
  const { cli, place, run } = await createPlugin({ "toolwright.json": '{"toolFolders":["tools"]}' });
  await mkdir(kept(cli), { recursive: true });
  const other = openLives(kept(cli));
  onTestFinished(() => other.close());
  const left = ["new_mi0x2k9f3a9c1b7d2e4f", "new_00000000-0000-4000-8000-000000000000"];
  const used = [`new_${other.own}`, "other-0123456789abcdef"];
  for (const name of [...left, ...used]) await mkdir(join(kept(cli), name, "csv"), { recursive: true });
  expect(await run(["plugin", "add", place, "--yes"])).toMatchObject({ exitCode: 0 });
  expect(await readdir(kept(cli))).toEqual(
    expect.arrayContaining([...used, "plugins.json", expect.stringMatching(/^@acme\+csv-/)]),
  );
  expect((await readdir(kept(cli))).length).toBe(4);
});

// npm alone takes seconds.
const testSlowly = await needs("full run");

testSlowly(
  "npm fetches an archive without running its scripts",
  async () => {
    const { place, run, whatRan } = await createPlugin({ "toolwright.json": '{"toolFolders":["tools"]}' });
    await promisify(execFile)("tar", ["-czf", "csv.tgz", "--transform", "s,^csv,package,", "csv"], {
      cwd: dirname(place),
    });
    expect(await run(["plugin", "add", `${place}.tgz`, "--yes"])).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await whatRan()).toBe("");
    expect(await run(["call", "csv_totals"])).toMatchObject({ stdout: "6\n", stderr: "" });
  },
  30_000,
);

test("a plugin that wants more than it may have, or has no proper name, is refused", async () => {
  const wrong: readonly (readonly [file: string, text: string, message: string])[] = [
    ["toolwright.json", '{"permissions":{"mode":"auto"}}', "sets permissions; a plugin can only have"],
    ["toolwright.json", '{"toolFolders":["../elsewhere"]}', "which is outside the plugin"],
    ["toolwright.json", '{"plugins":["left-pad"]}', "names the package left-pad"],
    ["toolwright.json", "{", "is not valid JSON"],
    ["package.json", '{"name":"../../x"}', "the name of a plugin is made of"],
  ];
  const { cli, place, run } = await createPlugin();
  for (const [file, text, message] of wrong) {
    await writeFile(join(place, file), text);
    const refused = await run(["plugin", "add", place, "--yes"]);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
    await writeFile(join(place, file), files[file as keyof typeof files]);
  }
  await symlink("/etc/hosts", join(place, "hosts"));
  expect((await run(["plugin", "add", place, "--yes"])).stderr).toContain("a link that leads outside");
  expect(await readdir(kept(cli))).toEqual([]);
});

test("a source that is neither a folder, an archive nor a package is refused, and the refusal names these", async () => {
  const cli = await createCli({});
  for (const source of ["git+https://example.com/x", "--yes=1", "./missing", "missing.tgz"])
    expect((await cli(["plugin", "add", "--", source])).stderr).toContain("give a folder, a .tgz file");
});
