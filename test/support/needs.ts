import { type TestAPI, test } from "vitest";
import { type MachinePart, machineParts } from "./machine-parts.ts";

declare module "vitest" {
  interface TaskMeta {
    /** Why a test was left out; the run's summary counts them by it. */
    skipReason?: string;
  }
}

/** A part that several files need, or a look at what only one of them does: why it is missing, or undefined. */
type Need = MachinePart | (() => Promise<string | undefined> | string | undefined);

/**
 * Declares tests that need more than Node, git and a shell. Where something is missing they are left out, and the run's
 * summary says why. Nothing else leaves tests out, so that none goes missing unnoticed.
 */
export async function needs(...parts: readonly Need[]): Promise<DeclareTest> {
  for (const part of parts) {
    const reason = await (typeof part === "string" ? machineParts[part] : part)();
    if (reason !== undefined) return leaveOut(reason);
  }
  return test;
}

type DeclareTest = Pick<TestAPI, "each"> & {
  (title: string, body: TestBody, timeoutMs?: number): void;
  (title: string, options: { timeout?: number }, body: TestBody): void;
};

type TestBody = () => unknown;

function leaveOut(skipReason: string): DeclareTest {
  const options = { skip: true, meta: { skipReason } };
  const each = (cases: readonly unknown[]) => (title: string) => test.each(cases)(title, options, () => {});
  return Object.assign((title: string) => void test(title, options, () => {}), {
    each: each as TestAPI["each"],
  });
}
