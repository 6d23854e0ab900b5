// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the commands are bash

import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { defineTool, type PermissionRequest, ToolError } from "../../../../src/index.ts";
import { createByteMask } from "../../../../src/shared/secrets/mask-bytes.ts";
import type { Web } from "../../../../src/tool/services/web.ts";
import { openTestSession, temporaryFolder } from "../../../support/open-test-session.ts";
import { until } from "../../../support/until.ts";
import { serveWeb } from "../../../support/web/test-web.ts";

const value = "s3cr3t-Value/with+odd=chars";
const forms = [
  value,
  Buffer.from(value).toString("base64"),
  Buffer.from(`u:${value}`).toString("base64").slice(4, -4),
  Buffer.from(value).toString("hex"),
];

/** Every byte of every file of a folder. */
async function bytesIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, "latin1")))).join("\n");
}

test("a secret is in no channel but the process that uses it", async () => {
  const state = await temporaryFolder();
  process.env.TOOLWRIGHT_STATE_DIR = state;
  const outside = await temporaryFolder();
  await writeFile(join(outside, "key"), `${value}\n`);
  const asked: unknown[] = [];
  const { runtime, session, workspace } = await openTestSession({
    store: `sqlite:${join(state, "store.sqlite")}`,
    dialect: "canonical",
    permissions: { mode: "ask" },
    secretSources: { KEY: { file: join(outside, "key"), tools: ["Bash", "shell_run"] } },
    onApproval: async (request) => {
      asked.push(request);
      return { decision: "allow" };
    },
  });
  const progress: unknown[] = [];
  const run = (command: string, more: object = {}) =>
    session.call("shell_run", { command, ...more }, { onProgress: (update) => progress.push(update) });
  const results = [
    await run("printf '%s\\n' '{{secret:KEY}}'; printf %s {{secret:KEY}} | wc -c"),
    await run(
      "set -x; for c in 1 2 3; do echo \"Bearer {{secret:KEY}}\" | base64 -w0; printf %s {{secret:KEY}} | od -An -tx1 | tr -d ' \\n'; done",
    ),
    await run('x={{secret:KEY}}; printf %s "${x:0:9}"; sleep 0.05; printf \'%s\\n\' "${x:9}"'),
    await run("echo {{secret:KEY}} >&2; exit 3"),
    await run("yes {{secret:KEY}} | head -c 400000"),
    await run("echo {{secret:KEY}}; false", { run_in_background: true }),
    await run("echo {{secret:KEY}}; false", { run_in_background: true, keep: true }),
    await run("echo {{secret:KEY}}", { pty: true }),
    await run("export LEAK={{secret:KEY}}; cd .; true"),
    await run('env; cat /proc/self/environ; echo "[$TOOLWRIGHT_SECRET_KEY]"'),
    await run("cat <<'EOF'\n{{secret:KEY}}\nEOF"),
  ];
  expect(results[0]!.text).toContain("[redacted]");
  expect(results[0]!.text).toContain(`${value.length}`);
  expect(results[9]!.text).toContain("[]");
  expect(results[10]!).toMatchObject({ status: "failed", error: { code: "invalid-input" } });
  await until(async () => (await session.jobs.list()).every(({ state: now }) => now !== "running"));
  const jobs = await session.jobs.list();
  const told = await Promise.all(jobs.map(({ id }) => session.jobs.output(id)));
  expect(JSON.stringify(told).match(/redacted/g)?.length).toBe(2);
  const receipts = await runtime.receipts();
  expect(JSON.stringify(receipts)).toContain("{{secret:KEY}}");
  await session.close();
  const events = [];
  for await (const event of (await runtime.openSession({ id: session.id })).events({ since: 0 })) {
    events.push(event);
    if (event.type === "session-close") break;
  }
  await runtime.close();
  const channels = {
    results: JSON.stringify(results),
    progress: JSON.stringify(progress),
    approvals: JSON.stringify(asked),
    receipts: JSON.stringify(receipts),
    events: JSON.stringify(events),
    jobs: JSON.stringify([jobs, told]),
    state: await bytesIn(state),
    workspace: await bytesIn(workspace),
  };
  expect(channels.events.length).toBeGreaterThan(1000);
  expect(channels.state.length).toBeGreaterThan(10_000);
  for (const [channel, text] of Object.entries(channels))
    for (const form of forms) expect([channel, text.includes(form)]).toEqual([channel, false]);
  expect(channels.approvals).toContain("{{secret:KEY}}");
});

