import { expect, test } from "vitest";
import { DocumentError } from "../../../src/shared/front-matter/document-error.ts";
import { readFrontMatter } from "../../../src/shared/front-matter/read-front-matter.ts";
import { awaitedCpuMs } from "../../support/cpu-ms.ts";

test("front matter that is made to be slow is read or refused quickly", async () => {
  const size = 2 ** 16 - 100;
  for (const hostile of [
    " ".repeat(2 ** 20),
    " ".repeat(size),
    '"'.repeat(size),
    `"${"\\".repeat(size)}`,
    "a\n ".repeat(size / 3),
    `b${" ".repeat(size)}c`,
    `${" ".repeat(size)}b\u2028c`,
    `b${" #".repeat(size / 2)}\u2028c`,
    `|\n${" b\n".repeat(size / 3)}`,
    `[${"a,".repeat(size / 2)}`,
    `[${'"a",'.repeat(size / 4)}]`,
    `["${"\\".repeat(size)}]`,
    `\n${"- b\n".repeat(size / 4)}`,
    `\n- b${" #".repeat(size / 2)}`,
    "[".repeat(size),
    "{a: ".repeat(size / 4),
    `\n  ${"- ".repeat(size / 2)}`,
    `"${"\\x41".repeat(size / 4)}"`,
    "b: ".repeat(size / 3),
    fieldsOf(5000, (index) => `b${index}: c`),
    fieldsOf(5000, (index) => `b${index}: c: d`),
    fieldsOf(990, (index) => `b${index}: c: ${"d: ".repeat(15)}`),
    fieldsOf(990, (index) => `b${index}: [c, ${"d, ".repeat(15)}`),
    fieldsOf(2000, (index) => `b${index}: &c${index} [*c${index - 1}, *c${index - 1}]`).replace(
      "*c-1, *c-1",
      "",
    ),
  ]) {
    const tookMs = await awaitedCpuMs(async () => {
      try {
        await readFrontMatter(`---\na: ${hostile}\n---\n`);
      } catch (error) {
        expect(error).toBeInstanceOf(DocumentError);
      }
    });
    expect(tookMs).toBeLessThan(2000);
  }
});

function fieldsOf(length: number, field: (index: number) => string): string {
  return `\n${Array.from({ length }, (_, index) => field(index)).join("\n")}`;
}
