import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { RuntimeOptions } from "../../../../src/index.ts";
import { revokeTrust, trustProject } from "../../../../src/kernel/policy/scopes/change-trust.ts";
import { readPolicyFile } from "../../../../src/kernel/policy/scopes/policy-file.ts";
import { type PolicyPlaces, projectPolicyFile } from "../../../../src/kernel/policy/scopes/policy-places.ts";
import { readTrust } from "../../../../src/kernel/policy/scopes/read-trust.ts";
import { fc, fuzzRuns } from "../../../support/fuzz.ts";
import { openTestSession, temporaryFolder, testPolicyPlaces } from "../../../support/open-test-session.ts";

type Scope = "managed" | "user" | "project";

/** A workspace with policy files in some scopes. */
async function openScopes(policies: Partial<Record<Scope, unknown>>, options: RuntimeOptions = {}) {
  const places = testPolicyPlaces(await temporaryFolder());
  const workspace = await temporaryFolder();
  const files: Record<Scope, string> = {
    managed: places.managed,
    user: places.user,
    project: projectPolicyFile(workspace),
  };
  for (const [scope, policy] of Object.entries(policies)) await write(files[scope as Scope], policy);
  const opened = await openTestSession({ sandbox: "off", ...options, workspace }, {}, places);
  const verdictOn = (command: string) => opened.session.explain("Bash", { command });
  return { ...opened, files, places, verdictOn };
}

async function write(file: string, policy: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof policy === "string" ? policy : JSON.stringify(policy, null, 2));
}

async function trust(workspace: string, places: PolicyPlaces): Promise<void> {
  const { hash } = (await readPolicyFile(projectPolicyFile(workspace)))!;
  await trustProject(places.trust, { root: workspace, hash });
}

test.each<[Scope | "session", Scope | "session"]>([
  ["managed", "session"],
  ["session", "managed"],
  ["user", "session"],
  ["project", "user"],
  ["user", "managed"],
  ["project", "session"],
])("an action that %s denies stays denied, whatever %s allows", async (denying, allowing) => {
  const rules = {
    [denying]: { deny: ["Bash(npm test)"] },
    [allowing]: { allow: ["Bash(npm test)", "Bash(npm run *)"] },
  };
  const { session: permissions, ...policies } = rules as Record<string, RuntimeOptions["permissions"]>;
  const { verdictOn } = await openScopes(policies, permissions ? { permissions } : {});
  expect((await verdictOn("npm test")).decision).toBe("deny");
  expect((await verdictOn("npm run x")).decision).toBe("allow");
});

test("a verdict names the scope, file and line of the rule that decided", async () => {
  const { verdictOn, files, session } = await openScopes({
    managed: { deny: ["Bash(git push *)"] },
    user: { allow: ["Bash(npm test)"] },
    project: { ask: ["Bash(npm run *)"] },
  });
  expect(await verdictOn("git push")).toMatchObject({
    decision: "deny",
    decidedBy: "rule deny: Bash(git push *)",
    reason: "rule Bash(git push *) of the managed policy denies it",
    rule: { source: "Bash(git push *)", scope: "managed", file: files.managed, line: 3 },
  });
  expect(await verdictOn("npm test")).toMatchObject({
    decision: "allow",
    rule: { scope: "user", file: files.user, line: 3 },
  });
  expect(await verdictOn("npm run x")).toMatchObject({
    decision: "ask",
    reason: "rule Bash(npm run *) of the project's policy requires approval",
    rule: { scope: "project", file: files.project },
  });
  const { receipt } = await session.call("Bash", { command: "git push" });
  expect(receipt.verdict).toMatchObject({ decidedBy: "rule deny: Bash(git push *)" });
});

test("permissions of a project are in effect once its file is trusted, and no longer once the file has changed", async () => {
  const { verdictOn, workspace, places, files, runtime } = await openScopes({
    project: { mode: "auto", allow: ["Bash(npm test)"], deny: ["Bash(git push *)"] },
  });
  expect((await verdictOn("npm test")).decision).toBe("ask");
  expect((await verdictOn("git push")).decision).toBe("deny");
  expect(runtime.problems()).toMatchObject([
    {
      source: `${files.project}:4`,
      subject: "Bash(npm test)",
      message: "not in effect: a project's file can only forbid until you trust it with `toolwright trust`",
    },
    { subject: "mode auto" },
  ]);

  await trust(workspace, places);
  expect((await verdictOn("npm test")).decision).toBe("allow");
  expect(runtime.problems()).toEqual([]);

  await write(files.project, { allow: ["Bash(npm test)", "Bash(npm publish)"] });
  expect((await verdictOn("npm test")).decision).toBe("ask");

  await trust(workspace, places);
  expect((await verdictOn("npm publish")).decision).toBe("allow");
  expect(await revokeTrust(places.trust, [workspace])).toBe(true);
  expect((await verdictOn("npm publish")).decision).toBe("ask");
});