test("a secret that is not known, not for the tool, or cannot be read stops the call before anything runs", async () => {
  const given: unknown[] = [];
  const send = defineTool({
    name: "send",
    description: "Sends.",
    params: { to: { type: "string" } },
    run: (input) => {
      given.push(input);
      return `sent to ${input.to}`;
    },
  });
  const { session } = await openTestSession({
    tools: [send],
    dialect: "canonical",
    permissions: { mode: "auto" },
    secretSources: {
      SENT: { command: ["printf", value], tools: ["send"] },
      GONE: { env: "NO_SUCH_VARIABLE_HERE", tools: ["*"] },
      FAILS: { command: ["sh", "-c", `echo ${value}; exit 1`], tools: ["*"] },
      SHORT: { command: ["printf", "abc"], tools: ["*"] },
    },
  });
  const tell = async (name: string, input: object) => (await session.call(name, input)).text;
  expect(await tell("send", { to: "{{secret:SENT}}!" })).toBe("sent to [redacted]!");
  expect(given).toEqual([{ to: `${value}!` }]);
  expect(await tell("send", { to: "{{secret:NOPE}}" })).toContain('there is no secret named "NOPE"');
  expect(await tell("send", { to: "{{secret:GONE}}" })).toContain("NO_SUCH_VARIABLE_HERE is not set");
  expect(await tell("send", { to: "{{secret:FAILS}}" })).toMatch(/failed with exit code 1(?!.*s3cr3t)/s);
  expect(await tell("send", { to: "{{secret:SHORT}}" })).toContain("fewer than 8 characters");
  expect(await tell("shell_run", { command: "echo {{secret:SENT}}" })).toContain(
    "may not use the secret SENT",
  );
  expect(given).toHaveLength(1);
  // Text for a file is text.
  expect((await session.call("file_write", { path: "a.md", content: "{{secret:NOPE}}" })).status).toBe(
    "done",
  );
  await expect(
    openTestSession({ secretSources: { A: { env: "A", file: "b", tools: ["x"] } } }),
  ).rejects.toThrow("exactly one of env, file and command");
});

test("the web tools send it in headers and the body, to its hosts alone, and not along a redirect to another", async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request
      .on("data", (chunk) => (body += chunk))
      .on("end", () => {
        seen.push(`${request.headers.host} ${request.headers.authorization} ${body}`);
        if (request.url === "/away")
          response.writeHead(302, { location: `http://localhost:${port}/caught` }).end();
        else response.end(`you sent ${request.headers.authorization}`);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  process.env.TEST_SECRET_VALUE = value;
  const { session } = await openTestSession({
    dialect: "canonical",
    permissions: { mode: "auto", allow: ["network_request"] },
    web: { origins: [`http://127.0.0.1:${port}`, `http://localhost:${port}`] },
    onApproval: async () => ({ decision: "allow" }),
    secretSources: { KEY: { env: "TEST_SECRET_VALUE", tools: ["network_*"], hosts: ["http://127.0.0.1"] } },
  });
  delete process.env.TEST_SECRET_VALUE;
  const headers = { authorization: "Bearer {{secret:KEY}}" };
  const request = async (address: string, more: object = {}) =>
    (await session.call("network_request", { url: `http://${address}`, headers, ...more })).text;
  expect(await request(`127.0.0.1:${port}/`)).toContain("the variable TEST_SECRET_VALUE is not set");
  process.env.TEST_SECRET_VALUE = value;
  onTestFinished(() => void delete process.env.TEST_SECRET_VALUE);
  expect(await request(`127.0.0.1:${port}/`, { method: "POST", body: "k={{secret:KEY}}" })).toContain(
    "you sent Bearer [redacted]",
  );
  expect(await request(`127.0.0.1:${port}/away`)).toContain("which was not requested");
  expect(await request(`localhost:${port}/`)).toContain("may not be sent to localhost");
  expect(await request(`127.0.0.1:${port}/?k={{secret:KEY}}`)).toContain("cannot be a part of an address");
  expect(seen).toEqual([
    `127.0.0.1:${port} Bearer ${value} k=${value}`,
    `127.0.0.1:${port} Bearer ${value} `,
  ]);
});

test("a secret with hosts goes nowhere else: not by commands, by tools that do not say where, or without encryption", async () => {
  const given: unknown[] = [];
  const { port } = await serveWeb((request, response) => {
    given.push(request.headers.authorization);
    response.end();
  });
  const sends = (
    name: string,
    permission: PermissionRequest | undefined,
    act?: (value: string, web: Web) => unknown,
  ) =>
    defineTool({
      name,
      description: "Sends.",
      params: { what: { type: "string" } },
      ...(permission && { permission: () => permission }),
      run: async ({ what }, { web }) => {
        given.push(name);
        return act?.(what, web) ?? "sent";
      },
    });
  const here = { action: "network", target: "api.example.com", isEncrypted: true } as const;
  const { session } = await openTestSession({
    tools: [
      sends("silent", undefined),
      sends("runs", { action: "execute", target: "x" }),
      sends("declared", here),
      sends("plain", { ...here, isEncrypted: false }),
      sends("elsewhere", { ...here, target: "evil.example" }),
      sends("anywhere", { action: "network" }),
      sends("says_otherwise", here, (value, web) =>
        web.fetch(`http://127.0.0.1:${port}/`, { headers: { authorization: value } }),
      ),
    ],
    dialect: "canonical",
    permissions: { mode: "auto", allow: ["*"] },
    web: { origins: [`http://127.0.0.1:${port}`] },
    secretSources: { KEY: { command: ["printf", value], tools: ["*"], hosts: ["API.example.com"] } },
  });
  const tell = async (name: string, input: object = { what: "{{secret:KEY}}" }) => {
    const { status, text } = await session.call(name, input);
    return `${status}: ${text}`;
  };
  const anywhere = (name: string) =>
    `the secret KEY is for API.example.com, and ${name} may send it anywhere`;
  expect(await tell("shell_run", { command: "printf %s {{secret:KEY}} | wc -c" })).toContain(
    anywhere("shell_run"),
  );
  expect(await tell("silent")).toContain(anywhere("silent"));
  expect(await tell("runs")).toContain(anywhere("runs"));
  expect(await tell("anywhere")).toContain("may not be sent to *");
  expect(await tell("elsewhere")).toContain("may not be sent to evil.example");
  expect(await tell("plain")).toContain(
    "may not be sent to api.example.com, as far as known without encryption",
  );
  expect(
    await tell("network_request", { url: "http://api.example.com/", headers: { a: "{{secret:KEY}}" } }),
  ).toContain("by https");
  expect(given).toEqual([]);
  expect(await tell("declared")).toBe("done: sent");
  expect(await tell("says_otherwise")).toContain("may not be sent to 127.0.0.1");
  expect(given).toEqual(["declared", "says_otherwise"]);
  // Its name as text of a file, and calls without it, are no business of this.
  expect(await tell("silent", { what: "nothing" })).toBe("done: sent");
  await expect(
    openTestSession({ secretSources: { A: { env: "A", tools: ["x"], hosts: ["https://a.example/path"] } } }),
  ).rejects.toThrow("secretSources.A.hosts");
});

test("a file in the workspace cannot say what a secret is, whatever way leads to it", async () => {
  const [workspace, extra, outside] = [
    await temporaryFolder(),
    await temporaryFolder(),
    await temporaryFolder(),
  ];
  for (const folder of [workspace, extra, outside]) await writeFile(join(folder, "key"), `${value}\n`);
  await symlink(join(workspace, "key"), join(outside, "into"));
  await symlink(join(outside, "key"), join(workspace, "out"));
  const files = {
    INSIDE: join(workspace, "key"),
    EXTRA: join(extra, "key"),
    INTO: join(outside, "into"),
    OUT: join(workspace, "out"),
    FINE: join(outside, "key"),
  };
  const { session } = await openTestSession({
    workspace: { root: workspace, extraRoots: [extra] },
    tools: [
      defineTool({
        name: "count",
        description: "Counts.",
        params: { what: { type: "string" } },
        run: ({ what }) => `${what.length} characters`,
      }),
    ],
    permissions: { mode: "auto" },
    secretSources: Object.fromEntries(
      Object.entries(files).map(([name, file]) => [name, { file, tools: ["count"] }]),
    ),
  });
  for (const name of Object.keys(files)) {
    const { text } = await session.call("count", { what: `{{secret:${name}}}` });
    expect(text).toContain(name === "FINE" ? `${value.length} characters` : "its file is in the workspace");
  }
});

test("output is masked wherever it is split", () => {
  const bytes = Buffer.from(`a ${value} b ${Buffer.from(value).toString("base64")} c`);
  for (let size = 1; size < 40; size += 1) {
    const mask = createByteMask([value]);
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) parts.push(mask.add(bytes.subarray(at, at + size)));
    expect(Buffer.concat([...parts, mask.finish()]).toString()).toMatch(
      /^a \[redacted\] b \[redacted\]\S{0,4} c$/,
    );
  }
});

