import { expect, test } from "vitest";
import { judgeLine, openWorld } from "./judge-line.ts";

/** Holds that command lines are let through, or ask. */
export function holdLines(
  title: string,
  { harmless = [], asking }: { readonly harmless?: readonly string[]; readonly asking: readonly string[] },
): void {
  if (harmless.length > 0)
    test(`${title}: what only reads is let through`, async () => {
      const world = await openWorld({ "src/index.ts": "", "docs/guide.md": "" });
      const judged = await Promise.all(
        harmless.map(async (line) => ({ line, ...(await judgeLine(line, world)) })),
      );
      const refused = judged.filter(({ isAllowed }) => !isAllowed);
      expect(refused.map(({ line, reasons }) => `${line}: ${reasons.join("; ")}`)).toEqual([]);
    });

  test(`${title}: what may do more asks`, async () => {
    const world = await openWorld({ "src/index.ts": "", "docs/guide.md": "" });
    const judged = await Promise.all(
      asking.map(async (line) => ({ line, ...(await judgeLine(line, world)) })),
    );
    expect(judged.filter(({ isAllowed }) => isAllowed).map(({ line }) => line)).toEqual([]);
  });
}
