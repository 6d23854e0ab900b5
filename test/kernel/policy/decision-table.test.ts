import { expect, test } from "vitest";
import type { PermissionClass } from "../../../src/index.ts";
import { decide, type Mode, modes } from "../../../src/kernel/policy/decide.ts";
import type { JudgedRequest } from "../../../src/kernel/policy/rules/match-request.ts";
import { permissionClasses } from "../../../src/tool/permission-request.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";
import { openFileSession } from "../../support/open-file-session.ts";
import { parseSampleRules } from "./rules/parse-sample-rules.ts";

type Decision = "allow" | "ask" | "deny";

const decisions = ["deny", "ask", "allow"] as const;
const severity: Record<Decision, number> = { allow: 0, ask: 1, deny: 2 };

/** Tools that make requests of a class; each may be the one that a rule names, or another. */
const toolsOf: Record<PermissionClass, readonly string[]> = {
  read: ["file_read", "search_grep", "shell_run", "file_copy"],
  write: ["file_write", "file_edit", "file_delete", "shell_run", "undo"],
  execute: ["shell_run"],
  network: ["shell_run", "web"],
  interact: ["agent_run", "todo_write"],
};

const paths = ["docs/a.md", "src/b.ts"] as const;

/** Rules, and whether each is about a request of a tool. Written apart from the code that is tested. */
const forms: Readonly<Record<string, (tool: string, request: JudgedRequest) => boolean>> = {
  file_read: (tool) => tool === "file_read",
  file_delete: (tool) => tool === "file_delete",
  shell_run: (tool) => tool === "shell_run",
  "file_delete(docs/**)": (tool, { path }) => tool === "file_delete" && isIn(path, "docs/"),
  "file_read(docs/**)": (tool, { action, path }) =>
    (action === "read" || tool === "file_read") && isIn(path, "docs/"),
  "file_edit(docs/**)": (tool, { action, path }) =>
    (action === "write" || tool === "file_edit") && isIn(path, "docs/"),
  "file_write(/src/**)": (tool, { action, path }) =>
    (action === "write" || tool === "file_write") && isIn(path, "src/"),
  "@read(docs/**)": (_, { action, path }) => action === "read" && isIn(path, "docs/"),
  "@write(docs/**)": (_, { action, path }) => action === "write" && isIn(path, "docs/"),
  "web_fetch(domain:example.com)": (_, { action, target }) =>
    action === "network" && target === "example.com",
  "agent_run(explore)": (_, { action, target }) => action === "interact" && target === "explore",
  ...Object.fromEntries(
    permissionClasses.map((each) => [`@${each}`, (_: string, { action }: JudgedRequest) => action === each]),
  ),
};

function isIn(path: JudgedRequest["path"], folder: string): boolean {
  return path?.real.relative?.startsWith(folder) ?? false;
}

function requestsOf(action: PermissionClass): readonly JudgedRequest[] {
  const withTarget = (target: string) => ({ action, target });
  if (action === "network") return ["example.com", "example.org"].map(withTarget);
  if (action === "interact") return [{ action }, ...["explore", "other"].map(withTarget)];
  if (action === "execute") return [{ action, target: "make" }];
  return paths.map((relative) => {
    const real = { absolute: `/place/${relative}`, relative };
    return { action, target: relative, path: { real, written: real, isInside: true } };
  });
}

function byMode(mode: Mode, action: PermissionClass): Decision {
  if (action === "read" || action === "interact" || mode === "auto") return "allow";
  if (mode === "readonly") return "deny";
  return mode === "edit" && action === "write" ? "allow" : "ask";
}

const cases = permissionClasses.flatMap((action) =>
  requestsOf(action).flatMap((request) => toolsOf[action].map((tool) => ({ tool, request }))),
);

