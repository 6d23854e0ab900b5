import { describe, expect, test } from "vitest";
import { openTestSession } from "../../../support/open-test-session.ts";

describe("a rule that forbids a command", () => {
  const permissions = { mode: "auto", deny: ["Bash(git push *)", "Bash(rm -rf *)"] } as const;

  test.each(["git push", "/usr/bin/git push", "./git push", "exec git push", "xargs git push"])(
    "denies %s",
    async (command) => {
      expect(await decisionOn(command, permissions)).toBe("deny");
    },
  );

  test.each([
    "git -C . push",
    "git --no-pager push",
    "git -c a.b=c push origin main",
    "rm -r -f x",
    "rm -fr x",
    "rm x -rf",
    "sh -c 'git push'",
    `bash -c "cd a && git push"`,
    `bash -c 'git "$@"' _ push`,
    "eval git push",
    `eval "git pu""sh"`,
    "trap 'git push' EXIT",
    "alias g='git push'",
    "find . -exec git push \\;",
    "ssh localhost /usr/bin/git push",
    `python3 -c 'import os; os.system("git push")'`,
    `awk 'BEGIN { system("git push") }'`,
    "unshare git push",
    "su -c 'git push'",
    "vim -c '!git push'",
    "echo 'git push' | sh",
    "bash <<'E'\ngit push\nE",
    "bash -s < script.sh",
    "echo push | xargs git",
  ])("asks about %s, which may mean the same", async (command) => {
    expect(await decisionOn(command, permissions)).toBe("ask");
  });

  test.each([
    "git stash push",
    "git commit -m 'do not git push'",
    "git --no-pager log",
    "grep -r 'git push' .",
    "sed 's/git push/git pull/' notes.txt",
    "echo 'git push' > notes.txt",
    "rm -r x",
    "npm run build",
    "bash -c 'git pull'",
    "bash script.sh",
    "ls | xargs touch",
    "docker run --rm alpine",
  ])("leaves %s alone", async (command) => {
    expect(await decisionOn(command, permissions)).toBe("allow");
  });

  test("says which rule may apply, and why that is unclear", async () => {
    const { session } = await openTestSession({ sandbox: "off", permissions });
    expect(await session.explain("shell_run", { command: "sh -c 'git push'" })).toMatchObject({
      decision: "ask",
      decidedBy: "rule deny: Bash(git push *)",
      reason: expect.stringContaining("the deny rule Bash(git push *) may apply: "),
    });
  });
});

test.each(["npm publish", "npm --silent publish", "sh -c 'npm publish'", "$(echo npm) publish"])(
  "a rule that asks about a command asks about %s",
  async (command) => {
    const permissions = { mode: "auto", ask: ["Bash(npm publish *)"] } as const;
    expect(await decisionOn(command, permissions)).toBe("ask");
  },
);

test("a rule on one command alone leaves that command with further words to others", async () => {
  const permissions = { mode: "auto", deny: ["Bash(npm publish)"] } as const;
  expect(await decisionOn("npm publish", permissions)).toBe("deny");
  expect(await decisionOn("npm --silent publish", permissions)).toBe("ask");
  expect(await decisionOn("npm publish --dry-run", permissions)).toBe("allow");
});

test("a rule that allows further words does not lift the floor where there are none", async () => {
  const permissions = { allow: ["Bash(cat *)"] } as const;
  expect(await decisionOn("cat notes.txt", permissions)).toBe("allow");
  expect(await decisionOn("cat .env", permissions)).toBe("ask");
  expect(await decisionOn("cat < .env", permissions)).toBe("ask");
});

async function decisionOn(
  command: string,
  permissions: NonNullable<Parameters<typeof openTestSession>[0]>["permissions"] & object,
): Promise<string> {
  const { session } = await openTestSession({ sandbox: "off", permissions });
  return (await session.explain("shell_run", { command })).decision;
}
