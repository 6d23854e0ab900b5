import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { countOf } from "../../../../src/shared/text/count-of.ts";
import { openShell, type TestShell } from "../../../support/open-shell.ts";
import { until } from "../../../support/until.ts";

let shell: TestShell;
beforeEach(async () => {
  shell = await openShell();
});
afterEach(() => shell.close());

describe("printed output", () => {
  test("is bounded to 200 KB and 56 KB, and all of it is in the file", async () => {
    const { output } = await shell.run("seq 1000000; seq 100000 >&2", { maxOutputFileBytes: 100_000_000 });
    const { stdout, stderr } = output;
    expect({ stdout: stdout.totalBytes, stderr: stderr.totalBytes }).toEqual({
      stdout: 6_888_896,
      stderr: 588_895,
    });
    expect(Buffer.byteLength(stdout.text)).toBeLessThanOrEqual(200 * 1024);
    expect(Buffer.byteLength(stderr.text)).toBeLessThanOrEqual(56 * 1024);
    expect(stdout.text).toMatch(/^1\n2\n.*\n999999\n1000000\n$/s);
    expect(output).toMatchObject({ fileBytes: 6_888_896 + 588_895, isFileCapped: false });
    const lines = (await readFile(output.file, "utf8")).split("\n");
    expect(lines).toHaveLength(1_100_001);
    expect((await stat(output.file)).mode & 0o777).toBe(0o600);
  });

  test("is in the file byte by byte, be it ever so binary", async () => {
    const { output } = await shell.run("head -c 3000000 /dev/urandom > printed; cat printed", {
      maxOutputFileBytes: 10_000_000,
    });
    const printed = await readFile(join(shell.folder, "printed"));
    expect((await readFile(output.file)).equals(printed)).toBe(true);
    expect(output.stdout).toMatchObject({ binary: expect.any(String), totalBytes: 3_000_000 });
  });

  test("beyond the cap is not in the file, to the byte", async () => {
    const { output } = await shell.run("seq 1000000", { maxOutputFileBytes: 100_001 });
    expect(output).toMatchObject({
      fileBytes: 100_001,
      isFileCapped: true,
      stdout: { totalBytes: 6_888_896 },
    });
    expect((await stat(output.file)).size).toBe(100_001);
    const exact = await shell.run("printf abc", { maxOutputFileBytes: 3 });
    expect(exact.output).toMatchObject({ fileBytes: 3, isFileCapped: false });
  });

  test("character by character arrives whole, wherever the pipe cuts", async () => {
    const command =
      "for i in 1 2 3; do printf '\\xf0\\x9f'; sleep 0.03; printf '\\x99\\x82'; sleep 0.03; done";
    const seen: string[] = [];
    const { output } = await shell.run(command, { onLines: (_, text) => seen.push(text) });
    expect(output.stdout.text).toBe("🙂🙂🙂");
    expect(seen.join("")).toBe("🙂🙂🙂");
  });

  test("is reported line by line while the command runs, each stream separately", async () => {
    const seen: [string, string][] = [];
    const running = await shell.start(
      "echo one; echo two >&2; until [ -e go ]; do sleep 0.01; done; printf three",
      {
        onLines: (stream, text) => seen.push([stream, text]),
      },
    );
    await until(() => seen.length === 2);
    expect(seen.sort()).toEqual([
      ["stderr", "two\n"],
      ["stdout", "one\n"],
    ]);
    await shell.run("touch go");
    await running.ended;
    expect(seen.at(-1)).toEqual(["stdout", "three"]);
  });

  test("without a newline is reported too, after a while", async () => {
    const seen: string[] = [];
    const running = await shell.start("printf 'Password: '; sleep 1000", {
      onLines: (_, text) => seen.push(text),
    });
    await until(() => seen.length > 0);
    expect(seen).toEqual(["Password: "]);
    await running.stop();
  });

  test("survives a listener that throws", async () => {
    const { output } = await shell.run("echo a; sleep 0.2; echo b", {
      onLines() {
        throw new Error("listener");
      },
    });
    expect(output.stdout.text).toBe("a\nb\n");
  });

  test("forever floods neither the listener nor the disk", {
    timeout: 60_000,
  }, async () => {
    const startedAt = performance.now();
    let [reports, reportedCharacters] = [0, 0];
    const running = await shell.start("yes 'a line that is printed over and over'", {
      maxOutputFileBytes: 10_000_000,
      onLines(_, text) {
        reports += 1;
        reportedCharacters += text.length;
      },
    });
    await until(() => running.output().stdout.totalBytes > 100_000_000);
    await running.stop();
    const elapsedMs = performance.now() - startedAt;
    expect(reports).toBeLessThan(elapsedMs / 100 + 3);
    expect(reportedCharacters).toBeLessThan((elapsedMs / 100 + 3) * 17_000);
    expect(running.output()).toMatchObject({ fileBytes: 10_000_000, isFileCapped: true });
  });

  test("without any line end is bounded too", async () => {
    const seen: string[] = [];
    const { output } = await shell.run("head -c 5000000 /dev/zero | tr '\\0' a", {
      onLines: (_, text) => seen.push(text),
    });
    expect(output.stdout).toMatchObject({ totalBytes: 5_000_000 });
    expect(output.stdout.text.length).toBeLessThanOrEqual(200 * 1024);
    expect(seen.join("").length).toBeLessThan(100_000);
  });

  test("is not reported line by line if it is binary", async () => {
    const seen: string[] = [];
    const { output } = await shell.run("printf '\\x89PNG\\r\\n\\x1a\\n'; seq 1000", {
      onLines: (_, text) => seen.push(text),
    });
    expect(seen).toEqual([]);
    expect(output.stdout.text).toBe(
      `[binary output (PNG), ${countOf(output.stdout.totalBytes, "byte")}, not shown]`,
    );
  });
});
