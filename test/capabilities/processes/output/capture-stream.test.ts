import { describe, expect, test } from "vitest";
import { captureStream } from "../../../../src/capabilities/processes/output/capture-stream.ts";

const limit = 1000;

describe("a stream", () => {
  test("that fits is given whole", () => {
    const text = "é".repeat(limit / 2);
    expect(capture(Buffer.from(text))).toEqual({ text, totalBytes: limit, omittedBytes: 0 });
  });

  test("that does not gives its beginning, how much is missing, and its end", () => {
    const lines = Array.from({ length: 2000 }, (_, number) => `line ${number}\n`).join("");
    const { text, totalBytes, omittedBytes } = capture(Buffer.from(lines));
    const [head, tail] = text.split(/\n\n\.\.\. \[\d+ bytes left out\] \.\.\.\n\n/) as [string, string];
    expect(text).toContain(`[${omittedBytes} bytes left out]`);
    expect(totalBytes).toBe(lines.length);
    expect(head.length + omittedBytes + tail.length).toBe(totalBytes);
    expect(lines.startsWith(head) && lines.endsWith(tail)).toBe(true);
    expect(head.length / (head.length + tail.length)).toBeCloseTo(0.8, 1);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
  });

  test.each(["é", "漢", "🙂", "a🙂é漢"])("of %s is never cut inside a character", (characters) => {
    for (let shift = 0; shift < 4; shift++) {
      const whole = "x".repeat(shift) + characters.repeat(2000);
      const { text, totalBytes, omittedBytes } = capture(Buffer.from(whole));
      expect(text).not.toContain("\ufffd");
      const kept = text.replace(/\n\n\.\.\. .* \.\.\.\n\n/, "");
      expect(Buffer.byteLength(kept) + omittedBytes).toBe(totalBytes);
    }
  });

  test("is the same however it arrives", () => {
    const whole = Buffer.from("a🙂é漢\n".repeat(700));
    const expected = capture(whole);
    for (const size of [1, 2, 3, 7, 64, 511, 4096]) expect(capture(whole, size)).toEqual(expected);
  });

  test("stays within its limit when bytes that are not UTF-8 grow to three", () => {
    const mixed = Buffer.concat([Buffer.alloc(600, "a"), Buffer.alloc(50_000, 0xe9), Buffer.alloc(10, "z")]);
    const { text, omittedBytes, totalBytes } = capture(mixed);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
    expect(text.startsWith("a".repeat(600))).toBe(true);
    expect(text.endsWith("z".repeat(10))).toBe(true);
    const kept = text.replace(/\n\n\.\.\. .* \.\.\.\n\n/, "").length;
    expect(kept + omittedBytes).toBe(totalBytes);
    const few = Buffer.concat([Buffer.alloc(600, "a"), Buffer.alloc(399, 0xe9)]);
    expect(Buffer.byteLength(capture(few).text)).toBeLessThanOrEqual(limit);
  });

  test("with control sequences gives the text alone", () => {
    expect(capture(Buffer.from("\x1b[32mok\x1b[0m\r\n10%\r100%\n")).text).toBe("ok\n100%\n");
  });

  test("that is binary gives a notice instead", () => {
    expect(capture(Buffer.from("\x89PNG\r\n\x1a\n and more", "latin1"))).toEqual({
      text: "[binary output (PNG), 17 bytes, not shown]",
      totalBytes: 17,
      omittedBytes: 17,
      binary: "PNG",
    });
  });

  test("can be looked at while it goes on", () => {
    const stream = captureStream({ maxBytes: limit });
    expect(stream.read().text).toBe("");
    stream.add(Buffer.from("one\n"));
    expect(stream.read().text).toBe("one\n");
    stream.add(Buffer.from("two\n"));
    expect(stream.read()).toEqual({ text: "one\ntwo\n", totalBytes: 8, omittedBytes: 0 });
  });
});

/** Adds chunks through reused memory, as when a pipe is read. */
function capture(whole: Buffer, chunkBytes = whole.length) {
  const stream = captureStream({ maxBytes: limit });
  const memory = Buffer.alloc(chunkBytes);
  for (let at = 0; at < whole.length; at += chunkBytes) {
    const length = whole.copy(memory, 0, at, at + chunkBytes);
    stream.add(memory.subarray(0, length));
  }
  return stream.read();
}
