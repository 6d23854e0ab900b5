import { analyse } from "scslre";
import { expect, test } from "vitest";
import { expressions, looksSlow } from "./expression-reasons.ts";
import { findExpressions } from "./find-expressions.ts";

/** Where expressions are put together, of what, and why that cannot be slow. */
const composed: Readonly<Record<string, string>> = {
  "capabilities/agents/worktrees/registrations.ts": "a name of ours, escaped, and digits at its end",
  "capabilities/files/edit/find-match.ts": "a class of characters",
  "capabilities/files/edit/line-folds.ts": "single characters and a class, one of them",
  "capabilities/files/fit/fit-lines.ts": "a class of characters",
  "capabilities/files/fit/typography.ts": "classes of characters",
  "formats/streams/partial-arguments.ts": "a pattern of ours with another flag",
  "machine/command-reading/languages/awk-program.ts": "names of ours, one of them",
  "machine/sandbox/recognize-denial.ts": "words of ours, one of them",
  "shared/glob/name-test.ts": "one repetition between two anchors",
  "shared/json-schema/schema-site.ts":
    "the pattern of a schema that the author of a tool wrote; those of MCP servers are taken out before",
  "shared/secrets/mask-named-values.ts":
    "names of ours, and repetitions that are limited or followed by nothing",
  "shared/secrets/redact.ts": "the literals next to it, one of them",
  "shared/text/clean-text.ts": "a class of characters",
  "shared/text/escape-controls.ts": "a class of characters",
  "shared/text/plain-text.ts": "three literals next to it, one of them",
  "shared/text/show-look-alikes.ts": "classes of characters, one of them, or repeated without anything after",
};

test("every expression that could take more than linear time is listed with its reason", async () => {
  const files = await expressions;
  const slow = files.flatMap(({ file, literals }) =>
    literals
      .filter(({ pattern: source, flags }) => analyse({ source, flags }).reports.length > 0)
      .map(({ pattern, flags }) => `${file}: /${pattern}/${flags}`),
  );
  expect([...new Set(slow)].sort()).toEqual(Object.keys(looksSlow).sort());
  expect(files.flatMap(({ file, composed: found }) => (found.length > 0 ? file : []))).toEqual(
    Object.keys(composed),
  );
}, 120_000);

test("an expression that takes more than linear time is found, and one that takes linear time is not", () => {
  const found = (expression: RegExp) =>
    analyse({ source: expression.source, flags: expression.flags }).reports.length > 0;
  expect([/a+$/, /^\s*b/m, /(a|a)*b/, /^a*a*$/, /\(.*\)$/s].map(found)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  expect([/^a+$/, /a+/, /[ab]/, /^(?:ab)*$/].map(found)).toEqual([false, false, false, false]);
  const source = "const a = /x+$/; const b = new RegExp(`y`); // /no+$/";
  expect(findExpressions("a.ts", source)).toEqual({
    literals: [{ pattern: "x+$", flags: "" }],
    composed: ["new RegExp(`y`)"],
  });
});
