import { expect, test } from "vitest";
import type { RuntimeOptions } from "../../../../src/index.ts";
import { openTestSession } from "../../../support/open-test-session.ts";

test.each<[NonNullable<RuntimeOptions["permissions"]>, string, string]>([
  [
    { deny: ["Bash"], allow: ["Bash(npm test)"] },
    "Bash(npm test)",
    "it never decides anything: the deny rule Bash",
  ],
  [
    { deny: ["Bash(git *)"], allow: ["Bash(git push *)"] },
    "Bash(git push *)",
    "it never decides anything: the deny rule Bash(git *)",
  ],
  [
    { ask: ["Read(src/**)"], allow: ["Read(src/*.ts)"] },
    "Read(src/*.ts)",
    "it never decides anything: the ask rule Read(src/**)",
  ],
  [{ deny: ["Read(.env)", "Read(/a/.env)"] }, "Read(/a/.env)", "the deny rule Read(.env) already says so"],
  [{ deny: ["Read(//a/**)", "Read(//a/b)"] }, "Read(//a/b)", "the deny rule Read(//a/**) already says so"],
  [{ allow: ["Bash(npm test)", "Bash"] }, "Bash(npm test)", "the allow rule Bash already says so"],
  [{ deny: ["Bash(a)", "Bash(a)"] }, "Bash(a)", "the deny rule Bash(a) already says so"],
  [{ allow: ["Bash(docker compose:*)"] }, "Bash(docker compose:*)", "it also covers `docker compose run`"],
  [{ deny: ["Read(/etc/passwd)"] }, "Read(/etc/passwd)", "for a path on the disk write //etc/passwd"],
])("%j: %s is told of", async (permissions, subject, message) => {
  const { runtime } = await openTestSession({ permissions });
  expect(runtime.problems()).toEqual([
    {
      source: expect.stringMatching(/^permissions\.(?:allow|ask|deny)$/),
      subject,
      message: expect.stringContaining(message),
      severity: "warning",
      about: "rule",
    },
  ]);
});

test("rules that each decide something are not told of", async () => {
  const { runtime } = await openTestSession({
    permissions: {
      deny: ["Bash(git push *)", "Read(secrets/**)", "Read(*.pem)", "mcp__github__*"],
      ask: ["Bash(git *)", "Edit(/src/**)"],
      allow: [
        "Bash(npm run test:*)",
        "Bash(npx tsc:*)",
        "Read(src/**, test/**)",
        "Edit(lib/[a-c]/*)",
        "Read(~/notes/*)",
      ],
    },
  });
  expect(runtime.problems()).toEqual([]);
});
