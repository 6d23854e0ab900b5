import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Session } from "../../../../../src/index.ts";
import { fc, fuzzRuns } from "../../../../support/fuzz.ts";
import { openTestSession } from "../../../../support/open-test-session.ts";

const free = { permissions: { mode: "auto" }, sandbox: "off" } as const;

interface Names {
  readonly dialect: string;
  readonly run: string;
  readonly read: string;
  readonly path: string;
  /** What the dialect counts lines from. */
  readonly firstLine: number;
}

const dialects: readonly Names[] = [
  { dialect: "flyto", run: "Bash", read: "Read", path: "file_path", firstLine: 0 },
  {
    dialect: "internal",
    run: "internal_system_execute",
    read: "internal_file_read",
    path: "path",
    firstLine: 1,
  },
];

test.each(dialects)(
  "output that a command's result leaves out is read where it says, in $dialect",
  async (names) => {
    const output = { maxCharacters: 20_000 };
    const { session } = await openTestSession({ ...free, dialect: names.dialect, output });
    const { text, truncated, storedPath } = await session.call(names.run, { command: "seq 1 30000" });
    expect(text.length).toBeLessThanOrEqual(20_000);
    expect(truncated).toBe(true);
    expect(text.match(/left out|truncated/g)).toHaveLength(1);
    const [, head, bytes, line, path, tail, offset] = cutText.exec(text)!;
    expect(path).toBe(storedPath);
    expect(Number(offset)).toBe(Number(line) - 1 + names.firstLine);
    expect(Buffer.byteLength(`${head}${tail}`) + Number(bytes)).toBe(168_894);
    const firstMissing = Number(head!.trimEnd().split("\n").at(-1)) + 1;
    expect(Number(line)).toBe(firstMissing);
    const next = await session.call(names.read, {
      [names.path]: storedPath,
      offset: Number(offset),
      limit: 1,
    });
    expect(next.text.split("\n")[0]!.trim()).toBe(`${line}\t${firstMissing}`);
  },
);

const cutText =
  /^(.*\n)\n\n\.\.\. \[(\d+) bytes left out, from line (\d+) of (\S+) on\] \.\.\.\n\n(.*\n)The full output is in \S+; read what is missing with \w+, offset=(\d+)\.$/s;

test("the parts left out of stdout and stderr are both named, and the hint to read on names the first", async () => {
  const { session } = await openTestSession(free);
  const command = "seq -f 'out %.0f' 1 20000; seq -f 'err %.0f' 1 20000 >&2";
  const { text, storedPath = "" } = await session.call("shell_run", { command });
  const places = [...text.matchAll(/from line (\d+) of/g)].map(([, line]) => Number(line));
  expect(places).toHaveLength(2);
  for (const [index, kind] of ["out", "err"].entries()) {
    const shown = text.replaceAll("[stderr] ", "").split(/\n\n\.\.\. \[.*?\] \.\.\.\n\n/)[index]!;
    const last = Number(shown.trimEnd().split(" ").at(-1));
    const next = await session.call("file_read", { path: storedPath, offset: places[index], limit: 1 });
    expect(next.text.split("\n")[0]).toMatch(new RegExp(`\\t${kind} ${last + 1}$`));
  }
  expect(text).toContain(`offset=${Math.min(...places) - 1}.`);
});

/** Lines as programs print them: some empty, some longer than a page, with colours, and in any script. */
const printed = fc
  .array(
    fc.oneof(
      fc.constant(""),
      fc.string({ unit: "grapheme", maxLength: 80 }),
      fc.constant("\x1b[32mok\x1b[0m"),
      fc.integer({ min: 1000, max: 8000 }).map((length) => "x漢".repeat(length / 2)),
    ),
    { minLength: 20, maxLength: 60, size: "max" },
  )
  .map((lines) => lines.map((line) => line.replace(/[\0\r\n\v\f\x08]/g, "")).join("\n"));

