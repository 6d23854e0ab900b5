import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import type { ApprovalDecision, ApprovalRequest } from "../../../src/kernel/people/approvals.ts";
import { keepOwnRules } from "../../../src/kernel/policy/scopes/policy-file.ts";
import { openTestSession, temporaryFolder, testPolicyPlaces } from "../../support/open-test-session.ts";

const acts = defineTool({ name: "act", description: "Acts.", params: {}, run: () => "acted" });

/** A session whose person gives these answers, one after the other, and denies after that. */
async function openAnswered(answers: ApprovalDecision[], folder?: string, workspace?: string) {
  const places = testPolicyPlaces(folder ?? (await temporaryFolder()));
  const asked: ApprovalRequest[] = [];
  const opened = await openTestSession(
    {
      tools: [acts],
      sandbox: "off",
      permissions: { mode: "ask" },
      ...(workspace !== undefined && { workspace }),
      onApproval: (request) => {
        asked.push(request);
        return answers.shift() ?? { decision: "deny" };
      },
    },
    { dialect: "canonical" },
    places,
  );
  const statusOf = async (tool: string, input: object) => (await opened.session.call(tool, input)).status;
  return { ...opened, asked, places, statusOf };
}

test("an answer for the session holds for exactly what was shown, and an answer once does not", async () => {
  const { statusOf, asked } = await openAnswered([
    { decision: "allow" },
    { decision: "allow", lasts: "session" },
  ]);
  const write = (path: string) => statusOf("file_write", { path, content: "x" });
  expect(await write("a")).toBe("done");
  expect(await write("a")).toBe("done");
  expect(asked.map(({ rules }) => rules)).toEqual([["@write(/a)"], ["@write(/a)"]]);
  // By the rule, and for nothing else.
  expect(await write("a")).toBe("done");
  expect(asked).toHaveLength(2);
  expect(await write("b")).toBe("denied");
  expect(await write("sub/a")).toBe("denied");
  expect(asked).toHaveLength(4);
});

test("an answer for good is stored with the user's own rules for the project, outside of it", async () => {
  const folder = await temporaryFolder();
  const always = [
    { decision: "allow", lasts: "always" },
    { decision: "allow", lasts: "always" },
  ] as const;
  const { statusOf, places, workspace, runtime } = await openAnswered([...always], folder);
  expect(await statusOf("shell_run", { command: "touch one" })).toBe("done");
  expect(await statusOf("act", {})).toBe("done");
  expect(await statusOf("act", {})).toBe("done");
  const [file, ...others] = await readdir(join(dirname(places.user), "projects"));
  expect(others).toEqual([]);
  const kept = JSON.parse(await readFile(join(dirname(places.user), "projects", file!), "utf8"));
  expect(kept).toEqual({ allow: ["shell_run(touch one)", "act"] });
  expect(await readdir(workspace)).toEqual(["one"]);
  await runtime.close();

  const later = await openAnswered([], folder, workspace);
  expect(await later.statusOf("shell_run", { command: "touch one" })).toBe("done");
  expect(await later.statusOf("shell_run", { command: "touch two" })).toBe("denied");
  const elsewhere = await openAnswered([], folder);
  expect(await elsewhere.statusOf("act", {})).toBe("denied");
});

test("a rule that was stored holds for the words that were shown, and for no other way to say them", async () => {
  const { statusOf, workspace } = await openAnswered([{ decision: "allow", lasts: "session" }]);
  expect(await statusOf("shell_run", { command: "touch one" })).toBe("done");
  await writeFile(join(workspace, "touch"), "#!/bin/sh\n", { mode: 0o755 });
  const others = [
    "./touch one",
    `${workspace}/touch one`,
    "PATH=.:$PATH touch one",
    "env PATH=. touch one",
    "touch one two",
    "touch one > two",
    "touch one; touch two",
    "touch $(touch two) one",
    "touch() { rm x; }; touch one",
    "alias touch=rm; touch one",
    "cd .. && touch one",
    "sudo touch one",
  ];
  for (const command of others)
    expect([command, await statusOf("shell_run", { command })]).toEqual([command, "denied"]);
});

test.each([
  "python3 tool.py",
  "bash x.sh",
  "sudo touch x",
  "env A=1 touch x",
  "npx thing",
  "node x.js",
  "make all",
  "./build.sh",
  "bin/tool",
  "/usr/../tmp/tool",
  "tsx x.ts",
  "Rscript x.R",
  "git bisect run ls",
  "docker run image",
  "find . -delete",
  "xargs touch",
  "touch a > b",
  "touch *",
  'rm "$X"',
  "touch a && bash x.sh",
])("no rule is offered for `%s`, and an answer that should last is a no", async (command) => {
  const { statusOf, asked, places } = await openAnswered([{ decision: "allow", lasts: "always" }]);
  expect(await statusOf("shell_run", { command })).toBe("denied");
  expect(asked[0]?.rules).toBeUndefined();
  await expect(readdir(join(dirname(places.user), "projects"))).rejects.toThrow("ENOENT");
});

test("every answer is checked before it counts", async () => {
  const { session } = await openTestSession(
    { permissions: { mode: "ask" }, approvals: "queue", tools: [acts], sandbox: "off" },
    { dialect: "canonical" },
  );
  const calling = session.call("shell_run", { command: "bash x.sh" });
  const { promise, resolve } = Promise.withResolvers<void>();
  void (async () => {
    for await (const event of session.events()) if (event.type === "approval-request") resolve();
  })();
  await promise;
  const [{ id } = { id: "" }] = session.approvals.list();
  const decide = (decision: "allow" | "deny", details: object) => () =>
    session.approvals.decide(id, decision, details);
  expect(decide("allow", { lasts: "session" })).toThrow("can be allowed only once");
  expect(decide("allow", { lasts: "ever" })).toThrow("lasts must be one of once, session, always");
  expect(decide("allow", { stop: true })).toThrow("stop belongs to a no");
  expect(decide("deny", { lasts: "always" })).toThrow("a no cannot last");
  session.approvals.decide(id, "deny", { note: "use make instead" });
  expect((await calling).text).toContain("use make instead");
});

test("a file of rules with a mistake in it keeps its content, and is not overwritten", async () => {
  const file = join(await temporaryFolder(), "projects", "one.json");
  await keepOwnRules(file, ["act"]);
  await writeFile(file, JSON.stringify({ deny: ["Bash"], allow: [{ rule: "act" }] }));
  await keepOwnRules(file, ["act", "file_write(/a)"]);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
    deny: ["Bash"],
    allow: [{ rule: "act" }, "file_write(/a)"],
  });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, "{ not json");
  await expect(keepOwnRules(file, ["act"])).rejects.toThrow("not valid JSON");
  expect(await readFile(file, "utf8")).toBe("{ not json");
});
