import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Question, RuntimeOptions } from "../../../src/index.ts";
import { openWithServers } from "../../capabilities/mcp-client/open-with-servers.ts";
import { casesOf } from "../../support/fuzz.ts";
import { filesystemFile, startEverything, ways } from "./third-party-servers.ts";

// Each test starts other people's programs.
vi.setConfig({ testTimeout: 60_000 });

const waiting = { timeout: 45_000, interval: 50 };

type Way = (typeof ways)[number];

/** One of the ways by default, another for each test: what differs between them is shown by what is answered. */
const oneOf = (way: Way) => casesOf({ sample: [way], full: ways });

async function openEverything(way: Way, more: RuntimeOptions = {}) {
  const everything = await startEverything(way);
  const opened = await openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { everything: everything.options },
    ...more,
  });
  const call = (tool: string, input: object = {}, options: object = {}) =>
    opened.session.call(`mcp__everything__${tool}`, input, options);
  return { ...opened, everything, call };
}

test.each(ways)("server-everything's answers arrive whole over %s", async (way) => {
  const { call, runtime, session } = await openEverything(way);
  expect(runtime.mcp.servers()).toMatchObject([{ name: "everything", status: "running" }]);
  expect(runtime.problems()).toMatchObject([
    { subject: "simulate-research-query", message: expect.stringContaining("task") },
  ]);
  expect(await call("echo", { message: "grüß dich 🌍" })).toMatchObject({
    status: "done",
    text: "Echo: grüß dich 🌍",
  });
  expect((await call("get-sum", { a: 1.5, b: -4 })).text).toBe("The sum of 1.5 and -4 is -2.5.");
  expect((await call("get-sum", { a: "1", c: 2 })).error).toMatchObject({ code: "invalid-input" });

  const weather = await call("get-structured-content", { location: "Chicago" });
  expect(weather.data).toEqual({ temperature: 36, conditions: "Light rain / drizzle", humidity: 82 });
  const [listed] = session.tools().filter(({ name }) => name === "mcp__everything__get-structured-content");
  expect(listed?.outputSchema).toMatchObject({ required: ["temperature", "conditions", "humidity"] });

  const picture = await call("get-tiny-image");
  expect(picture.content.map(({ type }) => type)).toEqual(["text", "image", "text"]);
  expect(picture.content[1]).toMatchObject({ mimeType: "image/png", data: expect.stringMatching(/^iVBOR/) });
  const annotated = await call("get-annotated-message", { messageType: "error", includeImage: true });
  expect(annotated.content).toMatchObject([
    { type: "text", text: "Error: Operation failed" },
    { type: "image", mimeType: "image/png" },
  ]);

  expect((await call("get-resource-links", { count: 2 })).text).toContain("demo://resource/dynamic/text/2");
  const resource = await call("get-resource-reference", { resourceType: "Text", resourceId: 1 });
  expect(resource.text).toContain("Resource 1: This is a plaintext resource");
  const packed = { name: "a.gz", data: "data:text/plain,hello", outputType: "resource" };
  expect(await call("gzip-file-as-resource", packed)).toMatchObject({
    status: "done",
    text: expect.stringContaining("demo://resource/session/a.gz"),
  });
});

test.each(oneOf("legacy SSE"))("server-everything's progress arrives in full over %s", async (way) => {
  const { call } = await openEverything(way);
  const updates: unknown[] = [];
  const onProgress = (update: unknown) => updates.push(update);
  const result = await call("trigger-long-running-operation", { duration: 0.3, steps: 3 }, { onProgress });
  expect(result.text).toContain("Long running operation completed");
  expect(updates).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })));
});

test.each(oneOf("streamable HTTP"))(
  "server-everything's questions are put to the person over %s",
  async (way) => {
    const asked: Question[] = [];
    const onQuestion = async (question: Question) => {
      asked.push(question);
      return { name: "Ada Lovelace", integer: 7 };
    };
    const { call } = await openEverything(way, { onQuestion });
    const { text } = await call("trigger-elicitation-request");
    expect(Object.keys(asked[0]?.fields ?? {})).toEqual(expect.arrayContaining(["name", "email", "integer"]));
    expect(text).toContain("Name: Ada Lovelace");
    expect(text).toContain('"integer": 7');
    // What was left out is filled in as the server proposed it.
    expect(text).toContain("It was a dark and stormy night.");
  },
);

