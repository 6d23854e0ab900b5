import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ReadableStream } from "node:stream/web";
import { expect, onTestFinished, test } from "vitest";
import { createUpdateMapper } from "../../../../src/faces/acp/follow-session.ts";
import { createToolCallView } from "../../../../src/faces/acp/tool-call-view.ts";
import {
  type ConversationItem,
  conversationItems,
} from "../../../../src/faces/cli/talk/export/conversation-items.ts";
import { conversationFormats } from "../../../../src/faces/cli/talk/export/format-conversation.ts";
import { formatMetrics } from "../../../../src/faces/mcp-server/http/format-metrics.ts";
import { defineTool, type LoggedEvent, ToolError } from "../../../../src/index.ts";
import { familyModel } from "../../../capabilities/agents/sub-agents/family-model.ts";
import { openTestSession, temporaryFolder } from "../../../support/open-test-session.ts";
import { setUpTracing } from "../../../support/set-up-tracing.ts";
import { until } from "../../../support/until.ts";

const value = `s3cr3t "Välue"/w+odd=chars&'x' <y>`;

/** The value as programs and libraries write it. */
const forms: Readonly<Record<string, string>> = {
  plain: value,
  json: JSON.stringify(value).slice(1, -1),
  "json in ASCII": JSON.stringify(value).slice(1, -1).replace("ä", "\\u00e4"),
  "json of PHP": JSON.stringify(value).slice(1, -1).replaceAll("/", "\\/"),
  "json in json": JSON.stringify(JSON.stringify(value)).slice(3, -3),
  address: encodeURIComponent(value),
  "address in small letters": encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase()),
  "form of the web": new URLSearchParams({ k: value }).toString().slice(2),
  html: value
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;"),
  "html with quotes": value
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;"),
  shell: value.replaceAll("'", "'\\''"),
  base64: Buffer.from(value).toString("base64"),
  "base64 of addresses": Buffer.from(value).toString("base64url"),
  hexadecimal: Buffer.from(value).toString("hex"),
};
const credentials = Buffer.from(`user:${value}`).toString("base64");
const everyForm = [...Object.values(forms), credentials].join("\n");
/** Its first and last characters are of what stands beside it, too. */
const soughtForms = { ...forms, credentials: credentials.slice(8, -4) };

/** Says what it was given in every way that a tool has, and fails if it is told to. */
const leak = defineTool({
  name: "leak",
  description: "Leaks.",
  params: { to: { type: "string" }, fails: { type: "boolean", default: false } },
  permission: () => ({ action: "write", target: "kept.txt" }),
  async run({ to, fails }, { progress, logger, emit, files }) {
    const said = to === value ? everyForm : to;
    progress({ said });
    logger.error(said, { said });
    emit("said", { [said]: said });
    await files.writeText("kept.txt", "nothing of it\n");
    if (fails)
      throw new ToolError("unavailable", said, { hint: said, partial: said, cause: new Error(said) });
    return { said, list: [said], [said]: said };
  },
});

async function bytesIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
}

test("a secret is in no channel, in whatever form a tool gives it back", async () => {
  const [state, outside] = [await temporaryFolder(), await temporaryFolder()];
  const before = process.env.TOOLWRIGHT_STATE_DIR;
  process.env.TOOLWRIGHT_STATE_DIR = state;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TOOLWRIGHT_STATE_DIR;
    else process.env.TOOLWRIGHT_STATE_DIR = before;
  });
  await writeFile(join(outside, "key"), value);
  const hook = join(outside, "hook");
  await writeFile(hook, `#!/bin/sh\ncat >> "${outside}/hooked"\n`);
  await chmod(hook, 0o755);
  const spans = setUpTracing();
  const heard: unknown[] = [];
  const note = (...each: unknown[]) => void heard.push(each);
  const command = [{ command: [hook] }];
  const { runtime, session, workspace } = await openTestSession({
    store: `sqlite:${join(state, "store.sqlite")}`,
    tools: [leak],
    dialect: "canonical",
    permissions: { mode: "ask" },
    secretSources: { KEY: { file: join(outside, "key"), tools: ["leak"] } },
    logger: { debug: note, info: note, warn: note, error: note },
    onApproval: (request) => {
      heard.push(request);
      return { decision: "allow", note: "fine" };
    },
    hooks: { PreToolUse: command, PostToolUse: command, Notification: command, SubagentStop: command },
  });
  const { model, requests } = familyModel({
    PARENT: [
      { calls: [{ name: "leak", input: { to: "{{secret:KEY}}" } }] },
      { calls: [{ name: "agent_run", input: { prompt: "CHILD, go" } }] },
      { text: "All done." },
    ],
    CHILD: [
      { calls: [{ name: "leak", input: { to: "{{secret:KEY}}", fails: true } }] },
      { text: "I was told [redacted]." },
    ],
  });
  const options = { onProgress: note, onLog: note };
  const results = [
    await session.call("leak", { to: "{{secret:KEY}}" }, options),
    await session.call("leak", { to: "{{secret:KEY}}", fails: true }, options),
  ];
  expect(results.map(({ status }) => status)).toEqual(["done", "failed"]);
  const ran = await runtime.agent({ model, session }).run("PARENT, go");
  const hooked = () => readFile(join(outside, "hooked"), "utf8").catch(() => "");
  await until(async () => (await hooked()).includes("SubagentStop"));
  const metrics = formatMetrics(runtime.metrics());
  const diffs = await Promise.all(results.map(({ receipt }) => runtime.readDiff(receipt)));
  const receipts = await runtime.receipts();
  const agents = session.agents.list();
  await session.close();
  const events: LoggedEvent[] = [];
  for await (const event of (await runtime.openSession({ id: session.id })).events({ since: 0 })) {
    if (event.type === "session-close") break;
    events.push(event);
  }
  const items: ConversationItem[] = [];
  for await (const item of conversationItems(ReadableStream.from(events))) items.push(item);
  const updates = createUpdateMapper(
    createToolCallView(workspace, () => undefined),
    { contextTokens: 1000 },
  );
  await runtime.close();

  const channels: Readonly<Record<string, string>> = {
    results: JSON.stringify(results.map(({ error, ...rest }) => [rest, error?.message, error?.hint])),
    run: JSON.stringify(ran),
    "what models read": JSON.stringify(requests),
    listeners: JSON.stringify(heard),
    hooks: await hooked(),
    receipts: JSON.stringify(receipts),
    events: JSON.stringify(events),
    agents: JSON.stringify(agents),
    spans: JSON.stringify(
      spans().map(({ name, attributes, events: noted, status }) => [name, attributes, noted, status]),
    ),
    metrics,
    diffs: JSON.stringify(diffs),
    markdown: items.map(conversationFormats.md.item).join(""),
    html: items.map(conversationFormats.html.item).join(""),
    editor: JSON.stringify(events.flatMap((event) => updates.map(event))),
    state: await bytesIn(state),
    workspace: await bytesIn(workspace),
  };
  // Each has something to say.
  for (const [channel, text] of Object.entries(channels))
    expect([channel, text.length > 10]).toEqual([channel, true]);
  expect(channels.hooks).toContain("[redacted]");
  expect(channels.spans).toContain("leak");
  const found = Object.entries(channels).flatMap(([channel, text]) =>
    Object.entries(soughtForms).flatMap(([form, written]) =>
      text.includes(written) || text.includes(JSON.stringify(written).slice(1, -1))
        ? [`${form} in ${channel}`]
        : [],
    ),
  );
  expect(found).toEqual([]);
});
