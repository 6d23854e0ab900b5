import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noSandbox } from "../../../support/no-sandbox.ts";
import { createCli } from "../run-cli.ts";

const policyFile = ".toolwright/policy.json";

test("trust shows what a project's file allows, trusts exactly that file, and can be revoked", async () => {
  const cli = await createCli({
    [policyFile]: JSON.stringify({ allow: ["Bash(npm test)"], deny: ["Bash(git push *)"] }),
  });
  const explain = async () => {
    const { stdout } = await cli(["explain", "Bash", '{"command":"npm test"}', "--json"]);
    return JSON.parse(stdout).decision as string;
  };
  const shown = await cli(["trust"]);
  expect(shown).toMatchObject({
    exitCode: 3,
    stdout: expect.stringContaining("lets run unasked: Bash(npm test)"),
  });
  expect(shown.stdout).toContain("1 other rule, which only asks or denies, is in effect without trust.");
  expect(shown.stderr).toContain("add --yes");
  expect(await explain()).toBe("ask");
  expect(await cli(["trust", "--yes"])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("It is trusted from now on, until it changes."),
  });
  expect(await explain()).toBe("allow");
  const list = await cli(["trust", "--list", "--json"]);
  expect(JSON.parse(list.stdout)).toMatchObject([{ root: cli.workspace }]);
  await writeFile(join(cli.workspace, policyFile), JSON.stringify({ allow: ["Bash(npm *test)"] }));
  expect((await cli(["trust", "--json"])).exitCode).toBe(3);
  const revoked = await cli(["trust", "--revoke", "--json"]);
  expect(JSON.parse(revoked.stdout)).toMatchObject({ trusted: false, wasTrusted: true });
});

test("explain names the file and line of the rule, and a broken file is wrong usage that says where", async () => {
  const cli = await createCli({ [policyFile]: '{\n  "deny": [\n    "Bash(git push *)"\n  ]\n}\n' });
  const { stdout } = await cli(["explain", "Bash", '{"command":"git push"}']);
  expect(stdout).toMatch(/written in\s+\S+\/\.toolwright\/policy\.json:3 \(project\)/);
  await writeFile(join(cli.workspace, policyFile), '{\n  "deny": [\n    1x\n  ]\n}\n');
  const broken = await cli(["call", "file_list"]);
  expect(broken).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("policy.json:3: it is not valid JSON"),
  });
});

test("lint names the line of every rule that is invalid, unknown, dead or wide", async () => {
  const cli = await createCli({
    [policyFile]: JSON.stringify(
      {
        deny: ["Bash(git *)", "Raed(a)"],
        allow: ["Bash(git push *)", "Bash(python:*)", "Bash(docker compose:*)", "Bash(npm test)"],
      },
      null,
      1,
    ),
  });
  const { exitCode, stdout } = await cli(["policy", "lint", "--json"]);
  expect(exitCode).toBe(1);
  const found = JSON.parse(stdout) as { line: number; kind: string; rule: string }[];
  expect(found.map(({ line, kind, rule }) => [line, kind, rule]).sort()).toEqual([
    [4, "unknown", "Raed(a)"],
    [7, "shadowed", "Bash(git push *)"],
    [8, "invalid", "Bash(python:*)"],
    [9, "wide", "Bash(docker compose:*)"],
  ]);
  const text = await cli(["policy", "lint"]);
  expect(text.stdout).toMatch(/policy\.json:7: shadowed: Bash\(git push \*\): it never decides anything/);
  await writeFile(join(cli.workspace, policyFile), '{ "deny": ["Bash(git *)"] }');
  expect(await cli(["policy", "lint"])).toMatchObject({ exitCode: 0, stderr: "no problems\n" });
  expect((await cli(["policy", "lnit"])).stderr).toContain('unknown action "lnit"; did you mean lint?');
});

