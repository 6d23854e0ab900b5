import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { defineTool, ToolError } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";

function saying(output: unknown, more = {}) {
  return defineTool({
    name: "say",
    description: "Says.",
    params: {},
    traits: { readOnly: true },
    run: () => output,
    ...more,
  });
}

test("a long output is cut in the middle with the exact count, and kept whole on disk", async () => {
  const output = `${"a".repeat(50_000)}MIDDLE${"z".repeat(50_000)}`;
  const { session } = await openTestSession({ tools: [saying(output)] });
  const { text, truncated, omitted, storedPath = "", receipt } = await session.call("say");
  expect(truncated).toBe(true);
  expect(text.length).toBeLessThanOrEqual(30_000);
  const [head = "", , tail = ""] = text.split(/\n\n(\.\.\. \[truncated .*\] \.\.\.)\n\n/);
  expect(head).toMatch(/^a+$/);
  expect(tail).toMatch(/^z+$/);
  expect(omitted).toBe(output.length - head.length - tail.length);
  expect(text).toContain(
    `[truncated ${omitted} characters; the full result is in ${storedPath}; read what is missing with Read, offset=0, column=${head.length + 1}]`,
  );
  expect(await readFile(storedPath, "utf8")).toBe(output);
  expect((await stat(storedPath)).mode & 0o777).toBe(0o600);
  expect(receipt.storedPath).toBe(storedPath);
});

test("a long output of many lines is cut between lines, and says where to read on", async () => {
  const lines = Array.from({ length: 9000 }, (_, index) => `line ${index + 1}`);
  const { session } = await openTestSession({ tools: [saying(lines.join("\n"))] });
  const { text, storedPath } = await session.call("say");
  const [, head = "", offset, tail = ""] =
    /^(.*)\n\n\n\.\.\. \[.*with Read, offset=(\d+)\] \.\.\.\n\n(.*)$/s.exec(text)!;
  expect(lines.slice(0, Number(offset)).join("\n")).toBe(head);
  expect(lines.slice(-tail.split("\n").length).join("\n")).toBe(tail);
  const rest = await session.call("Read", { file_path: storedPath, offset: Number(offset), limit: 1 });
  expect(rest.text.split("\n")[0]).toMatch(new RegExp(`\tline ${Number(offset) + 1}$`));
});

test("a caller who cannot read files is not told to", async () => {
  const { runtime } = await openTestSession({ tools: [saying("x".repeat(40_000))] });
  let prompt = "";
  const model = scriptedModel((request, step) => {
    prompt = JSON.stringify(request.prompt);
    return step === 1 ? { calls: [{ name: "say" }] } : { text: "done" };
  });
  await runtime.agent({ model, tools: ["say"] }).run("Say it.");
  expect(prompt).toContain("the full result is in");
  expect(prompt).not.toContain("read what is missing");
});

test("a mask that is longer than its secret does not cut an answer that fits", async () => {
  const output = "secret\n".repeat(1000).slice(0, 5000);
  const { session } = await openTestSession({
    secrets: ["secret"],
    tools: [saying(output, { maxOutputCharacters: 5000 })],
  });
  expect(await session.call("say")).not.toHaveProperty("truncated");
});

test("the whole answer is read back through the file tool", async () => {
  const lines = Array.from({ length: 9000 }, (_, index) => `line ${index + 1}`).join("\n");
  const { session } = await openTestSession({ tools: [saying(lines)] });
  const { storedPath } = await session.call("say");
  const slice = await session.call("file_read", { path: storedPath!, offset: 5000, limit: 1 });
  expect(slice.text).toContain("line 5000");
});

test("no character is ever cut in half", async () => {
  const { session } = await openTestSession({ tools: [saying("😀".repeat(40_001))] });
  const { text } = await session.call("say");
  expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
});

