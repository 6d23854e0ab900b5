import { noEffects } from "../../src/kernel/policy/verdict.ts";
import { createRedactor } from "../../src/shared/secrets/redact.ts";
import type { Adapter } from "./adapter.ts";
import { linesOf, namesOf, piecesOf } from "./given-values.ts";

const plain = (_style: string, text: string) => text;
const room = { bytes: 20_000, characters: 20_000, perLine: 8 };

/** How to call functions that show or pass on what others wrote: to people, editors, models and other programs. */
export const viewAdapters: Readonly<Record<string, Adapter>> = {
  diffContent: (call, text) => [call(text, "/w"), call(`--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n${text}`, "/w")],
  createToolCallView: (call, text) => {
    const view = call("/w", () => undefined) as Record<string, (...values: unknown[]) => unknown>;
    const receipt = { effects: { ...noEffects, writes: ["a"] } };
    return [
      view.title!(text, { path: text }, text),
      view.locations!({ path: text }),
      view.contentOf!({ text, receipt }),
      view.contentOf!({ text, receipt: { effects: noEffects } }),
    ];
  },
  readCall: (call, text) => call(growing("1", text), { isCutOff: false, isTaken: () => false }),
  createStepDraft: (call, text) => {
    const listener = { onText() {}, onTextEnd() {}, onInput() {} };
    const draft = call(listener, () => false) as Draft;
    for (const [at, piece] of piecesOf(text).entries()) {
      if (draft.failure !== undefined) break;
      draft.add({ type: "text-delta", id: "1", delta: piece });
      draft.add({ type: "tool-input-start", id: `${piece}${at}`, toolName: piece });
      draft.add({ type: "tool-input-delta", id: `${piece}${at}`, delta: piece });
    }
    return draft.finish();
  },
  outputOf: (call, text) => [
    call({ status: "done", text, content: [] }),
    call({ status: "done", text, content: piecesOf(text).map((piece) => ({ type: "text", text: piece })) }),
  ],
  readTemplate: (call, text) => [
    call(text, { name: "a", path: "a.md" }),
    call(`---\nname: a\ndescription: b\ntools: ${text.slice(0, 60_000)}\n---\n${text}`, {
      name: "a",
      path: "a",
    }),
  ],
  readDecision: (call, text) => [call(text, {}), call(`n ${text}`, {})],
  cutToColumns: (call, text) => call(text, 80),
  describeStart: (call, text) => call({ tool: text, input: { path: text } }, "/w"),
  summarize: (call, text) => [call({ path: `/w/${text}` }, "/w"), call(piecesOf(text), "/w")],
  formatDiff: (call, text) => [call(text, plain), call(`@@ -1 +1 @@\n${text}`, plain)],
  shortenLine: (call, text) => call(text, 200),
  formatColumns: (call, text) => [
    call([[text, text]], { columns: 80 }),
    call(
      linesOf(text).map((line) => [line, line]),
      { columns: 80 },
    ),
  ],
  wrapText: (call, text) => call(text, 80),
  formatDiffWords: async (call, text) => {
    const { diffWordsWithSpace } = await import("diff");
    call(`@@ -1 +1 @@\n${text}`, plain, diffWordsWithSpace);
    call(`@@ -1 +1 @@\n-${text.slice(0, 400)}\n+${text.slice(3, 390)}`, plain, diffWordsWithSpace);
  },
  highlightCode: (call, text) => [call(text, plain), call(text.slice(0, 999), plain)],
  conversationItems: async (call, text) => {
    const events = [{ type: "user-message", text }];
    for await (const _ of call(events) as AsyncIterable<unknown>) void _;
  },
  toAiSdkContent: (call, text) => call(text, []),
  toStructuredContent: (call, text) => [call(namesOf(text), { type: "object" }), call(text, undefined)],
  moveReferences: (call, text) => call({ properties: namesOf(text), $ref: `#/${text}` }, "#/$defs/a"),
  adaptOpenAiSchema: (call, text) => call({ type: "object", properties: namesOf(text) }, { strict: true }),
  toMcpBlock: (call, text) => call({ type: "text", text }),
  toKnownBlock: (call, text) =>
    call({ type: "resource", uri: text, text }, { protocol: "2025-06-18", addressOf: () => undefined }),
  createVendorNames: (call, text) => {
    const names = call(piecesOf(text).map((piece, at) => `${piece}${at}`)) as {
      toVendor(name: string): string;
    };
    return [names.toVendor(text), names.toVendor(text.slice(0, 10))];
  },
  findConfusable: (call, text) => call("a", piecesOf(text)),
  fileOfAddress: (call, text) => call({ command: "a" }, { uri: `file:///${text}` }),
  offeredName: (call, text) => call("server", text),
  shortNames: (call, text) => call("server", text),
  couldBeToolOf: (call, text) => call("server", text),
  answerElicitation: (call, text) =>
    call(
      { message: text, requestedSchema: { type: "object", properties: namesOf(text) } },
      { ask: () => Promise.resolve({}), signal: new AbortController().signal },
    ),
  parseServerTool: (call, text) => call(serverTool(text)),
  toolContent: (call, text) => call(serverTool(text)),
  approvalForm: (call, text) => call(approvalOf(text), text.slice(0, 100)),
  approvalPages: (call, text) => call(approvalOf(text)),
  formatApproval: (call, text) => call(approvalOf(text.slice(0, 300_000)), { showsPreview: true }),
  questionForm: (call, text) => [
    call({ text }, { kind: "tool", tool: "a" }, "2025-06-18"),
    call({ text: "?", choices: piecesOf(text) }, { kind: "tool", tool: text.slice(0, 50) }, "2025-06-18"),
  ],
  createAnswerCheck: (call, text) => use(call({ text: "?", choices: piecesOf(text) }), text),
  newQuestion: (call, text) => call({ text, choices: piecesOf(text) }, { tool: "a" }),
  startOf: (call, text) => call(text, { ProtocolError: Error, ProtocolErrorCode: {} }),
  checkMadeTool: (call, text) => [
    call({ name: "a", description: text }, { redactor: createRedactor() }),
    call(madeTool(text.slice(0, 60_000)), { redactor: createRedactor() }),
  ],
  maskedResult: (call, text) => call(createRedactor(), { text: [text, namesOf(text)] }),
  maskPart: (call, text) => call(createRedactor(), { type: "resource", uri: text, text }),
  noteInObject: (call, text) => call(namesOf(text), text),
  defaultsIn: (call, text) => call(namesOf(text), { properties: namesOf(text) }),
  findSensitiveName: (call, text) => call(text.split("/")),
  parsePolicyFile: (call, text) => [
    call(text, "policy.json"),
    call(JSON.stringify({ permissions: { allow: piecesOf(text), deny: [text] } }), "policy.json"),
  ],
  parseTrust: (call, text) => call(text),
  recognizeDenial: (call, text) => [
    call({ exitCode: 1, stderr: text }, { profile: "read-only" }, [".env", "id_*"]),
    call({ exitCode: 1, stderr: `.git: ${text}` }, { profile: "workspace-write" }),
  ],
  headEnd: (call, text) => call(Buffer.from(text), room),
  tailStart: (call, text) => call(Buffer.from(text), room),
  wholeEnd: (call, text) => call(Buffer.from(text), text.length / 2),
  wholeStart: (call, text) => call(Buffer.from(text), text.length / 2),
  convertValue: (call, text) => [
    call({ a: text }, { type: "object", properties: { a: { type: "number" } } }),
    call(text, { type: "array", items: { type: "string" } }),
    call(namesOf(text), { type: "object", properties: namesOf(text) }),
  ],
  leaveOutNulls: (call, text) => call(namesOf(text), { type: "object", properties: namesOf(text) }),
  findUnknownKey: (call, text) => call(namesOf(text), { known: true }),
  collectStrings: (call, text) => call(namesOf(text), { text: () => true, name: () => true }),
  fitJson: (call, text) => [call(namesOf(text), text.length / 2), call([text, text], text.length / 2)],
  mapStrings: (call, text) => call(namesOf(text), { text: (one: string) => one, name: (one: string) => one }),
  partToText: (call, text) => call({ type: "resource", uri: text, text }),
  describeDetails: (call, text) => call({ description: text, notes: text }),
  describeTodos: (call, text) =>
    call(piecesOf(text).map((title, at) => ({ id: `${at}`, title, status: "pending" }))),
  checkCommand: (call, text) => call(text),
  wantsTrapPrologue: (call, text) => call(text),
  keepsDirectory: (call, text) => call(text),
  describeWebFailure: (call, text) =>
    call(new Error(text), { host: "a", authority: "a" }, { signal: new AbortController().signal }),
  parseGitIndex: (call, text) => call(Buffer.from(`DIRC\0\0\0\u0002\0\0\u0001\0${text}`), 20),
};

