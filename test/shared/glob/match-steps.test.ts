import { expect, test } from "vitest";
import { anyNumber, matchSteps } from "../../../src/shared/glob/match-steps.ts";
import { fc } from "../../support/fuzz.ts";

type Step = string | typeof anyNumber;

const texts = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
const steps = fc.array(
  fc.oneof(
    fc.constant<Step>(anyNumber),
    fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 2 }),
  ),
  { maxLength: 8 },
);

test("matching by steps says what trying every way of taking up the text says", () => {
  fc.assert(
    fc.property(steps, texts, (pattern, text) => {
      const found = matchSteps(pattern, text.length, (step, at) => lengthOf(step, text, at));
      expect(found).toBe(matchInAnyWay(pattern, text));
    }),
    { numRuns: 2000 },
  );
});

test("matching by steps asks at most once for every pair of a step and a place", () => {
  fc.assert(
    fc.property(steps, texts, (pattern, text) => {
      let asked = 0;
      matchSteps(pattern, text.length, (step, at) => {
        asked += 1;
        return lengthOf(step, text, at);
      });
      expect(asked).toBeLessThanOrEqual(pattern.length * text.length);
    }),
    { numRuns: 2000 },
  );
});

function lengthOf(step: string, text: string, at: number): number {
  return text.startsWith(step, at) ? step.length : 0;
}

function matchInAnyWay([first, ...rest]: readonly Step[], text: string): boolean {
  if (first === undefined) return text === "";
  if (first !== anyNumber) return text.startsWith(first) && matchInAnyWay(rest, text.slice(first.length));
  return [...text, ""].some((_, taken) => matchInAnyWay(rest, text.slice(taken)));
}