test("a tool declares its own limit", async () => {
  const { session } = await openTestSession({
    tools: [saying("x".repeat(5000), { maxOutputCharacters: 1000 })],
  });
  expect((await session.call("say")).text.length).toBeLessThanOrEqual(1000);
  const wide = await openTestSession({
    tools: [saying("x".repeat(60_000), { maxOutputCharacters: 100_000 })],
  });
  expect((await wide.session.call("say")).truncated).toBeUndefined();
});

test("secrets are masked in the text, in the parts and in what is kept", async () => {
  const token = `ghp_${"a1".repeat(18)}`;
  const { session } = await openTestSession({
    secrets: ["correct-horse"],
    tools: [saying(`${token} correct-horse`)],
  });
  const result = await session.call("say");
  expect(result.text).toBe("[redacted] [redacted]");
  expect(result.content).toEqual([{ type: "text", text: "[redacted] [redacted]" }]);
});

test("secrets are masked in data of any depth, and what goes under a telling name in the text made of it", async () => {
  const token = `ghp_${"a1".repeat(18)}`;
  const output = { user: { name: "ada", password: "hunter2" }, log: [`used ${token}`] };
  const masked = { user: { name: "ada", password: "[redacted]" }, log: ["used [redacted]"] };
  const { session } = await openTestSession({ tools: [saying(output)] });
  const { data, text, content } = await session.call("say");
  expect(data).toEqual(masked);
  expect(text).toBe(JSON.stringify(masked));
  expect(content).toEqual([{ type: "text", text }]);
});

test("a structured part is masked like data, and an image is left as it is", async () => {
  const image = { type: "image", data: `/AIza${"a".repeat(35)}`, mimeType: "image/png" };
  const structured = (password: string) => ({ type: "structured", data: { password } });
  const { session } = await openTestSession({
    tools: [saying({ content: [structured("hunter2"), image], data: { ok: true } })],
  });
  const { content, text, data } = await session.call("say");
  expect(content).toEqual([structured("[redacted]"), image]);
  expect(text).toContain('{"password":"[redacted]"}');
  expect(data).toEqual({ ok: true });
});

test("data without a secret is the very value that the tool returned", async () => {
  const output = { rows: [{ a: "b" }] };
  const { session } = await openTestSession({ tools: [saying(output)] });
  expect((await session.call("say")).data).toBe(output);
});

test("lines keep their numbers where a secret of several lines is masked", async () => {
  const { session, workspace } = await openTestSession();
  const key = "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----";
  await writeFile(join(workspace, "notes.txt"), `before\n${key}\nafter`);
  const { text, data } = await session.call("file_read", { path: "notes.txt" });
  expect(text).toBe("     1\tbefore\n     2\t[redacted]\n     5\tafter");
  expect(data).toMatchObject({ content: "before\n[redacted]\nafter" });
});

test("a hint, what a failed call leaves behind and what a hook says are masked too", async () => {
  const fail = () => {
    throw new ToolError("tool-failed", "no", {
      hint: "Use correct-horse.",
      partial: { password: "hunter2", note: "correct-horse" },
    });
  };
  const failing = await openTestSession({ secrets: ["correct-horse"], tools: [saying("", { run: fail })] });
  const failed = await failing.session.call("say");
  expect(failed.error?.hint).toBe("Use [redacted].");
  expect(failed.text).toBe("no\nUse [redacted].");
  expect(failed.data).toEqual({ password: "[redacted]", note: "[redacted]" });
  const hooked = await openTestSession({
    tools: [saying("")],
    hooks: {
      afterCall: [
        () => ({ decision: "replace", result: { password: "hunter2" } }),
        (_call, { data }) => ({ decision: "update", data: { before: data, token: "hunter2" } }),
      ],
    },
  });
  expect(await hooked.session.call("say")).toMatchObject({
    text: '{"password":"[redacted]"}',
    data: { before: { password: "[redacted]" }, token: "[redacted]" },
  });
});

