import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const lines = [
  "ls",
  "ls (",
  "cat <<E\nfoo",
  "echo 'a",
  "ls; }",
  "ls | cat",
  "if true; then ls",
  "ls &&",
  "\0",
  "",
];

/** A process in which bash is asked later, with a judge that lets through all that bash has nothing to say about. */
const inBulk = `
  const from = (path) => import(process.argv[1] + "/" + path);
  const { deferBash, judgeInBulk } = await from("defer-bash.ts");
  deferBash();
  let asked = 0;
  const judge = async (line) => {
    asked += 1;
    const { checkSyntax } = await from("../../../../src/machine/shell-syntax/bash-oracle.ts");
    return { decision: (await checkSyntax(line)) === "ok" ? "allow" : "ask" };
  };
  const verdicts = await judgeInBulk(JSON.parse(process.argv[2]), judge);
  console.log(JSON.stringify({ asked, decisions: verdicts.map(({ decision }) => decision) }));
`;

test("commands that are judged in bulk get the verdicts that each would get", async () => {
  const words = [import.meta.dirname, JSON.stringify(lines)];
  const child = promisify(execFile);
  const { stdout } = await child(process.execPath, ["--input-type=module", "-e", inBulk, "--", ...words]);
  const { asked, decisions } = JSON.parse(stdout);
  const isFine = (line: string) => ["ls", "ls | cat", ""].includes(line);
  expect(decisions).toEqual(lines.map((line) => (isFine(line) ? "allow" : "ask")));
  // Once each, and again where bash complains.
  expect(asked).toBe(lines.length + lines.filter((line) => !isFine(line)).length);
});
