import type { Adapter } from "./adapter.ts";
import { viewAdapters } from "./view-adapters.ts";

type Call = (...values: never[]) => unknown;

/** How to call functions that need more than one text, or whose answer is to be used. */
export const adapters: Readonly<Record<string, Adapter>> = {
  ...viewAdapters,
  // Patterns are limited to 4,096 characters; what they are matched with is longer.
  compileGlob: (call, text) => use(call(text.slice(0, 4000)), text.slice(0, 4000)),
  compilePath: (call, text) => use(call(text.slice(0, 4000)), text.slice(0, 4000)),
  compileSegment: (call, text) => use(call(text.slice(0, 4000)), text.slice(0, 4000)),
  createStarMatcher: (call, text) => use(call(text.slice(0, 4000)), text.slice(0, 4000)),
  createNameTest: (call, text) => use(call(["*.key", ".env", "id_*", "a*b"]), text),
  readIgnoreFile: (call, text) =>
    (call(text) as readonly { matches(path: string): boolean }[]).map((rule) => rule.matches("a/b/c.txt")),
  parseCommentedJson: (call, text) => call(text),
  // It reads what we have written ourselves, which is never deeper than what can be written.
  parseFrozen: (call, text) => call(JSON.stringify({ [text.slice(0, 1000)]: [text] })),
  findJsonExcess: (call, text) => call(text, { maxDepth: 1e9, maxValues: 1e9, maxNames: 1e9 }),
  readProblems: (call, text) => [
    ...["tsc", "unix"].map((format) => call(text, format)),
    call(`a(1,2): error TS1: ${text}`, "tsc"),
  ],
  createMessageFrames: (call, text) => {
    const bytes = Buffer.from(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    const frames = call(1e9, () => {}) as { push(chunk: Buffer): void };
    for (let at = 0; at < bytes.length; at += 512) frames.push(bytes.subarray(at, at + 512));
  },
  readFrontMatter: (call, text) => [call(text), call(`---\n${text}\n---\n`)],
  parseGitLink: (call, text) => call(`gitdir: ${text}`, "/a"),
  editNotebook: (call, text) => call(notebookOf(text), { mode: "replace", cell: "0", source: text }),
  readJsonEntries: (call, text) => [call(text, 0), call(`[${text}`, 0), call(`{"${text}`, 0)],
  skipSpace: (call, text) => call(text, 0),
  resolvePointer: (call, text) => call({}, `#/${text}`),
  maskNamedValues: (call, text) => [call(text, "[redacted]"), call(`token=${text}`, "[redacted]")],
  maskWebTokens: (call, text) => call(text, "[redacted]"),
  createRedactor: (call, text) => {
    const redactor = call(["a secret of ours"]) as Redactor;
    return [redactor.text(text), redactor.value({ [text]: [text, text] }), redactor.named({ token: text })];
  },
  createSecretTest: (call, text) => {
    // The system takes no longer value of a variable.
    const value = text.slice(0, 128 * 1024);
    const isSecret = call({ A_TOKEN: value }, [text]) as (name: string, value: string) => boolean;
    return [isSecret(text, "x"), isSecret("A", text), isSecret("PATH", text)];
  },
  bindSecrets: (call, text) =>
    (call(`echo {{secret:A}} ${text}`, new Map([["A", "a secret"]])) as Promise<unknown>).catch(() => {}),
  fillText: (call, text) => call(text, new Map([["A", "a secret"]])),
  fillSecrets: (call, text) => call({ [text]: [text] }, new Map([["A", "a secret"]])),
  createByteMask: (call, text) => {
    const mask = call(["a secret of ours"]) as { add(chunk: Buffer): Buffer; finish(): Buffer };
    for (let at = 0; at < text.length; at += 512) mask.add(Buffer.from(text.slice(at, at + 512)));
    return mask.finish();
  },
  createStreamRedactor: (call, text) => {
    const stream = call((part: string) => part, ["two words"]) as {
      add(piece: string): string;
      finish(): string;
    };
    for (let at = 0; at < text.length; at += 512) stream.add(text.slice(at, at + 512));
    return stream.finish();
  },
  cleanLine: (call, text) => call(text, text.length),
  capText: (call, text) => call(text, text.length / 2),
  oneLine: (call, text) => call(text, text.length),
  cutMiddle: (call, text) => call(text, { maxCharacters: text.length / 2, headShare: 0.5, note: "cut" }),
  cutBesideQuotes: (call, text) => call(text, { maxCharacters: text.length / 2, headShare: 0.5 }),
  nearestNames: (call, text) => [
    call(text, ["file_read", "shell_run", "a".repeat(200)]),
    call("file_rea", text.split(/[\s,]/)),
  ],
  markRows: (call, text) => call(text, 80),
  labelRows: (call, text) => call("label:", text, 80),
  ownRows: (call, text) => call(text, 80),
  mayHideWhatActs: (call, text) => [
    call(text, `${text.slice(0, -2)}[redacted]`),
    call(text, `[redacted]${text.slice(text.length / 2)}[redacted]`),
  ],
  fitsIn: (call, text) => call(text, 80),
  trimEndOf: (call, text) => call(text, text.slice(0, 3)),
  relativeInside: (call, text) => call(`/${text}`, `/${text}/a`),
  hostMatcher: (call, text) => call(`domain:${text}`, "a rule"),
  toolMatcher: (call, text) =>
    use(
      call(text.slice(0, 200), () => []),
      text,
    ),
  pathMatcher: (call, text) => call(text.slice(0, 4000), "a rule"),
  commandMatcher: (call, text) => call(text.slice(0, 4000), { where: "a rule", isAllowing: false }),
  readCommandPattern: (call, text) => call(text.slice(0, 4000), "a rule"),
  applyUpdate: (call, text) =>
    call(text, [{ contexts: [], lines: chunkOf(text), isEndOfFile: false, line: 1 }]),
  isUnifiedDiff: (call, text) => call(text.split("\n")),
  parseUnifiedDiff: (call, text) => call(["--- a", "+++ a", "@@ -1 +1 @@", ...text.split("\n")]),
  commonPrefixLength: (call, text) => call(text, `${text}x`),
  commonSuffixLength: (call, text) => call(text, `x${text}`),
  findMatch: (call, text) => [
    call(text, `${text.slice(0, 2000)}?`),
    call(text, text.slice(5)),
    call(text, "absent"),
  ],
  editText: (call, text) =>
    call(text, { oldText: `${text.slice(0, 500)}?`, newText: text }, { compareLines: () => undefined }),
  applyEdits: (call, text) =>
    call(text, [{ oldText: `${text.slice(0, 500)}?`, newText: "b" }], { compareLines: () => undefined }),
  closestRegion: (call, text) => call(text, text.slice(0, 500)),
  explainNoMatch: (call, text) => call(text, `${text.slice(0, 500)}?`, { path: "a" }),
  findLineEndings: (call, text) => call(text, text.slice(0, 500)),
  refuseOmission: (call, text) => [call(text, ""), call(`// ${text}`, ""), call(`( ${text}...`, "")],
  withLineEnding: (call, text) => [call(text, "crlf"), call(text, "lf")],
  encodeText: (call, text) => [
    call(text, { encoding: "utf8", hasBom: false }),
    call(text, { encoding: "utf16le", hasBom: true }),
  ],
  lineNumbersAt: (call, text) => call(text, [text.length]),
  unifiedDiff: (call, text) => call("a", text.slice(0, 3000), `${text.slice(0, 3000)}x`),
  mayRobotFetch: (call, text) => [
    call(text, "/a", "us"),
    call(`User-agent: *\nDisallow: /${text}`, "/a", "us"),
  ],
  htmlToMarkdown: (call, text) => call({ html: text, url: "https://example.com/" }),
  numericReferences: (call, text) => call(text),
  decodeReferences: (call, text) => call(text),
  rankBlocks: (call, text) => call(text.split("\n"), "what is it"),
  describeStatus: (call, text) => call(404, text),
  findMarked: (call, text) => call(text, { open: "\u0001", close: "\u0002" }, false),
  withoutMarks: (call, text) => call(text, { open: "\u0001", close: "\u0002" }),
  checkStatement: (call, text) => [
    call(text, { dialect: "sqlite", use: "query" }),
    call(`/*${text}`, { dialect: "postgres", use: "query" }),
  ],
  firstKeyword: (call, text) => call(text, "postgres"),
  isBlank: (call, text) => call(text, "postgres"),
  readScript: (call, text) => call(text.slice(0, 10_000)),
};

interface Redactor {
  text(text: string): string;
  value(value: unknown): unknown;
  named(value: unknown): unknown;
}

function use(test: unknown, text: string): unknown {
  return typeof test === "function" ? (test as Call)(text as never) : undefined;
}

function notebookOf(text: string): string {
  return JSON.stringify({
    cells: [{ cell_type: "code", source: text, metadata: {}, outputs: [] }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  });
}

function chunkOf(text: string) {
  return text
    .split("\n")
    .slice(0, 50)
    .map((line) => ({ kind: "keep", text: line }));
}