interface Draft {
  readonly failure: unknown;
  add(part: object): void;
  finish(): unknown;
}

function use(test: unknown, text: string): unknown {
  return typeof test === "function" ? test(text) : undefined;
}

function growing(toolCallId: string, written: string) {
  return { type: "tool-call", toolCallId, toolName: written.slice(0, 100), written, isComplete: true };
}

function serverTool(text: string) {
  const inputSchema = { type: "object", properties: namesOf(text), description: text };
  return { name: text.slice(0, 200), title: text, description: text, inputSchema };
}

function approvalOf(text: string) {
  return {
    ...{ id: "approval_1", callId: "call_1", sessionId: "one", tool: text.slice(0, 200) },
    caller: { kind: "agent", name: text.slice(0, 200) },
    input: { path: text, content: text, [text.slice(0, 1000)]: piecesOf(text) },
    verdict: {
      ...{ decision: "ask", decidedBy: "mode ask", reason: text },
      ...{ permissionClass: "write", effects: { ...noEffects, writes: piecesOf(text) } },
    },
    preview: text,
    requestedAt: "2026-01-01T00:00:00.000Z",
  };
}

function madeTool(text: string) {
  return {
    ...{ name: "a", description: "b", language: "javascript", code: text, permissions: [] },
    input: { type: "object", properties: namesOf(text.slice(0, 20_000)) },
    examples: [{ input: {}, output: text.slice(0, 20_000) }],
  };
}
