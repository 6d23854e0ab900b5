import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import stringWidth from "string-width";
import { expect, test, vi } from "vitest";
import { describeCallInLine } from "../../../src/faces/cli/display/describe-call.ts";
import type { CallEndEvent } from "../../../src/kernel/events/session-event.ts";
import type { CommandOutcome } from "../../../src/tool/services/processes.ts";
import { stopClock } from "../../support/stop-clock.ts";
import { until } from "../../support/until.ts";
import { shareFlyto } from "./share-flyto.ts";

const flyto = shareFlyto();

const run = async (command: string) => {
  const { data, text } = await flyto.call("Bash", { command });
  return { ...(data as CommandOutcome), text };
};
const bytes = (count: number, letter: string) => `yes ${letter} | tr -d '\\n' | head -c ${count}`;

test("F20: of stdout 200 KB and of stderr 56 KB are kept, each by itself, four fifths of it from the beginning", async () => {
  const [most, mostErrors] = [200 * 1024, 56 * 1024];
  const full = await run(`${bytes(most, "o")}; ${bytes(mostErrors, "e")} >&2`);
  expect(full.omitted).toEqual({ stdout: 0, stderr: 0 });
  expect(full.stdout.length + full.stderr.length).toBe(256 * 1024);
  expect(full.text).toBe(`${"o".repeat(most)}\n[stderr] ${"e".repeat(mostErrors)}`);

  const cutOut = await run(`${bytes(most + 1, "o")}; echo fine >&2`);
  expect(cutOut.omitted.stderr).toBe(0);
  expect(Buffer.byteLength(cutOut.stdout)).toBeLessThanOrEqual(most);
  const [head, tail] = cutOut.stdout.split(/\n\n\.\.\. \[\d+ bytes left out.*?\] \.\.\.\n\n/);
  const kept = head!.length + tail!.length;
  expect(kept + cutOut.omitted.stdout).toBe(most + 1);
  expect(kept / most).toBeGreaterThan(0.99);
  expect(head!.length / kept).toBeCloseTo(0.8, 3);

  const cutErrors = await run(`echo fine; (${bytes(mostErrors, "e")}; echo) >&2`);
  expect(cutErrors.omitted.stdout).toBe(0);
  expect(cutErrors.omitted.stderr).toBeGreaterThan(0);
  expect(Buffer.byteLength(cutErrors.stderr)).toBeLessThanOrEqual(mostErrors);

  // Bytes are counted, and no character is cut in half.
  const wide = "printf '漢%.0s' {1..68266}";
  expect((await run(wide)).stdout).toBe("漢".repeat(68_266));
  const tooWide = await run(`${wide}; printf 漢`);
  expect(tooWide.omitted.stdout).toBeGreaterThan(0);
  expect(tooWide.stdout).not.toContain("\ufffd");
  expect((await run("printf 'one\\ntwo\\n' >&2")).text).toBe("[stderr] one\n[stderr] two");
});

test("F21: output that begins as one of thirteen binary formats, holds a NUL or is not UTF-8 is named instead of shown", async () => {
  const heads = {
    ELF: "\\x7fELF\\x02",
    PNG: "\\x89PNG\\r\\n\\x1a\\n",
    JPEG: "\\xff\\xd8\\xff\\xe0",
    PDF: "%%PDF-1.7",
    GIF: "GIF89a",
    GZIP: "\\x1f\\x8b\\x08",
    ZIP: "PK\\x03\\x04",
    TAR: `%0257dustar`,
    WASM: "\\0asm",
    "Mach-O 32": "\\xfe\\xed\\xfa\\xce",
    "Mach-O 64": "\\xcf\\xfa\\xed\\xfe",
    BMP: "BM\\x36\\1\\1\\1\\0\\0\\0\\0",
    "WEBP/RIFF": "RIFF\\x24\\1\\1\\1WEBP",
    "NUL bytes": "%0511d\\0",
    "not UTF-8": "caf\\xe9 au lait",
  };
  const told = await Promise.all(
    Object.values(heads).map(async (head) => (await run(`printf '${head}more'`)).stdout),
  );
  expect(told.map((text) => /^\[binary output \((.+)\), \d+ bytes, not shown\]$/.exec(text)?.[1])).toEqual(
    Object.keys(heads),
  );
  expect((await run("printf '%0512d\\0'")).text).not.toContain("binary");
});

test("F22: how long it took is said of a command that took more than five seconds", async () => {
  stopClock();
  const take = async (name: string, milliseconds: number) => {
    const running = run(`touch ${name}-began; until [ -e ${name} ]; do sleep 0.01; done; echo over`);
    await until(() => existsSync(flyto.at(`${name}-began`)));
    await vi.advanceTimersByTimeAsync(milliseconds);
    await writeFile(flyto.at(name), "");
    return (await running).text;
  };
  expect(await take("f22-short", 5000)).toBe("over");
  expect(await take("f22-long", 5100)).toBe("over\nIt took 5.1 s.");
});

test("F23: a full-width character counts as two columns where a call is shown in a terminal's line", async () => {
  const { callId } = await flyto.call("Bash", { command: "echo 查找文件里的字 查找文件里的字; echo 完成" });
  const event = await endOf(callId);
  const plain = (_style: unknown, text: string) => text;
  const line = (maxColumns: number) =>
    describeCallInLine(event, { style: plain, workspace: flyto.workspace, maxColumns });
  for (const columns of [30, 31, 32, 33, 40]) {
    const width = stringWidth(line(columns));
    expect(width).toBeLessThanOrEqual(columns);
    expect(width).toBeGreaterThanOrEqual(columns - 2);
  }
  expect(line(40)).toMatch(/^✓ Bash echo 查找.*…: 完成 /);
});

test("F24: lines that a command prints are reported while it still runs", async () => {
  const seen: unknown[] = [];
  const onProgress = async (update: unknown) => {
    seen.push(update);
    // It waits for this, so it ends only if its first line came before its end.
    await writeFile(flyto.at("f24-go"), "");
  };
  const command = "echo first; until [ -e f24-go ]; do sleep 0.01; done; echo second";
  const { text } = await flyto.session.call("Bash", { command }, { onProgress });
  expect(text).toBe("first\nsecond");
  expect(JSON.stringify(seen)).toMatch(/first.*second/);
});

async function endOf(callId: string): Promise<CallEndEvent> {
  for await (const event of flyto.session.events())
    if (event.type === "call-end" && event.callId === callId) return event;
  throw new Error("the call has no end");
}
