import { expect, test } from "vitest";
import { builtinTools } from "../../src/capabilities.ts";
import type { Session } from "../../src/index.ts";
import { dialectNames } from "../../src/kernel/dialects/dialect.ts";
import { dialects } from "../../src/kernel/dialects/dialects.ts";
import { casesOf } from "../support/fuzz.ts";
import { openTestSession } from "../support/open-test-session.ts";
import { callEveryTool } from "./call-every-tool.ts";

/** Every name of every built-in tool, in any dialect, that is not also an ordinary word. */
const toolNames = new Set(
  [
    ...builtinTools.flatMap(({ name, aliases }) => [name, ...aliases]),
    ...dialects.flatMap(dialectNames).flat(),
  ].filter((name) => /_|[a-z][A-Z]/.test(name)),
);

function namesIn(text: string): string[] {
  return [...text.matchAll(/\b[A-Za-z]\w*\b/g)].map(([word]) => word).filter((word) => toolNames.has(word));
}

/** Names that the session's dialect does not offer, or offers only to those who search for them. */
function unusableIn(text: string, session: Session): string[] {
  const offered = new Set(session.tools().map(({ name }) => name));
  return namesIn(text).filter((name) => !offered.has(name) || session.isDeferred(name));
}

// One with absolute paths, one whose results are JSON, one whose tools are other ones; the rest differ in names alone.
const several = dialects.filter(({ name }) => ["flyto", "kode", "codex"].includes(name));

// Words of the tests' own inputs and of suggestions, which repeat the caller's words.
const ownWords = new Set(["tool_search", "skill_load"]);

test.each(casesOf({ sample: several, full: dialects }))(
  "in the dialect $name, every tool that an answer names is named as the caller knows it, and can be called next",
  async ({ name: dialect }) => {
    const { session, calls } = await callEveryTool({ dialect, deferral: { maxTools: 1 } });
    expect(new Set(calls.map(({ tool }) => tool))).toEqual(new Set(builtinTools.map(({ name }) => name)));
    const wrong = calls
      .filter(({ tool }) => !ownWords.has(tool))
      .flatMap(({ tool, result }) =>
        unusableIn(result.text, session)
          // The name by which it was called is the caller's own.
          .filter((name) => name !== tool)
          .map((name) => ({ tool, name, in: result.text })),
      );
    expect(wrong).toEqual([]);
    const named = new Set(calls.flatMap(({ result }) => namesIn(result.text)));
    const isNamed = (tool: string) => named.has(nameOf(dialect, tool));
    expect(
      ["shell_output", "shell_kill", "task_list", "task_update", "file_list"].filter(
        // A name such as `ls` cannot be told from a word.
        (tool) => !isNamed(tool) && nameOf(dialect, tool).length > 2,
      ),
    ).toEqual([]);
  },
  30_000,
);

function nameOf(dialect: string, tool: string): string {
  return dialects.find(({ name }) => name === dialect)?.tools[tool]?.name ?? tool;
}

test.each(dialects)(
  "in the dialect $name, no description or manual names a tool by another name",
  async ({ name }) => {
    const { session } = await openTestSession({ dialect: name, deferral: { maxTools: 1000 } });
    const texts = [
      session.toolManuals(),
      ...session.tools().map(({ description, inputSchema }) => JSON.stringify({ description, inputSchema })),
    ];
    expect(texts.flatMap((text) => unusableIn(text, session))).toEqual([]);
  },
);

test("the first background job offers what controls it, and a job that stays in front offers nothing", async () => {
  const { session } = await openTestSession({ permissions: { mode: "auto" }, deferral: { maxTools: 1 } });
  const controlling = ["shell_output", "shell_kill"];
  await session.call("Bash", { command: "true" });
  expect(controlling.map(session.isDeferred)).toEqual([true, true]);
  const before = session.activeTools().map(({ name }) => name);
  const { text } = await session.call("Bash", { command: "sleep 30", run_in_background: true });
  expect(text).toMatch(/; read its output with shell_output, stop it with shell_kill\.$/);
  expect(session.activeTools().map(({ name }) => name)).toEqual([...before, ...controlling]);
});

test("an answer does not name a tool that rules deny", async () => {
  const { session } = await openTestSession({
    permissions: { mode: "auto", deny: ["shell_kill"] },
    deferral: { maxTools: 1 },
  });
  const { text } = await session.call("Bash", { command: "sleep 30", run_in_background: true });
  expect(text).toMatch(/; read its output with shell_output\.$/);
});

test("an answer that names a tool that is offered anyway leaves the order of the tools as it is", async () => {
  const { session } = await openTestSession({ permissions: { mode: "auto" }, deferral: { maxTools: 1000 } });
  const before = session.activeTools();
  await session.call("Bash", { command: "sleep 30", run_in_background: true });
  expect(session.activeTools()).toEqual(before);
});

test("a path that leads out of the workspace, or is not absolute, is answered with the root", async () => {
  const { session, workspace } = await openTestSession({ permissions: { mode: "auto" } });
  const calls: [string, unknown][] = [
    ["Read", { file_path: "a.txt" }],
    ["Read", { file_path: "/etc/hostname" }],
    ["file_write", { path: "../a.txt", content: "" }],
    ["Glob", { pattern: "*", path: "/etc" }],
    ["Bash", { command: "ls", cwd: "/etc" }],
  ];
  for (const [name, input] of calls) expect((await session.call(name, input)).text).toContain(workspace);
});
