import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { casesOf, fc, fuzzRuns } from "../../../../support/fuzz.ts";
import { openFileSession } from "../../../../support/open-file-session.ts";

const marks = {
  "utf-8": [],
  "utf-8 with a mark": [0xef, 0xbb, 0xbf],
  "utf-16le": [0xff, 0xfe],
  "utf-16be": [0xfe, 0xff],
} as const;
type Encoding = keyof typeof marks;

function encode(text: string, encoding: Encoding): Buffer {
  const bytes = encoding.startsWith("utf-8") ? Buffer.from(text) : Buffer.from(text, "utf16le");
  return Buffer.concat([Buffer.from(marks[encoding]), encoding === "utf-16be" ? bytes.swap16() : bytes]);
}

interface Line {
  readonly text: string;
  readonly end: string;
}

const ends = ["\n", "\r\n", "\r"] as const;
const words = fc.array(
  fc.constantFrom("a", "é", "漢", "😀", "\t", " ", "“x”", "0", "\u00a0", "\u2028", "\ufeff"),
  {
    maxLength: 6,
  },
);
/** Lines that differ from each other, with one kind of line end or a mixture, and a last line with or without one. */
const lines = fc
  .record({
    texts: fc.array(words, { minLength: 3, maxLength: 8 }),
    ends: fc.oneof(
      fc.constantFrom(...ends.map((end) => [end])),
      fc.array(fc.constantFrom(...ends), { minLength: 8, maxLength: 8 }),
    ),
    hasLastEnd: fc.boolean(),
  })
  .map(({ texts, ends: pattern, hasLastEnd }): Line[] =>
    texts.map((parts, index) => ({
      text: `L${index}:${parts.join("")}`,
      end: index === texts.length - 1 && !hasLastEnd ? "" : pattern[index % pattern.length]!,
    })),
  );

const cases = fc.record({
  lines,
  at: fc.nat(),
  newText: fc.constantFrom("new", "neü 漢", "two\nlines", ""),
  encoding: fc.constantFrom(...(Object.keys(marks) as Encoding[])),
});

/** Each of them replaces one whole line by other text, as a model would write it: with \n between lines. */
const changes = {
  file_edit: (line: string, newText: string) => ({ path: "f", old_string: line, new_string: newText }),
  file_multi_edit: (line: string, newText: string) => ({
    edits: [{ path: "f", old_string: line, new_string: newText }],
  }),
  file_patch: (line: string, newText: string) => ({
    patch: [
      ...["*** Begin Patch", "*** Update File: f", "@@", `-${line}`],
      ...newText.split("\n").map((each) => `+${each}`),
      "*** End Patch",
    ].join("\n"),
  }),
} as const;

for (const tool of Object.keys(changes) as (keyof typeof changes)[]) {
  test(`${tool} leaves every byte outside the changed line as it was, and undo brings all back`, async () => {
    const { session, workspace } = await openFileSession();
    const file = join(workspace, "f");
    await fc.assert(
      fc.asyncProperty(cases, async ({ lines: all, at, newText, encoding }) => {
        const index = at % all.length;
        const textOf = (some: readonly Line[]) => some.map(({ text, end }) => text + end).join("");
        const head = textOf(all.slice(0, index));
        const tail = all[index]!.end + textOf(all.slice(index + 1));
        const before = encode(head + all[index]!.text + tail, encoding);
        await writeFile(file, before);
        await session.call("file_read", { path: "f" });
        const outcome = await session.call(tool, changes[tool](all[index]!.text, newText));
        expect(outcome.status).toBe("done");
        const after = await readFile(file);
        const [start, rest] = [
          encode(head, encoding),
          encode(tail, encoding).subarray(marks[encoding].length),
        ];
        expect(after.subarray(0, start.length)).toEqual(start);
        expect(after.subarray(after.length - rest.length)).toEqual(rest);
        const middle = after.subarray(start.length, after.length - rest.length);
        const possible = ends.map((end) =>
          encode(newText.replace("\n", end), encoding).subarray(marks[encoding].length),
        );
        expect(possible.some((bytes) => bytes.equals(middle))).toBe(true);
        expect((await session.undo(outcome.callId)).status).toBe("done");
        expect(await readFile(file)).toEqual(before);
      }),
      { numRuns: fuzzRuns({ sample: 10, full: 1000 }) },
    );
  });
}

const encodings = Object.keys(marks) as Encoding[];

test("file_write keeps the encoding, the mark and the line ends, and undo brings all back", async () => {
  const { session, workspace } = await openFileSession();
  const file = join(workspace, "f");
  for (const encoding of encodings) {
    for (const end of ends) {
      for (const last of ["", end]) {
        const before = encode(`é1${end}😀2${last}`, encoding);
        await writeFile(file, before);
        await session.call("file_read", { path: "f" });
        const written = await session.call("file_write", { path: "f", content: `é1\nneü${last && "\n"}` });
        expect([encoding, end, await readFile(file)]).toEqual([
          encoding,
          end,
          encode(`é1${end}neü${last}`, encoding),
        ]);
        await session.undo(written.callId);
        expect(await readFile(file)).toEqual(before);
      }
    }
  }
});

type LargeCase = readonly [tool: keyof typeof changes, megabytes: number, encoding: Encoding];

test.each(
  casesOf<LargeCase>({
    sample: [["file_edit", 8, "utf-16le"]],
    full: (Object.keys(changes) as (keyof typeof changes)[]).flatMap((tool) =>
      encodings.map((encoding): LargeCase => [tool, 50, encoding]),
    ),
  }),
)(
  "%s changes one line of %i MB in %s and nothing else",
  { timeout: 300_000 },
  async (tool, megabytes, encoding) => {
    const { session, workspace } = await openFileSession();
    const file = join(workspace, "f");
    const filler = "0123456789 é\r\n".repeat(megabytes * (encoding.startsWith("utf-8") ? 33_000 : 18_000));
    await writeFile(file, encode(`${filler}the line\n${filler}`, encoding));
    const outcome = await session.call(tool, changes[tool]("the line", "another line"));
    expect(outcome.status).toBe("done");
    const expected = encode(`${filler}another line\n${filler}`, encoding);
    // Comparing buffers of this size with toEqual would take minutes.
    expect((await readFile(file)).equals(expected)).toBe(true);
  },
);
