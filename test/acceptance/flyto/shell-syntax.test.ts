import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import type { ApprovalRequest } from "../../../src/index.ts";
import { formatApproval } from "../../../src/kernel/people/format-approval.ts";
import type { CommandOutcome } from "../../../src/tool/services/processes.ts";
import { shareFlyto } from "./share-flyto.ts";

const asked: ApprovalRequest[] = [];
const flyto = shareFlyto({
  permissions: { mode: "auto", deny: ["Bash(git push *)"], ask: ["Bash(grep *)"] },
  onApproval: (request) => {
    asked.push(request);
    return "allow";
  },
  output: { tools: { Bash: 4000 } },
});

const explain = (command: string) => flyto.session.explain("Bash", { command });
const categoryOf = async (command: string) => (await explain(command)).category;
const parsedIn = async (command: string) => (await explain(command)).commands?.map(({ parsed }) => parsed);
const namesIn = async (command: string) => (await parsedIn(command))?.map((parsed) => parsed?.name);

test("F10: a command is parsed before it is judged, so that a forbidden part stops all of it before it starts", async () => {
  for (const hidden of ["echo $(git push)", "if true; then env A=1 git push; fi", "cat <(git push)"]) {
    const { status } = await flyto.call("Bash", { command: `touch f10.txt; ${hidden}` });
    expect(status).toBe("denied");
    expect(existsSync(flyto.at("f10.txt"))).toBe(false);
  }
  const harmless = await flyto.call("Bash", { command: "touch f10.txt; echo 'git push'" });
  expect(harmless).toMatchObject({ status: "done", text: "git push" });
});

test("F11: here-documents, process substitution, shifts, lists, assignments, control structures and redirections are read as bash reads them", async () => {
  // The text of a here-document is no command, unless it is expanded.
  expect(await namesIn("cat <<EOF\nrm x $(touch y)\nEOF\nls")).toEqual(["cat", "touch", "ls"]);
  expect(await namesIn("cat <<'EOF'\nrm x $(touch y)\nEOF\nls")).toEqual(["cat", "ls"]);
  expect(await namesIn("cat <<-EOF\n\trm x\n\tEOF\nls")).toEqual(["cat", "ls"]);
  expect(await namesIn("diff <(sort a) <(touch b)")).toEqual(["diff", "sort", "touch"]);
  // A shift is no here-document: what follows it is still a command.
  expect(await namesIn("echo $((1 << 2))\nrm x\n2")).toEqual(["echo", "rm", "2"]);
  expect(await namesIn("cat a | grep b && make || ls")).toEqual(["cat", "grep", "make", "ls"]);
  expect(await namesIn("FOO=1 BAR=2 rm x")).toEqual(["rm"]);
  expect(await namesIn("if test -e a; then rm b; else touch c; fi")).toEqual(["test", "rm", "touch"]);
  expect(await namesIn("for f in a; do rm $f; done")).toEqual(["rm"]);
  expect(await namesIn("while sleep 1; do touch b; done")).toEqual(["sleep", "touch"]);
  expect(await namesIn("case $1 in a) rm a;; *) mkdir b;; esac")).toEqual(["rm", "mkdir"]);
  expect(await namesIn("function f { rm deep; }; f")).toEqual(["rm", "f"]);
  const [sorted] = (await parsedIn('sort < in > out >> "$LOG" 2>&1')) ?? [];
  expect(sorted?.redirects).toEqual([
    { operator: "<", target: "in", isStatic: true },
    { operator: ">", target: "out", isStatic: true },
    { operator: ">>", target: '"$LOG"', isStatic: false },
    { operator: ">&", descriptor: 2, target: "1", isStatic: true },
  ]);
});

test("F12: each command of a call is told with its real name, arguments, redirections and place in the pipeline", async () => {
  const command = "if A=1 sudo -n nohup env B=2 sort -u < in.txt | head -n 1; then echo $(date); fi";
  const commands = await parsedIn(command);
  expect(commands).toMatchObject([
    {
      name: "sort",
      args: ["-u"],
      wrappers: ["sudo", "nohup", "env"],
      redirects: [{ operator: "<", target: "in.txt" }],
      pipeline: { position: 0, length: 2 },
    },
    { name: "head", args: ["-n", "1"], redirects: [], pipeline: { position: 1, length: 2 } },
    { name: "echo", pipeline: { position: 0, length: 1 } },
    { name: "date", args: [] },
  ]);
  const { receipt } = await flyto.call("Bash", { command: "nohup true f12 > /dev/null" });
  const [recorded] = receipt.verdict?.commands ?? [];
  expect(recorded?.parsed).toMatchObject({ name: "true", args: ["f12"], wrappers: ["nohup"] });
});

test("F13: a command searches, reads, lists, writes, prints nothing, or is of no such kind", async () => {
  const kinds = {
    search: ["grep x f", "rg x", "find . -name x", "ag x", "fd x", "locate x"],
    read: ["cat f", "head f", "tail f", "less f", "wc f", "jq . f", "sort f"],
    list: ["ls", "tree", "du", "df", "ps", "stat f"],
    write: ["echo x > f", "tee f", "sed -i s/a/b/ f"],
    silent: ["mv a b", "cp a b", "rm a", "mkdir a", "touch a", "chmod 644 a"],
    general: ["make", "npm test", "python3 x.py", "./run"],
  };
  for (const [kind, commands] of Object.entries(kinds))
    for (const command of commands) expect([command, await categoryOf(command)]).toEqual([command, kind]);
});

test("F14: one part that writes or is of no kind decides for the whole pipeline; echo, printf and test decide nothing", async () => {
  for (const [reading, neutral] of [
    ["cat f", "echo x"],
    ["ls", "printf x"],
    ["rg x", "test -e f"],
  ]) {
    const own = await categoryOf(reading!);
    expect(own).toMatch(/^(?:read|list|search)$/);
    expect(await categoryOf(`${neutral} | ${reading} && ${neutral}`)).toBe(own);
    expect(await categoryOf(`${reading} | make`)).toBe("general");
    expect(await categoryOf(`${reading} | tee f`)).toBe("write");
  }
  expect(await categoryOf("make | cat f | ls")).toBe("general");
  expect(await categoryOf("ls | cat > f")).toBe("write");
});

test("F15: the purpose of a command decides how its output is cut, and stands in the question for approval and in the result", async () => {
  const lines = Array.from({ length: 2000 }, (_, index) => `line ${index + 1}`).join("\n");
  await flyto.put({ "f15.txt": `${lines}\n` });
  const run = async (command: string) =>
    (await flyto.call("Bash", { command })).data as Pick<CommandOutcome, "stdout" | "category">;
  const found = await run("grep line f15.txt");
  expect(found.category).toBe("search");
  expect(found.stdout).toMatch(/^line 1\n.*bytes left out[^\]]*\] \.\.\.\s*$/s);
  const prompt = formatApproval(asked.find(({ input }) => JSON.stringify(input).includes("f15.txt"))!);
  expect(prompt).toContain("kind: it searches\n");
  const all = await run("cat f15.txt");
  expect(all.category).toBe("read");
  expect(all.stdout).toMatch(/^line 1\n.*bytes left out.*\nline 2000\n$/s);
});
