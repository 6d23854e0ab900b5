import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { defineTool, type RuntimeOptions } from "../../../../src/index.ts";
import { testInside } from "../../../machine/sandbox/inside.ts";
import { openTestSession, temporaryFolder, testPolicyPlaces } from "../../../support/open-test-session.ts";

// A person takes minutes to decide, and what holds by then is what counts.

const asksFirst = defineTool({
  name: "ask_first",
  description: "Asks a question, then writes.",
  params: {},
  permission: () => ({ action: "write", target: "a" }),
  async run(_input, { ask, files }) {
    await ask("Now?");
    await files.writeText("a", "x");
    return "written";
  },
});

/** Opens a session in which `meanwhile` happens while a person is asked, who then says yes. */
async function openWaiting(
  meanwhile: (policyFile: string, workspace: string) => Promise<void>,
  options: RuntimeOptions = {},
) {
  const places = testPolicyPlaces(await temporaryFolder());
  let isDue = false;
  let workspace = "";
  const happen = async () => {
    if (isDue) await meanwhile(places.user, workspace);
  };
  const opened = await openTestSession(
    {
      sandbox: "off",
      tools: [asksFirst],
      onApproval: () => happen().then(() => "allow"),
      onQuestion: () => happen().then(() => "yes"),
      ...options,
    },
    {},
    places,
  );
  workspace = opened.workspace;
  const begin = () => {
    isDue = true;
  };
  return { ...opened, begin };
}

async function write(file: string, policy: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(policy));
}

const changes: readonly (readonly [string, (file: string) => Promise<void>])[] = [
  ["a rule that denies the path", (file) => write(file, { deny: ["Write(a)"] })],
  ["a rule that denies the class", (file) => write(file, { deny: ["@write"] })],
  ["a narrower mode", (file) => write(file, { maxMode: "readonly" })],
];

describe.each(changes)("%s, which comes while a person decides, binds", (_what, change) => {
  test.each([
    ["a command", "Bash", { command: "touch a" }],
    ["a tool", "file_write", { path: "a", content: "x" }],
    ["a tool that had been let through and asks a question", "ask_first", {}],
  ])("%s", async (_who, tool, input) => {
    const mode = tool === "ask_first" ? "auto" : "ask";
    const { session, workspace, begin } = await openWaiting(change, { permissions: { mode } });
    begin();
    expect(await session.call(tool, input)).toMatchObject({
      status: "denied",
      error: { code: "permission-denied" },
    });
    expect(await readdir(workspace)).toEqual([]);
  });

  test("an undo", async () => {
    const { session, workspace, begin } = await openWaiting(change);
    const { callId } = await session.call("file_write", { path: "a", content: "x" });
    begin();
    expect(await session.undo(callId)).toMatchObject({ status: "denied" });
    expect(await readdir(workspace)).toEqual(["a"]);
  });
});

test("a refusal after approval says that something changed, and the receipt has the rule", async () => {
  const { session, begin } = await openWaiting((file) => write(file, { deny: ["Bash(touch *)"] }));
  begin();
  const { text, receipt } = await session.call("Bash", { command: "touch a" });
  expect(text).toContain(
    "Bash was denied: rule Bash(touch *) of the user's policy denies it (this changed while it waited for approval)",
  );
  expect(receipt.verdict).toMatchObject({ decision: "deny", decidedBy: "rule deny: Bash(touch *)" });
});

test("an approval still covers what a rule has come to ask about", async () => {
  const { session, workspace, begin } = await openWaiting((file) => write(file, { ask: ["Bash(touch *)"] }));
  begin();
  expect((await session.call("Bash", { command: "touch a" })).status).toBe("done");
  expect(await readdir(workspace)).toEqual(["a"]);
});

test("a command whose link has come to lead to a denied file does not run, although it was approved", async () => {
  const { session, workspace, begin } = await openWaiting(
    async (_file, folder) => {
      await rm(join(folder, "link"));
      await symlink("denied.txt", join(folder, "link"));
    },
    { permissions: { deny: ["Read(denied.txt)"], ask: ["Read(plain.txt)"] } },
  );
  await writeFile(join(workspace, "plain.txt"), "plain");
  await writeFile(join(workspace, "denied.txt"), "forbidden");
  await symlink("plain.txt", join(workspace, "link"));
  begin();
  const { status, text } = await session.call("Bash", { command: "cat link" });
  expect(status).toBe("denied");
  expect(text).not.toContain("forbidden");
});

testInside.each([
  ["a rule that denies the command", { deny: ["Bash(touch *)"] }],
  ["a rule that denies the network", { deny: ["@network"] }],
])("%s, which comes while a person decides on more rights for it, binds it", async (_what, policy) => {
  const { session, begin } = await openWaiting((file) => write(file, policy), {
    sandbox: "required",
    permissions: { mode: "auto" },
  });
  begin();
  // It has no network, and what it says looks as if it had wanted one.
  const command = "touch x; ls 'network is unreachable'";
  const { text, receipt } = await session.call("Bash", { command });
  expect(text).toContain("It did not run again: ");
  expect(receipt.sandbox).toBe("workspace-write (bubblewrap)");
});

test("tools that a model is offered, and finds, follow the rules of now", async () => {
  const places = testPolicyPlaces(await temporaryFolder());
  const { session } = await openTestSession({}, {}, places);
  const names = () => session.activeTools().map(({ name }) => name);
  const found = async () => (await session.searchTools("select:Write")).map(({ name }) => name);
  expect([names().includes("Write"), await found()]).toEqual([true, ["Write"]]);
  await write(places.user, { deny: ["Write"] });
  expect([await found(), names().includes("Write")]).toEqual([[], false]);
  await write(places.user, { maxMode: "readonly" });
  expect([await found(), names().includes("Edit")]).toEqual([[], false]);
  await rm(places.user);
  expect([await found(), names().includes("Edit")]).toEqual([["Write"], true]);
});
