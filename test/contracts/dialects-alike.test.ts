import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { builtinTools } from "../../src/capabilities.ts";
import type { CallResult, Receipt, Session } from "../../src/index.ts";
import { dialects } from "../../src/kernel/dialects/dialects.ts";
import type { AnyTool } from "../../src/tool/define-tool.ts";
import { snapshot } from "../capabilities/files/snapshot.ts";
import { fuzzRuns, seededRandom } from "../support/fuzz.ts";
import { putFiles } from "../support/open-file-session.ts";
import { openTestSession, temporaryFolder } from "../support/open-test-session.ts";
import { inDialect } from "./in-dialect.ts";

const builtins = new Map<string, AnyTool>(builtinTools.map((tool) => [tool.name, tool]));
const contents = { "a.txt": "one\ntwo\ntwo\n", "sub/b.txt": "two\nthree\n", "c.md": "# one\n" };

type Operation = readonly [tool: string, input: Record<string, unknown>];

/** One operation of each kind, in the tools' own terms, on few names and words, so that they meet each other's work. */
function makeOperations(random: () => number): (Operation | "undo")[] {
  const among = <Item>(...items: Item[]): Item => items[Math.floor(random() * items.length)]!;
  const file = () => among("a.txt", "sub/b.txt", "c.md");
  const path = () => (random() < 0.6 ? file() : among("new.txt", "sub/deep/d.txt", "sub", "../out.txt"));
  const word = () => (random() < 0.6 ? among("one", "two") : among("three", "$&", "zwei\nzwei", ""));
  const folder = () => among(".", "sub", "none");
  const flag = () => random() < 0.5;
  const moving = () => ({ source: file(), destination: path(), overwrite: flag() });
  const command = () =>
    among(
      "echo out; echo more >> a.txt",
      "mkdir -p made && mv c.md made/",
      "rm -f new.txt; exit 3",
      "cat a.txt",
    );
  const edit = () => ({ path: path(), old_string: word(), new_string: word() });
  const kinds: readonly (() => Operation | "undo")[] = [
    () => ["file_read", { path: path(), offset: among(1, 2, 9), limit: among(1, 100) }],
    () => ["file_write", { path: path(), content: `${word()}\n${word()}` }],
    () => ["file_edit", { ...edit(), replace_all: flag() }],
    () => ["file_edit", edit()],
    () => ["file_multi_edit", { edits: [edit(), edit()] }],
    () => ["file_patch", { patch: patchOf(among("a.txt", "sub/b.txt"), { from: "two", to: word() }) }],
    () => ["file_mkdir", { path: among("made", "sub/deep", "a.txt") }],
    () => ["file_move", moving()],
    () => ["file_copy", moving()],
    () => ["file_delete", { path: path(), recursive: flag() }],
    () => ["file_list", { path: folder() }],
    () => ["search_glob", { pattern: among("**/*.txt", "*.md"), path: folder() }],
    () => ["search_grep", { pattern: word() || "t", path: folder(), output_mode: "content", head_limit: 50 }],
    () => ["search_grep", { pattern: "tw.", output_mode: "files_with_matches", head_limit: 50 }],
    () => ["shell_run", { command: command(), timeout: 60_000 }],
    () => "undo",
  ];
  return kinds
    .map((make) => ({ operation: make(), place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ operation }) => operation);
}

function patchOf(path: string, { from, to }: { from: string; to: string }): string {
  const added = to.split("\n").map((line) => `+${line}`);
  return [
    "*** Begin Patch",
    `*** Update File: ${path}`,
    "@@",
    `-${from}`,
    ...added,
    "*** End Patch",
    "",
  ].join("\n");
}

interface Place {
  readonly dialect: (typeof dialects)[number];
  readonly session: Session;
  readonly workspace: string;
  last: string;
}

async function openPlace(dialect: Place["dialect"]): Promise<Place> {
  const workspace = join(await realpath(await temporaryFolder()), "work");
  await putFiles(workspace, contents);
  const { session } = await openTestSession({
    workspace,
    dialect: dialect.name,
    permissions: { mode: "auto" },
    sandbox: "off",
  });
  return { dialect, session, workspace, last: "none" };
}

async function perform(place: Place, operation: Operation | "undo"): Promise<CallResult> {
  if (operation === "undo") return place.session.undo(place.last);
  const [tool, input] = operation;
  const call = inDialect(place.dialect, builtins.get(tool)!, input, place.workspace);
  const result = await place.session.call(call.name, call.input);
  if (result.receipt.undo !== undefined) place.last = result.callId;
  return result;
}

/** What a receipt says beside names, ids, times and hashes, with paths as they are in the workspace. */
function comparable({ receipt }: CallResult, { workspace, last }: Place): unknown {
  const { tool, input, status, code, effects, verdict, undo, isDryRun }: Receipt = receipt;
  const { decision, permissionClass, category, decidedBy } = verdict ?? {};
  const told = { tool, input, status, code, effects, isDryRun, isUndoable: undo !== undefined };
  const text = JSON.stringify({ ...told, verdict: { decision, permissionClass, category, decidedBy } });
  const local = text
    .replaceAll(`${workspace}/`, "")
    .replaceAll(workspace, ".")
    .replaceAll(`${dirname(workspace)}/`, "../")
    .replaceAll(last, "the call");
  return JSON.parse(local);
}

test("the same operation has the same effect and the same receipt in every dialect", {
  timeout: 600_000,
}, async () => {
  const random = seededRandom();
  const changing = new Set<string>();
  for (let round = 0; round < fuzzRuns({ sample: 1, full: 60 }); round++) {
    const operations = Array.from({ length: fuzzRuns({ sample: 1, full: 4 }) }, () =>
      makeOperations(random),
    ).flat();
    const places = await Promise.all(dialects.map(openPlace));
    let before = await snapshot(places[0]!.workspace);
    for (const [step, operation] of operations.entries()) {
      const results = await Promise.all(places.map((place) => perform(place, operation)));
      const trees = await Promise.all(places.map(({ workspace }) => snapshot(workspace)));
      const receipts = results.map((result, index) => comparable(result, places[index]!));
      for (const [index, { dialect }] of places.entries()) {
        const where = `${dialect.name}, round ${round}, step ${step}: ${JSON.stringify(operation)}`;
        expect(trees[index], where).toEqual(trees[0]);
        expect(receipts[index], where).toEqual(receipts[0]);
      }
      if (JSON.stringify(trees[0]) !== JSON.stringify(before)) changing.add(String(operation[0]));
      before = trees[0]!;
    }
    await Promise.all(places.map(({ session }) => session.close()));
  }
  expect(changing.size).toBeGreaterThan(1);
});
