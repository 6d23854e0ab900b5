import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";

test("the tools of a client of one's own are offered and called, whatever its objects look like", async () => {
  const { session, runtime } = await openTestSession({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
  });
  class Classic {
    readonly name = "classic";
    readonly description = "An instance with a method";
    readonly input_schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
    readonly #greeting = "hello";
    exec({ text }: { text: string }) {
      return `${this.#greeting} ${text}`;
    }
  }
  await runtime.tools.registerMCPLoader("my_server", async () => [
    new Classic(),
    { name: "mcp__my_server__prefixed", inputSchema: { type: "object" }, execute: () => ({ ok: true }) },
    { name: "answers", handler: () => ({ content: [{ type: "text", text: "in MCP's form" }] }) },
    { name: "fails", call: () => ({ content: [{ type: "text", text: "no" }], isError: true }) },
    defineTool({ name: "defined", description: "One of ours", params: {}, run: () => "ours" }),
  ]);
  const call = async (name: string, input: object = {}) => session.call(`mcp__my_server__${name}`, input);
  expect((await call("classic", { text: "you" })).text).toBe("hello you");
  expect((await call("classic", {})).error?.code).toBe("invalid-input");
  expect((await call("prefixed")).data).toEqual({ ok: true });
  expect((await call("answers")).text).toBe("in MCP's form");
  expect((await call("fails")).error).toMatchObject({ code: "tool-failed", message: "no" });
  expect((await call("defined")).text).toBe("ours");
  expect(runtime.tools.groups().my_server).toHaveLength(5);
  expect(runtime.problems()).toEqual([]);
});

test("a session that is resumed finds the tools by the same names", async () => {
  const load = () => [{ name: "echo", inputSchema: { type: "object" }, exec: () => "again" }];
  vi.stubEnv("XDG_STATE_HOME", await temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const store = `sqlite:${join(await temporaryFolder(), "store.sqlite")}`;
  const options = {
    store,
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    workspace: await temporaryFolder(),
  } as const;
  const first = await openTestSession(options, { id: "kept" });
  await first.runtime.tools.registerMCPLoader("mine", load);
  const before = first.session.tools().map(({ name }) => name);
  await first.runtime.close();
  const second = await openTestSession(options, { id: "kept" });
  expect(second.session.resumed).toBe(true);
  await second.runtime.tools.registerMCPLoader("mine", load);
  expect(second.session.tools().map(({ name }) => name)).toEqual(before);
  expect((await second.session.call("mcp__mine__echo", {})).text).toBe("again");
});

test("a loader that fails, or gives something else, makes its registration fail", async () => {
  const { runtime } = await openTestSession();
  const { registerMCPLoader } = runtime.tools;
  const failing = async () => Promise.reject(new Error("no connection"));
  await expect(registerMCPLoader("a", failing)).rejects.toThrow("the loader of a failed: no connection");
  await expect(registerMCPLoader("b", () => "tools" as never)).rejects.toThrow("must return an array");
  await expect(registerMCPLoader("no good", () => [])).rejects.toThrow("server's name");
  await registerMCPLoader("c", () => [null, { name: "x" }, { name: "good", exec: () => "" }]);
  await expect(registerMCPLoader("c", () => [])).rejects.toThrow("has already been added");
  expect(runtime.problems().map(({ message }) => message)).toEqual([
    "a tool must be an object",
    expect.stringContaining("x has no function"),
  ]);
});