test("every pair of rules decides on every request of every tool as it says, in every mode", async () => {
  const names = Object.keys(forms);
  let count = 0;
  for (const [first, name] of names.entries()) {
    for (const kind of decisions) {
      const other = names[(first + 1 + count) % names.length]!;
      const otherKind = decisions[(first + count) % decisions.length]!;
      const texts = { deny: [] as string[], ask: [] as string[], allow: [] as string[] };
      texts[kind].push(name);
      texts[otherKind].push(other);
      const rules = await parseSampleRules(texts);
      for (const mode of modes) {
        for (const { tool, request } of cases) {
          const said = [
            ...(forms[name]!(tool, request) ? [kind] : []),
            ...(forms[other]!(tool, request) ? [otherKind] : []),
          ];
          const ruled = decisions.find((each) => said.includes(each));
          const otherwise = said.includes("allow") ? "allow" : byMode(mode, request.action);
          // A question takes the place of letting something run, not of denying it.
          const isDenied = ruled === "ask" && otherwise === "deny";
          const wanted = isDenied ? "deny" : (ruled ?? otherwise);
          const { decision, decidedBy } = decide({ tool, requests: [request], rules, mode, opaque: false });
          const about = { mode, tool, request, texts };
          expect({ ...about, decision }).toEqual({ ...about, decision: wanted });
          expect(decidedBy).toMatch(ruled !== undefined && !isDenied ? `rule ${wanted}: ` : `mode ${mode}`);
          count += 1;
        }
      }
    }
  }
  expect(count).toBeGreaterThan(3000);
});

const ruleTexts = fc.record({
  deny: fc.array(fc.constantFrom(...Object.keys(forms)), { maxLength: 4 }),
  ask: fc.array(fc.constantFrom(...Object.keys(forms)), { maxLength: 4 }),
  allow: fc.array(fc.constantFrom(...Object.keys(forms)), { maxLength: 4 }),
});
const situation = fc.record({
  mode: fc.constantFrom(...modes),
  asked: fc.constantFrom(...cases),
  floor: fc.constantFrom(undefined, { decision: "ask", reason: "it may hold secrets" } as const),
});

test("adding a rule that denies or asks never allows more, and the order of rules makes no difference", async () => {
  const numRuns = fuzzRuns({ sample: 300, full: 20_000 });
  await fc.assert(
    fc.asyncProperty(
      ruleTexts,
      situation,
      fc.constantFrom(...Object.keys(forms)),
      async (texts, { mode, asked, floor }, added) => {
        const decisionBy = async (given: typeof texts) =>
          decide({
            tool: asked.tool,
            requests: [{ ...asked.request, floor }],
            rules: await parseSampleRules(given),
            mode,
            opaque: false,
          }).decision;
        const before = await decisionBy(texts);
        const reversed = {
          deny: texts.deny.toReversed(),
          ask: texts.ask.toReversed(),
          allow: texts.allow.toReversed(),
        };
        expect(await decisionBy(reversed)).toBe(before);
        const stricter = await decisionBy({ ...texts, deny: [...texts.deny, added] });
        expect(severity[stricter]).toBeGreaterThanOrEqual(severity[before]);
        const asking = await decisionBy({ ...texts, ask: [added, ...texts.ask] });
        expect(asking).toBe(before === "allow" && asking === "ask" ? "ask" : before);
        const wider = await decisionBy({ ...texts, allow: [...texts.allow, added] });
        if (texts.deny.some((each) => forms[each]!(asked.tool, asked.request))) expect(wider).toBe("deny");
      },
    ),
    { numRuns },
  );
});

test.each([
  { kind: "agent", name: "an agent" },
  { kind: "mcp", name: "a client" },
  { kind: "code", name: "a program" },
  { kind: "person", name: "a person" },
] as const)("rules bind $name like any other caller", async (caller) => {
  const { session } = await openFileSession(
    { "docs/a.md": "a" },
    { permissions: { mode: "auto", deny: ["Read(docs/**)", "Edit(docs/**)", "Bash(make *)"] } },
  );
  for (const [tool, input] of [
    ["file_read", { path: "docs/a.md" }],
    ["file_delete", { path: "docs/a.md" }],
    ["shell_run", { command: "cat docs/a.md" }],
    ["shell_run", { command: "make all" }],
  ] as const) {
    expect((await session.call(tool, input, { caller })).error?.code).toBe("permission-denied");
  }
});