test.each(oneOf("legacy SSE"))(
  "a long call of server-everything can be given up over %s, and the next is answered",
  async (way) => {
    const { call, runtime } = await openEverything(way);
    const giveUp = new AbortController();
    const options = { signal: giveUp.signal, onProgress: () => giveUp.abort() };
    const long = { duration: 60, steps: 600 };
    expect((await call("trigger-long-running-operation", long, options)).status).toBe("cancelled");
    expect((await call("trigger-long-running-operation", long, { timeoutMs: 300 })).status).toBe("timed-out");
    expect((await call("echo", { message: "still here" })).text).toBe("Echo: still here");
    expect(runtime.mcp.servers()).toMatchObject([{ status: "running" }]);
  },
);

test.each(oneOf("streamable HTTP"))(
  "server-everything may be killed during a call over %s, and is found again",
  async (way) => {
    const { call, everything, runtime } = await openEverything(way);
    const killing: Promise<void>[] = [];
    const onProgress = () => {
      if (killing.length === 0) killing.push(everything.kill());
    };
    const lost = await call("trigger-long-running-operation", { duration: 60, steps: 600 }, { onProgress });
    await Promise.all(killing);
    expect(lost).toMatchObject({ status: "failed", error: { code: "unavailable" } });
    expect(lost.error?.hint).toContain("The call may have taken effect");
    await vi.waitFor(() => expect(runtime.mcp.servers()).toMatchObject([{ status: "unavailable" }]), waiting);
    await everything.startAgain();
    await vi.waitFor(async () => {
      expect((await call("echo", { message: "back" })).text).toBe("Echo: back");
    }, waiting);
  },
);

test("a hundred calls of server-everything at once are all answered, each with its own result", async () => {
  const { call } = await openEverything("stdio");
  const calls = Array.from({ length: 100 }, (_, index) => call("echo", { message: String(index) }));
  const texts = (await Promise.all(calls)).map(({ text }) => text);
  expect(texts).toEqual(calls.map((_, index) => `Echo: ${index}`));
});

test("server-everything is told none of our variables", async () => {
  vi.stubEnv("EXAMPLE_API_KEY", "hush");
  const { call } = await openEverything("stdio");
  const { status, text } = await call("get-env");
  expect(status).toBe("done");
  expect(text).not.toContain("hush");
  vi.unstubAllEnvs();
});

test("rules bind the tools of server-everything under every name", async () => {
  const permissions = {
    mode: "ask",
    allow: ["mcp__everything__*"],
    deny: ["mcp__everything__get-env"],
  } as const;
  const { call, session } = await openEverything("stdio", { permissions });
  const allowed = await call("echo", { message: "hi" });
  expect(allowed.receipt).toMatchObject({
    status: "done",
    effects: { runs: ["mcp:everything/echo"] },
    verdict: { decision: "allow" },
  });
  expect(await call("get-env")).toMatchObject({ status: "denied", error: { code: "permission-denied" } });
  expect(await session.call("mcp_everything_get-env", {})).toMatchObject({ status: "denied" });
});

test("server-filesystem reads and writes in its folder, and says what it refuses", async () => {
  const { session, workspace } = await openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { files: { command: process.execPath, args: [filesystemFile, "."] } },
  });
  const call = (tool: string, input: object) => session.call(`mcp__files__${tool}`, input);
  const path = join(workspace, "a.txt");
  expect((await call("write_file", { path, content: "one\ntwo\n" })).status).toBe("done");
  const edits = [{ oldText: "one", newText: "1" }];
  expect((await call("edit_file", { path, edits, dryRun: true })).text).toContain("+1");
  expect(await readFile(path, "utf8")).toBe("one\ntwo\n");
  expect((await call("edit_file", { path, edits })).status).toBe("done");
  expect(await call("read_text_file", { path })).toMatchObject({
    text: "1\ntwo\n",
    data: { content: "1\ntwo\n" },
  });
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
  await writeFile(join(workspace, "a.png"), Buffer.from(png, "base64"));
  const shown = await call("read_media_file", { path: join(workspace, "a.png") });
  expect(shown.content).toMatchObject([{ type: "image", mimeType: "image/png", data: png }]);
  expect((await call("search_files", { path: workspace, pattern: "*.txt" })).text).toBe(path);
  expect((await call("read_text_file", { path: "/etc/passwd" })).error).toMatchObject({
    code: "tool-failed",
    message: expect.stringContaining("Access denied"),
  });
});
