import { expect, test } from "vitest";
import { readTemplate } from "../../../../../src/capabilities/agents/sub-agents/templates/read-template.ts";
import { DocumentError } from "../../../../../src/shared/front-matter/document-error.ts";

/** Reads a template with these lines in its front matter; the first is line 3. */
async function read(...lines: string[]) {
  const { name, description, ...rest } = await readTemplate(
    ["---", "description: Reviews", ...lines, "---", ""].join("\n"),
    { name: "reviewer", path: ".claude/agents/reviewer.md" },
  );
  expect({ name, description }).toEqual({ name: "reviewer", description: "Reviews" });
  return rest;
}

test("a file as it is written for Claude Code is read, and what we do not know is passed over", async () => {
  const text = `---
name: code-reviewer
description: |
  Use this agent after changes: it reviews them.

  <example>user: "Review it"</example>
tools: Read, Grep, Bash(git log:*, git diff), WebFetch, mcp__github__*
disallowedTools:
  - Write
  - "Edit"
model: sonnet
permissionMode: bypassPermissions
maxTurns: 20
color: purple
skills: a, b
mcpServers:
  - github:
      command: run
hooks:
  PreToolUse:
    - matcher: Bash
agents: [all]
---

You review code.

- Be brief. 👩‍💻
`;
  expect(await readTemplate(text, { name: "reviewer", path: ".claude/agents/reviewer.md" })).toEqual({
    name: "code-reviewer",
    description: 'Use this agent after changes: it reviews them. <example>user: "Review it"</example>',
    system: "You review code.\n\n- Be brief. 👩‍💻",
    tools: ["Read", "Grep", "Bash(git log:*, git diff)", "WebFetch", "mcp__github__*"],
    disallowedTools: ["Write", "Edit"],
    maxSteps: 20,
  });
});

test.each([
  ["tools: Read", ["Read"]],
  ["tools: Read, Grep,Read,", ["Read", "Grep"]],
  ["tools: Read,\n  Grep", ["Read", "Grep"]],
  ["tools: |\n  Read\n  Grep, Glob", ["Read", "Grep", "Glob"]],
  ['tools: ["Read", "Bash(a, b)"]', ["Read", "Bash(a, b)"]],
  ["tools:\n- Read\n- Grep", ["Read", "Grep"]],
  ['tools: "*"', ["*"]],
  ["tools: mcp__*__*, Bash(a *, b *, c *, d *, e *)", ["mcp__*__*", "Bash(a *, b *, c *, d *, e *)"]],
  ["tools: []", []],
])("the front matter %j names these tools", async (lines, tools) => {
  expect(await read(lines)).toEqual({ tools });
});

test.each([
  ["model: anthropic/claude-sonnet-4-5", { model: "anthropic/claude-sonnet-4-5" }],
  ["model: openai-compatible/org/model:7b@1", { model: "openai-compatible/org/model:7b@1" }],
  ["model: inherit", {}],
  ["model: opus", {}],
  ["model: claude-opus-4-6 # the best", {}],
  ["model: sonnet[1m]", {}],
  ["model:", {}],
  ["mode: readonly", { mode: "readonly" }],
  ["maxSteps: 7", { maxSteps: 7 }],
  ["maxSteps: 7\nmaxTurns: 5", { maxSteps: 5 }],
  ["maxSteps: '7'", { maxSteps: 7 }],
  ["permissionMode: bypassPermissions", {}],
])("the front matter %j means %j", async (lines, expected) => {
  expect(await read(lines)).toEqual(expected);
});

// A limit that went unread would be none.
test.each([
  ["tools:", "tools is empty; leave it out, or write [] for none"],
  ["tools: ', ,'", "tools is empty"],
  ["disallowedTools:", "disallowedTools is empty"],
  ["tools:\n  write: false", "list of names, or names separated by commas"],
  ["tools: {Read: true}", "list of names, or names separated by commas"],
  ["tools:\n- Read\n- {a: b}", "list of names, or names separated by commas"],
  ["tools: Read, Bash(git", '"Bash(git" is not a tool name'],
  ["tools: [Bash(git log, git diff)]", '"Bash(git log" is not a tool name'],
  ["tools: Read), Grep", "is not a tool name"],
  [String.raw`tools: "Re\u200bad"`, "is not a tool name"],
  [String.raw`tools: ["Re\x1bad"]`, "is not a tool name"],
  [`tools: ${"a".repeat(1001)}`, "is not a tool name"],
  [`tools: ${Array.from({ length: 501 }, (_, index) => `a${index}`).join(", ")}`, "more than 500 names"],
  ["tools: *", "if a text is meant, put it in quotes"],
  ["Tools: Read", "unknown field Tools; write tools"],
  ["allowed-tools: Read", "unknown field allowed-tools; write tools"],
  ["disallowed_tools: Write", "unknown field disallowed_tools; write disallowedTools"],
  ["max_turns: 5", "unknown field max_turns; write maxTurns"],
  ["name: ../other", "the name must start with"],
  ["name: -rf", "the name must start with"],
  ["name: [a]", "name must be a string"],
  [String.raw`name: "a\nb"`, "the name must start with"],
  ["model: scripted//etc/passwd", "only be set in code"],
  ["model: a/b c", "such as anthropic/<model>, or inherit"],
  ["model: [a/b]", "model must be a string"],
  ["mode: plan", "one of readonly, ask, edit, auto"],
  ["mode: Auto", "one of readonly, ask, edit, auto"],
  ["maxSteps: 0", "maxSteps must be a whole number of at least 1"],
  ["maxTurns: 1e3", "maxTurns must be a whole number of at least 1"],
  ["maxTurns: -1", "maxTurns must be a whole number of at least 1"],
  ["maxTurns: 99999999999999999999", "maxTurns must be a whole number of at least 1"],
])("the front matter %j is refused at its line", async (lines, message) => {
  const error = await read(lines).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DocumentError);
  expect(error).toMatchObject({ message: expect.stringContaining(message), line: 3 });
});

test("a description must be a string, and hides nothing", async () => {
  const describe = async (line: string) => {
    const { description } = await readTemplate(`---\n${line}\n---\n`, { name: "a", path: "a.md" });
    return description;
  };
  expect(await describe(String.raw`description: "a\x1b[2J\nb\u202e"`)).toBe("a[2J b");
  await expect(describe("description: [a]")).rejects.toThrow("must be a string");
  await expect(describe('description: " "')).rejects.toThrow("no description");
});

test("a template with an empty body has no system prompt", async () => {
  expect(await read()).toEqual({});
});