test("strings, values, parts and nothing all become one form", async () => {
  const shape = async (output: unknown) => {
    const { session } = await openTestSession({ tools: [saying(output)] });
    const { text, content, data } = await session.call("say");
    return { text, content, data };
  };
  expect(await shape("hi")).toEqual({ text: "hi", content: [{ type: "text", text: "hi" }], data: undefined });
  expect(await shape({ a: 1 })).toEqual({
    text: '{"a":1}',
    content: [{ type: "text", text: '{"a":1}' }],
    data: { a: 1 },
  });
  expect(await shape(undefined)).toEqual({ text: "", content: [], data: undefined });
  const parts = [
    { type: "text", text: "see" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
  ];
  expect(await shape({ content: parts })).toEqual({
    text: "see\n[image image/png, 3 bytes]",
    content: parts,
    data: undefined,
  });
});

test("an image survives when the text beside it is cut", async () => {
  const image = { type: "image", data: "AAAA", mimeType: "image/png" };
  const { session } = await openTestSession({
    tools: [saying({ content: [{ type: "text", text: "x".repeat(40_000) }, image] })],
  });
  const { content } = await session.call("say");
  expect(content.map((part) => part.type)).toEqual(["text", "image"]);
});

test("a resource's text and a link's address are masked wherever they are told", async () => {
  const token = `ghp_${"a1".repeat(18)}`;
  const audio = { type: "audio", data: "AAAA", mimeType: "audio/wav" };
  const { session } = await openTestSession({
    tools: [
      saying({
        content: [
          { type: "resource", uri: "file:///notes", text: `use ${token}` },
          { type: "resource", uri: `https://ada:${token}@example.com/a`, blob: "AAAA" },
          { type: "link", uri: `https://example.com/${token}`, name: token, description: `with ${token}` },
          audio,
        ],
      }),
    ],
  });
  const { content, text } = await session.call("say");
  expect(JSON.stringify(content) + text).not.toContain(token);
  expect(content).toEqual([
    { type: "text", text },
    { type: "resource", uri: "https://ada:[redacted]@example.com/a", blob: "AAAA" },
    {
      type: "link",
      uri: "https://example.com/[redacted]",
      name: "[redacted]",
      description: "with [redacted]",
    },
    audio,
  ]);
  expect(text).toContain("[file:///notes]\nuse [redacted]");
});

test("a resource's text counts as text: it is cut, and the whole kept", async () => {
  const link = { type: "link", uri: "file:///b", name: "b" };
  const { session } = await openTestSession({
    tools: [saying({ content: [{ type: "resource", uri: "file:///a", text: "x".repeat(40_000) }, link] })],
  });
  const { content, text, storedPath = "" } = await session.call("say");
  expect(text.length).toBeLessThanOrEqual(30_000);
  expect(content).toEqual([{ type: "text", text }, link]);
  expect(await readFile(storedPath, "utf8")).toContain("x".repeat(40_000));
});

test("a hook that changes the text takes what a resource said with it, and leaves the recording", async () => {
  const audio = { type: "audio", data: "AAAA", mimeType: "audio/wav" };
  const { session } = await openTestSession({
    tools: [saying({ content: [{ type: "resource", uri: "file:///a", text: "secret plan" }, audio] })],
    hooks: { afterCall: [() => ({ decision: "update", text: "nothing to see" })] },
  });
  expect((await session.call("say")).content).toEqual([{ type: "text", text: "nothing to see" }, audio]);
});

test("content other than text that a failed call had produced stays, its secrets masked", async () => {
  const link = { type: "link", uri: "https://example.com/hunter2", name: "a", title: "hunter2" } as const;
  const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
  const broken = defineTool({
    name: "broken",
    description: "Fails with something in its hands",
    params: {},
    traits: { readOnly: true },
    run() {
      throw new ToolError("tool-failed", "no", { partial: { content: [image, link] } });
    },
  });
  const { session } = await openTestSession({ tools: [broken], secrets: ["hunter2"] });
  const { content, text } = await session.call("broken");
  expect(content).toEqual([
    { type: "text", text },
    image,
    { ...link, uri: "https://example.com/[redacted]", title: "[redacted]" },
  ]);
});