test("a changed file holds from the next call on, also one that was not there before or is gone", async () => {
  const { verdictOn, files } = await openScopes({}, { permissions: { mode: "auto" } });
  expect((await verdictOn("touch a")).decision).toBe("allow");
  for (const file of Object.values(files)) {
    await write(file, { deny: ["Bash(touch *)"] });
    expect((await verdictOn("touch a")).decision).toBe("deny");
    // The same length, within the same tick of the disk's clock.
    await write(file, { deny: ["Bash(tauch *)"] });
    expect((await verdictOn("touch a")).decision).toBe("allow");
    await write(file, { ask: ["Bash(touch *)"] });
    expect((await verdictOn("touch a")).decision).toBe("ask");
    await rm(file);
    expect((await verdictOn("touch a")).decision).toBe("allow");
  }
});

test.each<[string, string]>([
  ['{\n  "deny": [\n    "Bash(rm *)",\n  ]\n}', ":4: it is not valid JSON"],
  ['{ "denny": [] }', "denny"],
  ['{ "deny": ["Bash(rm *"] }', ":1: "],
  ['{ "deny": [1] }', "deny"],
])(
  "a file that is broken while a session is open keeps its denials and lets nothing run unasked: %s",
  async (text, where) => {
    const { verdictOn, files, runtime } = await openScopes(
      { user: { deny: ["Bash(git push *)"], allow: ["Bash(npm test)"] } },
      { permissions: { mode: "auto" } },
    );
    expect((await verdictOn("npm test")).decision).toBe("allow");
    await write(files.user, text);
    expect((await verdictOn("git push")).decision).toBe("deny");
    for (const command of ["npm test", "touch a", "ls"]) {
      const { decision, reason, decidedBy } = await verdictOn(command);
      expect([decision, decidedBy]).toEqual(["ask", "policy file"]);
      expect(reason).toContain(files.user);
      expect(reason).toContain(where);
    }
    expect(runtime.problems()[0]?.message).toContain(files.user);
    await write(files.user, { deny: [] });
    expect((await verdictOn("git push")).decision).toBe("allow");
  },
);

test("a runtime does not open with a file that is broken, and says where", async () => {
  for (const scope of ["managed", "user", "project"] as const) {
    await expect(openScopes({ [scope]: '{\n"deny": }' })).rejects.toThrow(
      "policy.json:2: it is not valid JSON",
    );
    await expect(openScopes({ [scope]: { ask: ["Read(../x)"] } })).rejects.toThrow(
      "policy.json:3: ../x leads outside",
    );
  }
});

test("a file may name tools that this project does not have; that is told, and a tool that comes later is bound", async () => {
  const { runtime, session, files } = await openScopes(
    { user: { deny: ["late_tool", "Raed"] } },
    { permissions: { mode: "auto" } },
  );
  expect(runtime.problems()).toMatchObject([
    { source: `${files.user}:3`, subject: "late_tool" },
    { source: `${files.user}:4`, message: 'there is no tool named "Raed"; did you mean Read?' },
  ]);
  const { echo } = await import("../../../support/sample-tools.ts");
  runtime.tools.register({ ...echo, name: "late_tool" });
  expect((await session.explain("late_tool", { text: "x" })).decision).toBe("deny");
});

test("the user's mode is the default, a trusted project's comes before it, and the options decide over both", async () => {
  const open = async (policies: Parameters<typeof openScopes>[0], options?: RuntimeOptions) => {
    const { verdictOn } = await openScopes(policies, options);
    return (await verdictOn("touch a")).decidedBy;
  };
  expect(await open({ user: { mode: "auto" } })).toBe("mode auto");
  expect(await open({ user: { mode: "auto" } }, { permissions: { mode: "ask" } })).toBe("mode ask");
  expect(await open({ user: { mode: "edit" }, project: { mode: "auto" } })).toBe("mode edit");
  expect(await open({ user: { mode: "auto" }, project: { mode: "readonly" } })).toBe("mode readonly");
});

test("no session goes beyond the widest mode that any file allows, also one that is open already", async () => {
  for (const scope of ["managed", "user", "project"] as const) {
    const { verdictOn, files } = await openScopes(
      { [scope]: { maxMode: "ask" } },
      { permissions: { mode: "auto" } },
    );
    expect((await verdictOn("touch a")).decidedBy).toBe("mode ask");
    await write(files[scope], { maxMode: "readonly" });
    expect((await verdictOn("touch a")).decision).toBe("deny");
    await write(files[scope], {});
    expect((await verdictOn("touch a")).decidedBy).toBe("mode auto");
  }
});

