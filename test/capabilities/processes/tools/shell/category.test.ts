import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatApproval } from "../../../../../src/kernel/people/format-approval.ts";
import type { CommandOutcome } from "../../../../../src/tool/services/processes.ts";
import { openTestSession } from "../../../../support/open-test-session.ts";

test("F12: the parsed commands of a call are in its verdict and in its receipt", async () => {
  const { session } = await openTestSession({ permissions: { mode: "auto" }, sandbox: "off" });
  const command = "A=1 sudo -n nohup sort -u < in.txt 2> err.txt | head -n 1 || echo $(date)";
  const { commands = [] } = await session.explain("shell_run", { command });
  expect(commands.map(({ parsed }) => parsed)).toMatchObject([
    {
      name: "sort",
      args: ["-u"],
      wrappers: ["sudo", "nohup"],
      environment: { A: "1" },
      redirects: [
        { operator: "<", target: "in.txt", isStatic: true },
        { operator: ">", descriptor: 2, target: "err.txt", isStatic: true },
      ],
      pipeline: { position: 0, length: 2 },
    },
    { name: "head", args: ["-n", "1"], pipeline: { position: 1, length: 2 } },
    { name: "echo", args: ["$(date)"], pipeline: { position: 0, length: 1 } },
    { name: "date", args: [] },
  ]);
  const { receipt } = await session.call("shell_run", { command: "env A=b true x > /dev/null" });
  expect(receipt.verdict?.commands?.[0]?.parsed).toMatchObject({
    name: "true",
    args: ["x"],
    wrappers: ["env"],
    environment: { A: "b" },
    redirects: [{ operator: ">", target: "/dev/null" }],
  });
});

test("F12: the words of a receipt on a command are bounded, and a part that is not a command is not parsed", async () => {
  const { session } = await openTestSession();
  const many = Array.from({ length: 200 }, (_, index) => `a${index}`).join(" ");
  const wide = await session.explain("shell_run", { command: `echo ${many} ${"x".repeat(5000)}` });
  expect(wide.commands?.[0]?.parsed).toMatchObject({ args: { length: 50 }, omittedArgs: 151 });
  const long = await session.explain("shell_run", { command: `cat <<E\n${"y".repeat(5000)}\nE` });
  expect(long.commands?.[0]?.parsed?.redirects[0]?.target).toHaveLength(200);
  const script = Array.from({ length: 150 }, () => "true").join("; ");
  const { commands = [] } = await session.explain("shell_run", { command: script });
  expect(commands.filter(({ parsed }) => parsed !== undefined)).toHaveLength(100);
  const broken = await session.explain("shell_run", { command: "if then" });
  expect(broken.commands?.every(({ parsed }) => parsed === undefined)).toBe(true);
});

test("F15: of a long search or listing the beginning is kept, of anything else the beginning and the end", async () => {
  const { session, workspace } = await openTestSession({
    permissions: { mode: "auto" },
    sandbox: "off",
    output: { maxCharacters: 4000 },
  });
  const lines = Array.from({ length: 2000 }, (_, index) => `line ${index + 1}`);
  await writeFile(join(workspace, "lines.txt"), `${lines.join("\n")}\n`);
  const run = async (command: string) => {
    const { data, text, truncated } = await session.call("shell_run", { command });
    return { ...(data as CommandOutcome), text, truncated };
  };
  const found = await run("grep line lines.txt");
  expect(found).toMatchObject({ category: "search", truncated: true });
  expect(found.stdout.startsWith("line 1\n")).toBe(true);
  expect(found.stdout).not.toContain("line 2000");
  expect(found.stdout.trimEnd()).toMatch(/bytes left out, from line \d+ of \S+ on\] \.\.\.$/);
  expect(found.text).toContain("narrow the command");
  // All of the room is used for the beginning.
  const both = await run("cat lines.txt");
  expect(both).toMatchObject({ category: "read", truncated: true });
  expect(both.stdout.startsWith("line 1\n")).toBe(true);
  expect(both.stdout.endsWith("line 2000\n")).toBe(true);
  expect(found.omittedFrom!.line).toBeGreaterThan(both.omittedFrom!.line);
  expect(await run("cp lines.txt copy.txt")).toMatchObject({ category: "silent", text: "Done; no output." });
});

test("F15: a person who is asked to approve a command reads what it is for", async () => {
  const { session } = await openTestSession();
  const ask = async (command: string) => {
    const verdict = await session.explain("shell_run", { command });
    const request = { tool: "Bash", input: { command }, verdict, caller: { kind: "code", name: "test" } };
    return formatApproval(request as Parameters<typeof formatApproval>[0], { columns: 200 });
  };
  expect(await ask("grep -r x /etc")).toContain("kind: it searches\n");
  expect(await ask("cp a b")).toContain("kind: it prints nothing\n");
  expect(await ask("npm test")).not.toContain("kind:");
  expect(await ask("ls /etc && npm test")).toContain("ask: ls /etc (lists; ");
});
