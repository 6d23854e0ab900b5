import { expect, onTestFinished, test, vi } from "vitest";
import { defineTool, type HookCall, type Question } from "../../../src/index.ts";
import { createProviderServer, providerFormats } from "../../capabilities/web/tools/web/provider-servers.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { pass } from "../../support/pass.ts";
import { echo } from "../../support/sample-tools.ts";
import { serveWeb } from "../../support/web/test-web.ts";

const open = (options: Parameters<typeof openTestSession>[0] = {}) =>
  openTestSession({ dialect: "pulse", permissions: { mode: "auto" }, ...options });

test("P9: tavily searches the web by the configured service", async () => {
  const server = createProviderServer(providerFormats.find(({ provider }) => provider === "tavily")!, [
    { title: "A page", url: "https://example.com/a", passage: "What it says." },
  ]);
  vi.stubEnv("TEST_SEARCH_KEY", server.key);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { port } = await serveWeb(server.site);
  const search = { provider: "tavily", url: `http://127.0.0.1:${port}`, keyEnv: "TEST_SEARCH_KEY" };
  const { session } = await open({
    permissions: { mode: "auto", allow: ["@network"] },
    web: { proxy: false, lookup: () => ["93.184.216.34"], search },
  });
  expect((await session.call("tavily", { query: "the question", maxResults: 3 })).data).toMatchObject({
    results: [{ title: "A page", url: "https://example.com/a", snippet: "What it says." }],
  });
  expect(server.asked).toMatchObject([{ query: "the question", count: 3 }]);
});

test("P10: clarify asks the user and waits for the answer", async () => {
  const asked: string[] = [];
  const onQuestion = async ({ text }: Question) => {
    asked.push(text);
    return "blue";
  };
  const { session } = await open({ onQuestion });
  const input = { question: "Which colour?", context: "For the button." };
  expect(await session.call("clarify", input)).toMatchObject({
    status: "done",
    data: { answer: "blue", timedOut: false },
  });
  expect(asked).toEqual(["Which colour?\n\nFor the button."]);
});

test("P11: hooks before a call change its input in turn, hooks after it its output, and the result's event comes last", async () => {
  const order: string[] = [];
  const before = (mark: string) => (call: HookCall) => {
    order.push(`before ${mark} ${call.tool}`);
    const { text } = call.input as { text: string };
    return { decision: "change", input: { text: text + mark } } as const;
  };
  const after =
    (mark: string) =>
    (call: HookCall, { text }: { text: string }) => {
      order.push(`after ${mark} ${(call.input as { text: string }).text}`);
      return { decision: "update", text: text + mark } as const;
    };
  const { session } = await open({
    tools: [echo],
    hooks: { beforeCall: [before("1"), before("2")], afterCall: [after("3"), after("4")] },
  });
  expect((await session.call("echo", { text: "x" })).text).toBe("x1234");
  expect(order).toEqual(["before 1 echo", "before 2 echo", "after 3 x12", "after 4 x12"]);
  await session.close();
  const ends = [];
  for await (const event of session.events()) if (event.type === "call-end") ends.push(event.text);
  expect(ends).toEqual(["x1234"]);
});

test("P16: output of more than 30,000 characters loses its middle, says how many characters, and the limit can be set", async () => {
  const lines = `${"head\n".repeat(8000)}${"tail\n".repeat(8000)}`;
  const long = defineTool({
    name: "long",
    description: "Answers at length.",
    params: { characters: { type: "integer", default: lines.length } },
    traits: { readOnly: true },
    run: ({ characters }) => lines.slice(0, characters),
  });
  const { session } = await open({ tools: [long] });
  const { text, omitted, truncated } = await session.call("long", {});
  expect(truncated).toBe(true);
  expect(text.length).toBeLessThanOrEqual(30_000);
  const [, head, cut, tail] =
    /^((?:head\n)+)\n\n\.\.\. \[truncated (\d+) characters.*\] \.\.\.\n\n((?:tail\n)+)$/s.exec(text)!;
  expect(Number(cut)).toBe(lines.length - head!.length - tail!.length);
  expect(omitted).toBe(Number(cut));
  expect(Math.abs(head!.length - tail!.length)).toBeLessThanOrEqual(10);
  expect((await session.call("long", { characters: 30_000 })).text).toBe(lines.slice(0, 30_000));
  const small = await open({ tools: [long], output: { maxCharacters: 2000 } });
  expect((await small.session.call("long", {})).text.length).toBeLessThanOrEqual(2000);
  expect((await small.session.call("bash", { command: "seq 2000" })).text.length).toBeLessThanOrEqual(2000);
});

