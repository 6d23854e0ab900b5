import { expect, test } from "vitest";
import { decide } from "../../../../src/kernel/policy/decide.ts";
import { fc, fuzzRuns } from "../../../support/fuzz.ts";
import { parseSampleRules } from "./parse-sample-rules.ts";

const name = fc.constantFrom("a", "b", "secret", ".env", "x.key", "y.gen.ts", "[ab]", "{a,b}", "**");
const piece = fc.constantFrom(
  ...[
    "a",
    "b",
    "secret",
    ".env",
    "*.key",
    "*.gen.ts",
    "*",
    "**",
    "{a,secret}",
    "[ab]",
    "x*",
    "{a,b}/secret",
    "?.key",
  ],
);
const start = fc.constantFrom("", "", "/", "//", "//place/", "~/");
const pattern = fc
  .tuple(start, fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "/", "/**", ", b/x.key"))
  .map(([from, pieces, end]) => `${from}${pieces.join("/")}${end}`);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));

test("rules that are looked up by what they name decide like rules that are all tried", async () => {
  let decided = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(pattern, { minLength: 1, maxLength: 6 }),
      path,
      path,
      async (patterns, real, written) => {
        const rules = await parseSampleRules({
          deny: patterns.slice(0, 2).map((each) => `file_read(${each})`),
          ask: patterns.slice(2, 4).map((each) => `@read(${each})`),
          allow: patterns.slice(4).map((each) => `file_edit(${each})`),
        }).catch(() => undefined);
        // Some made-up patterns are refused, because they are ambiguous.
        if (rules === undefined) return;
        const at = (relative: string) => ({ relative, absolute: `/place/${relative}` });
        for (const action of ["read", "write"] as const) {
          const request = {
            action,
            target: real,
            path: { real: at(real), written: at(written), isInside: true },
          };
          const by = { tool: "search_grep", requests: [request], mode: "ask", opaque: false } as const;
          const { deny, ask, allow } = rules;
          const wanted = decide({ ...by, rules: { deny, ask, allow } });
          expect(decide({ ...by, rules }).decision).toBe(wanted.decision);
          if (wanted.decidedBy.startsWith("rule")) decided += 1;
        }
      },
    ),
    { numRuns: fuzzRuns({ sample: 300, full: 100_000 }) },
  );
  expect(decided).toBeGreaterThan(50);
});

test("a thousand rules about other paths are not even tried", async () => {
  const numbers = Array.from({ length: 1000 }, (_, at) => at);
  const { near, deny } = await parseSampleRules({
    deny: numbers.map((at) => `file_read(${["pkg", "/src/part", "**/deep/part"][at % 3]}${at}/**)`),
    ask: numbers.map((at) => `@write(*.gen${at})`),
  });
  const real = { relative: "src/part7/a.ts", absolute: "/place/src/part7/a.ts" };
  const found = near?.({ path: { real, written: real } });
  expect(deny).toHaveLength(1000);
  expect(found?.deny.map(({ source }) => source)).toEqual(["file_read(/src/part7/**)"]);
  expect(found?.ask).toEqual([]);
});
