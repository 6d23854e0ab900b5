import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { defineTool, ToolError } from "../../../src/index.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";

// A token of the usual shape, and a value that only its name tells.
const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
const value = "wJalrXUtnFEMIK7MDENGbPxRfiCYzzzz";
const leak = `${token} AWS_SECRET_ACCESS_KEY=${value}`;

const talk = defineTool({
  name: "talk",
  description: "Says it in every way there is.",
  params: { about: { type: "string" } },
  traits: { changesFilesOnly: true },
  permission: () => ({ action: "write", target: "said.txt" }),
  async run(_input, { files, emit, progress, logger, ask }) {
    await files.writeText("said.txt", `${leak}\n`);
    emit(`said ${token}`, { leak, [token]: 1 });
    progress({ message: leak });
    logger.info(leak, { leak });
    const answer = await ask({ text: leak, choices: [leak, "no"], default: leak });
    throw new ToolError("unavailable", `${leak} ${answer}`, {
      hint: leak,
      partial: { text: leak, data: { leak, password: value } },
    });
  },
});

test("a text that looks like a secret is in no result, event, request or record, whichever part said it and how", async () => {
  const state = await temporaryFolder();
  const told: unknown[] = [];
  const { runtime, session } = await openTestSession({
    store: `sqlite:${join(state, "store.sqlite")}`,
    sandbox: "off",
    tools: [talk],
    permissions: { mode: "ask" },
    requireReadBeforeWrite: false,
    hooks: {
      beforeCall: ({ tool }) => (tool === "talk" ? { decision: "ask", reason: leak } : undefined),
      event: (notice) => void told.push(notice),
    },
  });
  const progress: unknown[] = [];
  const options = {
    onApproval: () => ({ decision: "allow", note: leak }) as const,
    onQuestion: () => leak,
    onProgress: (update: unknown) => progress.push(update),
  };
  const results = [
    await session.call("talk", { about: leak }, options),
    await session.call("shell_run", { command: `echo '${leak}' && touch x && echo '${token}' >&2` }, options),
    await session.call("shell_run", { command: `touch ${token}` }, options),
    await session.call("file_write", { path: "a.txt", content: leak }, options),
    await session.call("file_write", { path: "a.txt", content: `${leak} again` }, options),
    await session.call(token, { leak }, options),
    // Nobody is there: what is asked is left in the store.
    await session.call("file_write", { path: "b.txt", content: leak }),
    await session.call("talk", { about: leak }, { onApproval: options.onApproval }),
  ];
  expect(results.map(({ status }) => status).slice(0, 5)).toEqual(["failed", "done", "done", "done", "done"]);
  // A rule would have to be stored as it is.
  const forSession = { onApproval: () => ({ decision: "allow", lasts: "session" }) as const };
  results.push(await session.call("shell_run", { command: `touch ${token}` }, forSession));
  expect(results.at(-1)?.text).toContain("can be allowed only once");
  const waiting = await runtime.approvals.list();
  const receipts = await runtime.receipts();
  await session.close();
  const events: unknown[] = [];
  for await (const event of (await runtime.openSession({ id: session.id })).events({ since: 0 })) {
    events.push(event);
    if (event.type === "session-close") break;
  }
  await runtime.close();
  const channels = { results, progress, told, waiting, receipts, events };
  for (const [name, said] of Object.entries({ ...channels, store: await bytesOf(state) })) {
    const text = typeof said === "string" ? said : JSON.stringify(said);
    for (const secret of [token, value]) expect(isIn(text, secret), `${secret} in ${name}`).toBe(false);
    expect(text, name).toContain("[redacted]");
  }
});

test("a text that looks like a secret is not in the store if a person or a model says it, at once or later", async () => {
  const state = await temporaryFolder();
  const { runtime, session } = await openTestSession({ store: `sqlite:${join(state, "store.sqlite")}` });
  const model = scriptedModel([{ text: `I have read ${leak}` }, { text: `Again ${leak}` }]);
  const agent = runtime.agent({ model, session });
  await agent.run(`Use ${leak}`);
  await (await runtime.remoteSession(session.id)).send(`And ${leak}`);
  await agent.send(`Then ${leak}`);
  await agent.run(`Go on with ${leak}`);
  await runtime.close();
  const bytes = await bytesOf(state);
  for (const secret of [token, value]) expect(isIn(bytes, secret), secret).toBe(false);
  expect(bytes.match(/\[redacted\]/g)?.length).toBeGreaterThan(6);
});

function isIn(text: string, secret: string): boolean {
  return text.includes(secret);
}

async function bytesOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /^store\.sqlite(?:-wal)?$/.test(name));
  return (await Promise.all(names.map((name) => readFile(join(folder, name), "latin1")))).join("");
}