test("P17: a tool's context carries a way to ask the user and a signal that is aborted with the call", async () => {
  const controller = new AbortController();
  const seen: unknown[] = [];
  const tool = defineTool({
    name: "curious",
    description: "Asks.",
    params: {},
    traits: { readOnly: true },
    async run(_input, { ask, signal }) {
      seen.push(await ask("Who?"), signal.aborted);
      controller.abort();
      seen.push(signal.aborted);
    },
  });
  const { session } = await open({ tools: [tool], onQuestion: async () => "me" });
  expect((await session.call("curious", {}, { signal: controller.signal })).status).toBe("cancelled");
  expect(seen).toEqual(["me", false, true]);
});

test("P18: without anybody to ask, clarify fails; it knows a timeout, and a default answer for both cases", async () => {
  const { session } = await open();
  expect((await session.call("clarify", { question: "Who?" })).error?.code).toBe("nobody-to-ask");
  expect((await session.call("clarify", { question: "Who?", defaultAnswer: "me" })).data).toMatchObject({
    answer: "me",
  });
  const silent = await open({ onQuestion: () => new Promise<string>(() => {}) });
  const asking = { question: "Who?", timeout: 5 };
  expect((await silent.session.call("clarify", asking)).error).toMatchObject({
    code: "timed-out",
    message: "nobody answered within 5 ms",
  });
  expect((await silent.session.call("clarify", { ...asking, defaultAnswer: "me" })).data).toMatchObject({
    answer: "me",
    timedOut: true,
  });
});

test("P22: bash gives both outputs and the exit code, and after a timeout says so", async () => {
  const { session } = await open();
  const failed = await session.call("bash", { command: "echo out; echo err >&2; exit 3" });
  expect(failed.data).toEqual({ output: "out\n", error: "err\n", exitCode: 3, signal: null });
  const fine = await session.call("bash", { command: "echo err >&2" });
  expect(fine.data).toMatchObject({ error: "err\n", exitCode: 0 });
  const late = await session.call("bash", { command: "echo begun; sleep 60", timeout: 1500 });
  expect(late).toMatchObject({
    status: "timed-out",
    data: { stdout: "begun\n", stderr: "", endedBy: "timeout" },
    error: { code: "timed-out", message: expect.stringMatching(/^the command timed out after [\d.]+ s$/) },
  });
});

test("P23: a running command blocks nobody, paths end at the workspace, and no pattern reaches a shell", async () => {
  const { session } = await open();
  let isRunning = true;
  const running = session.call("bash", { command: "sleep 0.1" }).finally(() => {
    isRunning = false;
  });
  let turns = 0;
  for (; isRunning; turns++) await pass(1);
  expect((await running).status).toBe("done");
  expect(turns).toBeGreaterThan(5);
  expect((await session.call("read", { filePath: "/etc/hostname" })).status).toBe("denied");
  expect((await session.call("write", { filePath: "../x", content: "" })).status).toBe("denied");
  const { status, data } = await session.call("grep", { pattern: "$(touch x); `touch x`" });
  expect({ status, data }).toMatchObject({ status: "done", data: { files: [] } });
  expect((await session.call("ls", {})).data).toMatchObject({ files: [] });
});
