import { expect, test } from "vitest";
import { openTestSession } from "../support/open-test-session.ts";

test("a command that names too many others, or a revision with too many colons, needs approval", async () => {
  const { session } = await openTestSession({ permissions: { mode: "ask", allow: ["Bash(git show *)"] } });
  const reasonOf = async (command: string) => {
    const { decision, reason } = await session.explain("shell_run", { command });
    return `${decision}: ${reason}`;
  };
  expect(await reasonOf(`${"env ".repeat(21)}ls`)).toMatch(
    /^ask: .*more than 20 commands are around another/,
  );
  expect(await reasonOf(`git show ${"a:".repeat(17)}a`)).toMatch(/^ask: .*more colons than can be followed/);
});
