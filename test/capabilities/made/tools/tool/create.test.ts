import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openRuntimeAt } from "../../../../../src/open-runtime.ts";
import { needs } from "../../../../support/needs.ts";
import {
  nowhere,
  openTestSession,
  temporaryFolder,
  testPolicyPlaces,
} from "../../../../support/open-test-session.ts";
import { until } from "../../../../support/until.ts";

/** A script, since most of these tests are not about what runs, and a module takes ten times as long to start. */
const slugify = {
  name: "slugify_title",
  description: "Turn a title into a slug.",
  input: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
  language: "shell",
  code: "echo -n \"$input_title\" |\n  tr 'A-Z ' 'a-z-'",
  examples: [{ input: { title: "$(id) B" }, output: "$(id)-b" }],
} as const;

const openAgain = async (workspace: string) => {
  const runtime = await openRuntimeAt(testPolicyPlaces(nowhere), {
    workspace,
    store: "memory:",
    dialect: "canonical",
  });
  onTestFinished(() => runtime.close());
  return { runtime, session: await runtime.openSession() };
};

const testInside = await needs("bubblewrap");

testInside(
  "a tool is proposed, approved elsewhere, used, used again after a restart, replaced and revoked",
  async () => {
    const workspace = await temporaryFolder();
    const { runtime, session } = await openTestSession({ workspace, dialect: "canonical" });
    const proposed = await session.call("tool_create", slugify);
    expect(proposed).toMatchObject({ status: "done", data: { status: "proposed", version: 1 } });
    expect(await session.call("slugify_title", { title: "x" })).toMatchObject({
      error: { code: "unknown-tool" },
    });

    const person = await openAgain(workspace);
    const [waiting] = await person.runtime.madeTools.list();
    expect(waiting).toMatchObject({ id: expect.stringMatching(/^tool:slugify_title@[0-9a-f]{32}$/) });
    expect(waiting?.text).toContain("tr 'A-Z '");
    await person.runtime.madeTools.approve(waiting!.id);

    await until(() => runtime.tools.list().some(({ name }) => name === "slugify_title"));
    const found = await session.call("tool_search", { query: "slug from title" });
    expect(found.text).toContain("slugify_title");
    const called = await session.call("slugify_title", { title: "Hello World" });
    expect(called).toMatchObject({ text: "hello-world" });
    // The record tells which version ran, by what was approved.
    expect(`tool:slugify_title@${called.receipt.toolVersion?.slice(0, 32)}`).toBe(waiting!.id);
    expect(runtime.tools.explain("slugify_title").providedBy).toMatchObject({
      source: "made",
      layer: "made",
    });
    const file = join(workspace, ".toolwright/tools/slugify_title.json");
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ version: 1, madeBy: "code toolwright" });
    await runtime.close();

    const { runtime: later, session: next } = await openAgain(workspace);
    expect(await next.call("slugify_title", { title: "Once More" })).toMatchObject({ text: "once-more" });

    const code = slugify.code.replace("z-", "z_");
    await next.call("tool_create", {
      ...slugify,
      code,
      examples: [{ input: { title: "A b" }, output: "a_b" }],
    });
    // Until the new version is approved, the old one stays.
    expect(await next.call("slugify_title", { title: "A B" })).toMatchObject({ text: "a-b" });
    const replacement = (await later.madeTools.list()).find(({ status }) => status === "proposed");
    expect(replacement?.text).toMatch(/^-.*z-'.*\n\+.*z_'/m);
    await later.madeTools.approve(replacement!.id);
    const replaced = await next.call("slugify_title", { title: "A B" });
    expect(replaced).toMatchObject({ text: "a_b" });
    expect(`tool:slugify_title@${replaced.receipt.toolVersion?.slice(0, 32)}`).toBe(replacement!.id);

    await writeFile(file, (await readFile(file, "utf8")).replace("z_", "z!"));
    expect(await next.call("slugify_title", { title: "A B" })).toMatchObject({ status: "denied" });
    expect(await later.madeTools.list()).toMatchObject([
      { status: "inactive", version: 2 },
      { status: "proposed", version: 3 },
    ]);
    await later.madeTools.deny("tool:slugify_title", "it shouts");
    expect(await later.madeTools.list()).toMatchObject([
      { status: "inactive", version: 2 },
      { status: "denied", why: "it shouts" },
    ]);
  },
);

