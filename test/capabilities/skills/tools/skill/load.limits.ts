import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFileSession } from "../../../../support/open-file-session.ts";

function skill(description: string, body = "Do it.\n"): string {
  return `---\ndescription: ${description}\n---\n${body}`;
}

test("a SKILL.md of 100 MB takes no memory", async () => {
  const { session, workspace } = await openFileSession({
    ".skills/huge/SKILL.md": skill("Huge"),
  });
  await truncate(join(workspace, ".skills/huge/SKILL.md"), 100 * 2 ** 20);
  const before = process.memoryUsage().rss;
  expect((await session.call("skill_load", { name: "huge" })).error?.message).toContain("104857600 bytes");
  expect(process.memoryUsage().rss - before).toBeLessThan(50 * 2 ** 20);
});
