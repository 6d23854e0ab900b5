import { expect, test } from "vitest";
import { casesOf } from "../../support/fuzz.ts";
import { openShellWorkspace } from "../../support/open-shell-workspace.ts";
import { findPlainWords } from "./fuzz/plain-words.ts";
import { readSampleRows } from "./sample-rows.ts";

const ways: Readonly<Record<string, (text: string) => string>> = {
  "single quotes": (text) => `'${text}'`,
  "double quotes": (text) => `"${text}"`,
  "a backslash": (text) => `\\${text}`,
  "empty quotes": (text) => `''${text}`,
  "quotes around its end": (text) => `${text.slice(0, 1)}"${text.slice(1)}"`,
};

// With quotes, these would be names of commands, or values that are no assignments.
const unquotable =
  /=|^(?:if|then|elif|else|fi|for|in|do|done|while|until|case|esac|function|time|select|\d+)$/;

test.each(Object.entries(ways).map(([title, quote], number) => ({ title, quote, number })))(
  "a harmless command stays so with $title in its words",
  { timeout: 120_000 },
  async ({ quote, number }) => {
    const { session } = await openShellWorkspace();
    const { harmless } = await readSampleRows();
    const simple = harmless.filter((row) => !isCompound(row.command));
    // Each of them in one way.
    const sample = simple.filter((_, index) => index % Object.keys(ways).length === number);
    const asking: string[] = [];
    for (const { id, command } of casesOf({ sample, full: simple })) {
      const quoted = quoteWords(command, quote);
      if (quoted === command) continue;
      const { decision, reason } = await session.explain("Bash", { command: quoted });
      if (decision !== "allow") asking.push(`${id}: ${quoted}: ${reason}`);
    }
    expect(asking).toEqual([]);
  },
);

/** In brackets, functions and loops a word may be part of the syntax. */
function isCompound(command: string): boolean {
  return /\[\[|\(\)|\b(?:function|for)\b|^\s*[a-z_]+=/.test(command);
}

function quoteWords(command: string, quote: (text: string) => string): string {
  return findPlainWords(command).reduceRight(
    (changed, { start, end, text }) =>
      unquotable.test(text) ? changed : changed.slice(0, start) + quote(text) + changed.slice(end),
    command,
  );
}