test("head, stored rest and tail are the whole output, whatever was printed", async () => {
  const { session, workspace } = await openTestSession({ ...free, output: { maxCharacters: 3000 } });
  await fc.assert(
    fc.asyncProperty(printed, async (whole) => {
      await writeFile(join(workspace, "printed"), whole);
      const { text, storedPath } = await session.call("shell_run", { command: "cat printed" });
      expect(text.length).toBeLessThanOrEqual(3000);
      if (storedPath === undefined) return;
      const [head, tail] = text.split(/\n\n\.\.\. \[\d+ bytes left out, from .* on\] \.\.\.\n\n/s);
      const [, offset, column] = /with Read, offset=(\d+)(?:, column=(\d+))?\.$/.exec(text)!;
      const start = { offset: Number(offset), ...(column !== undefined && { column: Number(column) }) };
      const rest = await readOn(session, storedPath, start);
      const lines = whole.split("\n");
      expect(rest).toBe(
        [lines[start.offset]!.slice((start.column ?? 1) - 1), ...lines.slice(start.offset + 1)]
          .join("\n")
          .replace(/\n$/, ""),
      );
      const before = [
        ...lines.slice(0, start.offset),
        ...(column ? [lines[start.offset]!.slice(0, start.column! - 1)] : [""]),
      ];
      expect(head).toBe(plain(before.join("\n")));
      expect(plain(whole).endsWith(tail!.slice(0, tail!.lastIndexOf("\nThe full output is in")))).toBe(true);
    }),
    { numRuns: fuzzRuns({ sample: 2, full: 200 }) },
  );
});

function plain(text: string): string {
  return text.replaceAll(/\x1b\[\d+m/g, "");
}

/** Reads a stored text from a place to its end, by the marks of each page. */
async function readOn(
  session: Session,
  path: string,
  start: { offset: number; column?: number },
): Promise<string> {
  const lines: string[] = [];
  for (let next: object | undefined = { ...start }; next !== undefined; ) {
    const asked: object = { file_path: path, ...next };
    const { text } = await session.call("Read", asked);
    const page = text.split("\n");
    const more = /^\(Showing .*Continue with offset=(\d+)\.\)$/.exec(page.at(-1)!)?.[1];
    for (const shown of more === undefined ? page : page.slice(0, -1)) {
      let words = shown.replace(/^ *\d+\t(?:\(after [\d,]+ characters?\) …)?/, "");
      for (;;) {
        const cut = /^(.*)… \([\d,]+ more characters? in this line: offset=(\d+), column=(\d+)\)$/s.exec(
          words,
        );
        if (cut === null) break;
        const [, begun, offset, column] = cut;
        const input = { file_path: path, offset: Number(offset), column: Number(column), limit: 1 };
        const [part] = (await session.call("Read", input)).text.split("\n");
        words = begun + part!.replace(/^ *\d+\t\(after [\d,]+ characters?\) …/, "");
      }
      lines.push(words);
    }
    next = more === undefined ? undefined : { offset: Number(more) };
  }
  return lines.join("\n");
}

test("a stored output can be read even where it is not text everywhere", async () => {
  const { session } = await openTestSession(free);
  const command = "seq 1 20000; printf 'caf\\xe9\\n'; seq 1 20000";
  const { storedPath } = await session.call("shell_run", { command });
  const { text } = await session.call("Read", { file_path: storedPath, offset: 20_000, limit: 1 });
  expect(text.split("\n")[0]).toBe(" 20001\tcaf\ufffd");
});

test("a background job's output comes in pages of whole lines, and together they are all of it", async () => {
  const { session } = await openTestSession({ ...free, output: { maxCharacters: 2000 } });
  await session.call("Bash", { command: "seq 1 3000", run_in_background: true });
  const job = "bg_task_1";
  await session.call("shell_output", { job, wait_for_line: "^3000$" });
  let whole = "";
  for (let cursor = 0, hasMore = true; hasMore; ) {
    const page = await session.call("shell_output", { job, cursor });
    expect(page.text.length).toBeLessThanOrEqual(2000);
    const data = page.data as { text: string; cursor: number; hasMore: boolean };
    expect(data.text.endsWith("\n")).toBe(true);
    expect(page.truncated).toBe(data.hasMore ? true : undefined);
    whole += data.text;
    ({ cursor, hasMore } = data);
  }
  expect(whole).toBe(Array.from({ length: 3000 }, (_, index) => `${index + 1}\n`).join(""));
});

test("a stored output that is read from outside has its secrets masked, and lies nowhere else", async () => {
  const { session, runtime, workspace } = await openTestSession({ ...free, secrets: ["correct-horse"] });
  const command = "seq 1 60000; echo correct-horse";
  const { receipt, storedPath } = await session.call("Bash", { command });
  expect(receipt.storedPath).toBe(storedPath);
  expect((await runtime.readOutput(receipt))?.endsWith("\n60000\n[redacted]\n")).toBe(true);
  await writeFile(join(workspace, "a.txt"), "a");
  expect(await runtime.readOutput({ storedPath: join(workspace, "a.txt") })).toBeUndefined();
});