testInside("a person who is there is asked with the whole tool, in every mode, and may say no", async () => {
  const asked: string[] = [];
  const { session, workspace } = await openTestSession({
    dialect: "canonical",
    permissions: { mode: "auto" },
    onApproval: ({ verdict }) => {
      asked.push(verdict.reason);
      return asked.length === 1 ? { decision: "deny", note: "not needed" } : "allow";
    },
  });
  const denied = await session.call("tool_create", slugify);
  expect(denied).toMatchObject({
    error: { code: "permission-denied", message: expect.stringContaining("not needed") },
  });
  expect(await session.call("tool_create", slugify)).toMatchObject({ error: { code: "permission-denied" } });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain("tr 'A-Z '");

  const reader = {
    name: "first_line",
    description: "The first line of a file.",
    input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    language: "typescript",
    code: "export default async ({ path }: { path: string }, { files }) => (await files.readText(path)).text.split('\\n')[0];",
    permissions: ["files.readText"],
    examples: [{ input: { path: "x" }, output: "one", context: { "files.readText": { text: "one\ntwo" } } }],
  } as const;
  expect(await session.call("tool_create", reader)).toMatchObject({ data: { status: "active" } });
  await writeFile(join(workspace, "a.txt"), "alpha\nbeta\n");
  expect(await session.call("first_line", { path: "a.txt" })).toMatchObject({ text: "alpha" });
  // What it asks of its context is judged like any call.
  expect(await session.call("first_line", { path: "/etc/passwd" })).toMatchObject({ status: "failed" });
});

test("a tool that cannot be approved is refused with the reason, and nothing of it is kept", () =>
  expectRefused({
    "already-exists": [
      { name: "bash" },
      { name: "file_read" },
      { name: "read_file" },
      { name: "internal_x" },
    ],
    "invalid-input": [
      { name: "Slug" },
      { input: { type: "string" } },
      { code: "echo ghp_abcdefghijklmnopqrstuvwxyz0123456789" },
      { language: "javascript", permissions: ["files.constructor"] },
      { examples: [] },
      { language: "shell", permissions: ["files.readText"] },
      { code: "x".repeat(70_000) },
    ],
  }));

testInside("a tool that does not do as its examples say is refused, and nothing of it is kept", () =>
  expectRefused({
    "tool-failed": [
      { code: "echo wrong" },
      { language: "javascript", code: "import x from 'left-pad'; export default () => x;" },
    ],
  }),
);

/** Each change makes a tool that is refused with the code. */
async function expectRefused(refusals: Readonly<Record<string, readonly object[]>>): Promise<void> {
  const { runtime, session } = await openTestSession({ dialect: "canonical" });
  for (const [code, changes] of Object.entries(refusals)) {
    for (const change of changes) {
      const result = await session.call("tool_create" as string, { ...slugify, ...change });
      expect([change, result.error?.code]).toEqual([change, code]);
    }
  }
  expect(await runtime.madeTools.list()).toEqual([]);
  const recorded = await runtime.receipts({ sessionId: session.id });
  const expected = Object.entries(refusals).flatMap(([code, changes]) => changes.map(() => code));
  expect(recorded.map(({ code }) => code).reverse()).toEqual(expected);
}

test("a file that was put into the project by hand is a proposal, and without a sandbox nothing runs", async () => {
  const workspace = await temporaryFolder();
  await mkdir(join(workspace, ".toolwright/tools"), { recursive: true });
  const { code, ...others } = slugify;
  const text = JSON.stringify({
    version: 7,
    madeBy: "x",
    madeAt: "",
    permissions: [],
    ...others,
    code: code.split("\n"),
  });
  await writeFile(join(workspace, ".toolwright/tools/slugify_title.json"), text);
  const { runtime, session } = await openTestSession({ workspace, dialect: "canonical", sandbox: "off" });
  expect(await runtime.madeTools.list()).toMatchObject([{ status: "proposed", version: 1 }]);
  await expect(runtime.madeTools.approve("tool:slugify_title@00000000")).rejects.toThrow("has changed since");
  await expect(runtime.madeTools.approve("tool:slugify_title")).rejects.toThrow("only in a sandbox");
  expect(await session.call("tool_create", slugify)).toMatchObject({ error: { code: "unavailable" } });
});