test("a tool's words about a secret while it works, or as it fails, are masked for every listener", async () => {
  const heard: unknown[] = [];
  const echo = defineTool({
    name: "echo_back",
    description: "Says what it was given, in every way.",
    params: { to: { type: "string" } },
    run: ({ to }, { progress, logger, emit }) => {
      progress(`sending ${to}`);
      progress({ type: "step", [to]: [to, Buffer.from(to).toString("base64")] });
      logger.warn(`sending ${to}`, { to });
      emit("sending", { to });
      throw new ToolError("unavailable", `cannot send ${to}`, { hint: `not ${to}`, cause: new Error(to) });
    },
  });
  const { session } = await openTestSession({
    tools: [echo],
    dialect: "canonical",
    permissions: { mode: "auto" },
    secretSources: { KEY: { command: ["printf", value], tools: ["echo_back"] } },
    hooks: { afterCall: (call, outcome) => void heard.push(call, outcome) },
  });
  const note = (each: unknown) => void heard.push(each);
  const input = { to: "{{secret:KEY}}" };
  const result = await session
    .call("echo_back", input, { onProgress: note, onLog: note })
    .then(({ error, ...rest }) => ({ ...rest, error: { message: error?.message, hint: error?.hint } }));
  expect(result.error.message).toContain("cannot send [redacted]");
  expect(heard.length).toBeGreaterThan(4);
  const told = JSON.stringify([heard, result]);
  expect(told).toContain("sending [redacted]");
  for (const form of forms) expect(told).not.toContain(form);
});