test("no tool writes a policy unasked, and none reaches the user's own, even in a workspace that contains it", async () => {
  const home = await temporaryFolder();
  const places = testPolicyPlaces(home);
  const { session } = await openTestSession(
    { workspace: home, sandbox: "off", permissions: { mode: "auto", allow: ["file_write(config/**)"] } },
    {},
    places,
  );
  const writing = (path: string) => session.explain("file_write", { path, content: "{}" });
  expect(await writing(".toolwright/policy.json")).toMatchObject({ decision: "ask", decidedBy: "floor" });
  expect(await session.explain("Bash", { command: "echo {} > .toolwright/policy.json" })).toMatchObject({
    decision: "ask",
  });
  for (const path of ["config/policy.json", "config/trust.json"]) {
    expect(await writing(path)).toMatchObject({ decision: "deny", decidedBy: "floor" });
    expect(await session.explain("Bash", { command: `echo {} > ${path}` })).toMatchObject({
      decision: "deny",
    });
  }
  await symlink(join(home, "config"), join(home, "link"));
  expect(await writing("link/policy.json")).toMatchObject({ decision: "deny" });
  expect(await session.explain("file_move", { source: "config", destination: "old" })).toMatchObject({
    decision: "deny",
  });
});

test("trust is kept with the project's path, for the user alone", async () => {
  const places = testPolicyPlaces(await temporaryFolder());
  await trustProject(places.trust, { root: "/a", hash: "1" });
  await trustProject(places.trust, { root: "/b", hash: "2" });
  await trustProject(places.trust, { root: "/a", hash: "3" });
  expect((await readTrust(places.trust)).map(({ root, hash }) => [root, hash])).toEqual([
    ["/b", "2"],
    ["/a", "3"],
  ]);
  expect(JSON.parse(await readFile(places.trust, "utf8"))).toHaveProperty("projects");
  await writeFile(places.trust, "broken");
  expect(await readTrust(places.trust)).toEqual([]);
});

// The promise that matters most: whatever a repository brings, it makes nothing possible.
test("a project's file that was not trusted never widens a verdict", async () => {
  const places = testPolicyPlaces(await temporaryFolder());
  const workspace = await temporaryFolder();
  const file = projectPolicyFile(workspace);
  const { runtime } = await openTestSession(
    {
      workspace,
      sandbox: "off",
      permissions: { deny: ["Bash(git push *)"], ask: ["Edit(src/**)"], allow: ["Bash(npm test)"] },
    },
    {},
    places,
  );
  const calls = [
    ...["ls", "npm test", "git push", "touch a", "curl x.org"].map(
      (command) => ["Bash", { command }] as const,
    ),
    ...["a", "src/a", ".env", ".git/config", "../x"].map(
      (path) => ["file_write", { path, content: "" }] as const,
    ),
    ...["a", ".env"].map((path) => ["file_read", { path }] as const),
  ];
  const rule = fc.constantFrom(
    ...[
      "Bash",
      "Bash(npm *)",
      "Bash(touch *)",
      "Bash(git push *)",
      "Read",
      "Read(.env)",
      "Edit(**)",
      "Write(src/**)",
    ],
    ...[
      "@read",
      "@write",
      "@execute",
      "@network",
      "@network(domain:x.org)",
      "file_write",
      "file_*",
      "Bash(sudo *)",
    ],
  );
  const rules = fc.uniqueArray(rule, { maxLength: 4 });
  const mode = fc.constantFrom("readonly", "ask", "edit", "auto");
  const policy = fc.record(
    { allow: rules, ask: rules, deny: rules, mode, maxMode: mode },
    { requiredKeys: [] },
  );
  const severity = ["allow", "ask", "deny"];
  const sessions = await Promise.all(
    (["readonly", "edit", "auto", undefined] as const).map((given) =>
      runtime.openSession(given === undefined ? {} : { mode: given }),
    ),
  );
  const decide = () =>
    Promise.all(
      sessions.flatMap((session) =>
        calls.map(async ([tool, input]) => severity.indexOf((await session.explain(tool, input)).decision)),
      ),
    );
  const before = await decide();
  expect(new Set(before)).toEqual(new Set([0, 1, 2]));
  await fc.assert(
    fc.asyncProperty(policy, async (written) => {
      const allowing = written.allow?.filter((each) => !["Bash", "file_*"].includes(each));
      await write(file, { ...written, ...(allowing && { allow: allowing }) });
      const after = await decide();
      expect(after.filter((decision, index) => decision < before[index]!)).toEqual([]);
    }),
    { numRuns: fuzzRuns({ sample: 4, full: 300 }) },
  );
});

test("a list that a file has twice is a mistake, because one of the two would count for nothing", async () => {
  const { verdictOn, files } = await openScopes({ user: { deny: ["Bash(touch *)"] } });
  await write(files.user, '{\n"deny": ["Bash(touch *)"],\n"deny": []\n}');
  expect((await verdictOn("touch a")).decision).toBe("deny");
  expect(await verdictOn("ls")).toMatchObject({
    decision: "ask",
    reason: expect.stringContaining(`${files.user}:3: "deny" is there twice; join the two`),
  });
});
