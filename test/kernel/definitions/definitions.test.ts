import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { openReading, openWorkspace } from "../../../src/capabilities/files/workspace.ts";
import type { DefinitionKind, OpenReading } from "../../../src/kernel/definitions/definition-kind.ts";
import { createDefinitions } from "../../../src/kernel/definitions/definitions.ts";
import { DocumentError } from "../../../src/shared/front-matter/document-error.ts";
import { type Contents, putFiles } from "../../support/open-file-session.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

afterEach(() => {
  vi.useRealTimers();
});

interface Note {
  readonly name: string;
  readonly text: string;
}

const notes: DefinitionKind<Note> = {
  noun: { one: "note", many: "notes" },
  folders: ["notes"],
  maxBytes: 100,
  given: new Map(),
  entryOf: ({ name }) => ({ name, file: name }),
  read: (text, { name }) => {
    if (text.startsWith("!")) throw new DocumentError(7, "it shouts");
    if (text.startsWith("?")) throw new Error("nobody knows");
    return { name, text };
  },
  weigh: ({ text }) => text.length,
};

async function openNotes(contents: Contents) {
  const root = await temporaryFolder();
  await putFiles(root, contents);
  const workspace = await openWorkspace({ root });
  const { counts, openReading } = countLooks();
  return { root, counts, definitions: createDefinitions(notes, { workspace, openReading }) };
}

/** Opens files to read, and counts how often folders were listed and files read. */
function countLooks() {
  const counts = { lists: 0, reads: 0 };
  const openCounted: OpenReading = (workspace) => {
    const real = openReading(workspace);
    return {
      ...real,
      list(...given) {
        counts.lists += 1;
        return real.list(...given);
      },
      readText(...given) {
        counts.reads += 1;
        return real.readText(...given);
      },
    };
  };
  return { counts, openReading: openCounted };
}

test("definitions that are asked for a hundred times at once are read once for the first and once for all the others", async () => {
  const { definitions, counts } = await openNotes({ "notes/a": "one", "notes/b": "two" });
  const lists = await Promise.all(Array.from({ length: 100 }, () => definitions.list()));
  for (const list of lists) expect(list.map(({ text }) => text)).toEqual(["one", "two"]);
  expect(counts).toEqual({ lists: 2, reads: 2 });
});

test("known definitions are refreshed in the background, at most once a second", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { definitions, counts } = await openNotes({ "notes/a": "one" });
  await definitions.list();
  vi.advanceTimersByTime(1000);
  expect(definitions.known()).toHaveLength(1);
  expect(counts.lists).toBe(1);
  vi.advanceTimersByTime(1);
  definitions.known();
  definitions.known();
  await definitions.list();
  expect(counts.lists).toBe(3);
});

test("definitions are read again only where their files have changed", async () => {
  const { root, definitions, counts } = await openNotes({ "notes/a": "one", "notes/b": "two" });
  await definitions.list();
  await writeFile(join(root, "notes/b"), "three");
  expect((await definitions.list()).map(({ text }) => text)).toEqual(["one", "three"]);
  expect(counts.reads).toBe(3);
});

test("a definition that cannot be used holds up no other, and is told with its problem", async () => {
  const { definitions } = await openNotes({
    "notes/good": "one",
    "notes/loud": "!",
    "notes/odd": "?",
    "notes/long": "x".repeat(101),
    "notes/folder/inner": "",
  });
  expect(await definitions.list()).toEqual([{ name: "good", text: "one" }]);
  expect(await definitions.problems()).toEqual([
    { path: "notes/folder", message: expect.any(String) },
    { path: "notes/long", message: expect.stringContaining("make it shorter") },
    { path: "notes/loud:7", message: "it shouts" },
    { path: "notes/odd", message: "nobody knows" },
  ]);
  await expect(definitions.find("loud")).rejects.toThrow("notes/loud:7 cannot be used: it shouts");
  await expect(definitions.find("god")).rejects.toMatchObject({
    code: "not-found",
    message: 'there is no note named "god"',
    hint: "Did you mean good?",
  });
});
