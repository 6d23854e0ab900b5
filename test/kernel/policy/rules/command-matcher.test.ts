import { describe, expect, test } from "vitest";
import { openTestSession } from "../../../support/open-test-session.ts";

describe("a rule that forbids a command", () => {
  const permissions = { mode: "auto", deny: ["Bash(git push *)", "Bash(rm -rf *)"] } as const;

  test.each([
    "git push",
    "/usr/bin/git push",
    "./git push",
    "exec git push",
    "xargs git push",
    "sh -c 'git push'",
    `bash -lc "cd a && git push"`,
    `sudo bash -c "bash -c 'git push'"`,
  ])("denies %s", async (command) => {
    expect(await decisionOn(command, permissions)).toBe("deny");
  });

  test.each([
    "git -C . push",
    "git --no-pager push",
    "git -c a.b=c push origin main",
    `bash -c 'git "$@"' _ push`,
    `sh -c "git $x push"`,
    "bash -ic 'git push'",
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
    expect(await session.explain("shell_run", { command: "su -c 'git push'" })).toMatchObject({
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

test("an allow rule covers its command in a script that is given to another shell as it is, and no other", async () => {
  const { session } = await openTestSession({ sandbox: "off", permissions: { allow: ["Bash(npm test)"] } });
  const decisions = async (...commands: string[]) =>
    Promise.all(commands.map(async (command) => (await session.explain("shell_run", { command })).decision));
  expect(
    await decisions("bash -c 'npm test'", "bash -lc 'ls && npm test'", "timeout 5 sh -c 'npm test'"),
  ).toEqual(["allow", "allow", "allow"]);
  expect(
    await decisions(
      "FOO=1 bash -c 'npm test'",
      "bash -c 'npm test' > out",
      "sudo bash -c 'npm test'",
      "bash -c 'npm test; npm publish'",
      "bash -c 'npm test' x",
      "bash -c 'FOO=1 npm test'",
    ),
  ).toEqual(Array.from({ length: 6 }, () => "ask"));
});

test("a rule on one command alone leaves that command with further words to others", async () => {
  const permissions = { mode: "auto", deny: ["Bash(npm publish)"] } as const;
  expect(await decisionOn("npm publish", permissions)).toBe("deny");
  expect(await decisionOn("npm --silent publish", permissions)).toBe("ask");
  expect(await decisionOn("npm publish --dry-run", permissions)).toBe("allow");
});

test.each([
  ["npx tsc:*", ["npx tsc", "npx tsc -p ."], ["npx tscx", "npx -p evil tsc", "npx"]],
  ["make test:*", ["make test", "make test V=1"], ["make", "make tests"]],
  ["python -m pytest:*", ["python -m pytest -q"], ["python -m pip", "python -c x", "python3 -m pytest"]],
  ["docker compose:*", ["docker compose up -d"], ["docker run x"]],
  ["npm run test:*", ["npm run test", "npm run test -- --watch"], ["npm run test:unit", "npm run tests"]],
  ["npm run test*", ["npm run test", "npm run test:unit --watch"], ["npm run lint"]],
  ["npm run * --watch", ["npm run a --watch", "npm run a b --watch"], ["npm run a", "npm run a --watch x"]],
  ["uv run pytest *", ["uv run pytest -q"], ["uv run python"]],
  ["docker exec web ls *", ["docker exec web ls -l"], ["docker exec web sh"]],
  ['node "my script.js" *', ["node 'my script.js' x"], ["node my script.js"]],
  ["npm run a\\ b", ["npm run 'a b'"], ["npm run a b"]],
])("an allow rule %s lets %j run, and asks about %j", async (rule, allowed, others) => {
  const { session } = await openTestSession({ sandbox: "off", permissions: { allow: [`Bash(${rule})`] } });
  for (const [commands, decision] of [
    [allowed, "allow"],
    [others, "ask"],
  ] as const) {
    for (const command of commands) {
      const verdict = await session.explain("shell_run", { command });
      expect([command, verdict.decision]).toEqual([command, decision]);
    }
  }
});

test.each([
  ...[
    "*",
    "* --version",
    "ls*",
    "python:*",
    "python3.12 *",
    "/usr/bin/python3 *",
    "python -m *",
    "python -W ignore *",
  ],
  ...[
    "bash -c *",
    "node -e *",
    "npx *",
    "npx -p x tsc *",
    "npm exec *",
    "docker run *",
    "docker exec web *",
    "ssh host *",
  ],
  ...["uv run *", "find *", "eval *", "timeout *"],
])("an allow rule on %s is refused: it would allow almost anything", async (rule) => {
  const opening = openTestSession({ permissions: { allow: [`Bash(${rule})`] } });
  await expect(opening).rejects.toThrow("would allow almost anything");
});

test.each([
  ["timeout 5 npm test", "timeout is left out"],
  ["sudo apt update", "sudo is left out"],
  ["cd a && npm test", "a rule is matched against each command of a line on its own"],
  [
    "cat a | sort",
    "a rule is matched against each command of a line on its own; write one rule for each, without |",
  ],
  ["NODE_ENV=test npm test", "variables are not part of what a rule matches"],
])("an allow rule on %s is refused: it could match nothing", async (rule, why) => {
  const opening = openTestSession({ permissions: { allow: [`Bash(${rule})`] } });
  await expect(opening).rejects.toThrow(`can match nothing: ${why}`);
});

describe("a deny rule", () => {
  test.each([
    ["sudo *", ["sudo ls", "env sudo ls", "timeout 5 sudo -u x ls", "/usr/bin/sudo ls"]],
    ["xargs *", ["ls | xargs cat", "ls | nice xargs cat"]],
    ["timeout *", ["timeout 5 ls", "timeout $N ls"]],
    ["git * main", ["git push origin main", "git -C . push main"]],
    ["ls*", ["ls", "lsof -x", "/bin/ls -l"]],
    ["docker run*--privileged", ["docker run -it --privileged x --privileged"]],
  ])("on %s binds %j", async (rule, commands) => {
    const permissions = { mode: "auto", deny: [`Bash(${rule})`] } as const;
    const { session } = await openTestSession({ sandbox: "off", permissions });
    for (const command of commands) {
      const verdict = await session.explain("shell_run", { command });
      expect([command, verdict.decision]).toEqual([command, "deny"]);
    }
  });

  test("with a star in the program's name asks about what may run it", async () => {
    const permissions = { mode: "auto", deny: ["Bash(ls*)"] } as const;
    expect(await decisionOn("su -c 'lsof -x'", permissions)).toBe("ask");
    expect(await decisionOn("python3 a.py", permissions)).toBe("allow");
  });
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