test("test tries each rule's examples alone and the tests with the whole policy", async () => {
  const cli = await createCli({
    [policyFile]: JSON.stringify({
      deny: [
        {
          rule: "Bash(git push *)",
          examples: { match: ["git push origin", "sudo git push"], not: ["git pull"] },
        },
        { rule: "Read(*.pem)", examples: { match: ["a/b.pem"], not: ["a.txt", "b.pem.txt"] } },
      ],
      allow: [{ rule: "Bash(npm run *)", examples: { match: ["npm run a"], not: ["npm run a; rm -rf b"] } }],
      tests: [
        // What no sandbox keeps from the files of the other rule has to ask.
        {
          tool: "Bash",
          input: { command: "npm run a" },
          expect: noSandbox === undefined ? "allow" : "ask",
        },
        {
          tool: "file_edit",
          input: { path: "a", old_string: "a", new_string: "b" },
          mode: "readonly",
          expect: "deny",
        },
      ],
    }),
  });
  const passed = await cli(["policy", "test"]);
  expect(passed).toMatchObject({ exitCode: 0, stderr: "10 of 10 tests passed\n", stdout: "" });
  const wrong = join(cli.workspace, "wrong.json");
  await writeFile(wrong, '{\n"deny": [\n{ "rule": "Bash(rm *)", "examples": { "match": ["ls"] } }]}');
  const failed = await cli(["policy", "test", "wrong.json"]);
  expect(failed).toMatchObject({
    exitCode: 1,
    stdout: `${wrong}:3: Bash(rm *) matches ls: it does not match\n`,
  });
});

test("replay shows which finished calls would be decided differently", async () => {
  const cli = await createCli({
    "a.txt": "",
    "new.json": '{ "deny": ["Read(a.txt)"], "allow": ["Bash(touch *)"] }',
  });
  await cli(["call", "file_read", '{"path":"a.txt"}']);
  await cli(["call", "file_list"]);
  await cli(["call", "Bash", '{"command":"touch b"}']);
  expect(await cli(["policy", "replay"])).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^0 of 3 calls/),
  });
  const { exitCode, stdout } = await cli(["policy", "replay", "new.json", "--json"]);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    replayed: 3,
    skipped: 0,
    changed: [
      { tool: "shell_run", before: "ask", after: "allow" },
      { tool: "file_read", before: "allow", after: "deny" },
    ],
  });
});

test("import carries over Claude Code's settings, says what it leaves out, and overwrites nothing silently", async () => {
  const cli = await createCli({
    ".claude/settings.json": JSON.stringify({
      permissions: {
        allow: ["Bash(npm run test:*)", "Bash(git:*)", "NoSuchTool", "Edit(/src/**)", "Read(~/.zshrc)"],
        deny: ["Read(./.env)", "WebFetch(domain:example.com)", "Bash(curl:*)"],
        defaultMode: "acceptEdits",
        disableBypassPermissionsMode: "disable",
        additionalDirectories: ["../docs"],
      },
    }),
    ".claude/settings.local.json": JSON.stringify({
      permissions: { ask: ["Bash(git push:*)"], defaultMode: "plan" },
    }),
    "../.claude/settings.json": JSON.stringify({ permissions: { deny: ["Read(/private/**)", "Bash(*)"] } }),
  });
  const preview = await cli(["policy", "import", "--dry-run", "--json"]);
  const [project, user] = JSON.parse(preview.stdout);
  expect(project.policy).toEqual({
    mode: "readonly",
    maxMode: "edit",
    deny: ["Read(./.env)", "WebFetch(domain:example.com)", "Bash(curl:*)"],
    ask: ["Bash(git push:*)"],
    allow: ["Bash(npm run test:*)", "Edit(/src/**)", "Read(~/.zshrc)"],
  });
  expect(project.leftOut.map(({ setting }: { setting: string }) => setting).sort()).toEqual([
    "additionalDirectories ../docs",
    "allow Bash(git:*)",
    "allow NoSuchTool",
  ]);
  expect(user).toMatchObject({
    to: join(cli.folder, ".config/toolwright/policy.json"),
    policy: { deny: ["Read(~/.claude/private/**)", "Bash"] },
  });
  const told = (await cli(["policy", "import", "--dry-run"])).stderr;
  expect(told).toMatch(
    /settings\.local\.json holds rules of your own for this project\. .* are in .*policy\.json/,
  );
  const written = await cli(["policy", "import", ".claude/settings.json"]);
  expect(written.stderr).not.toContain("rules of your own");
  expect(written.stderr).toContain("left out allow Bash(git:*): ");
  const text = await readFile(join(cli.workspace, policyFile), "utf8");
  expect(JSON.parse(text).allow).toContain("Edit(/src/**)");
  const again = await cli(["policy", "import", ".claude/settings.local.json"]);
  expect(again).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("exists; print the new one with --dry-run"),
  });
  expect(await readFile(join(cli.workspace, policyFile), "utf8")).toBe(text);
});
