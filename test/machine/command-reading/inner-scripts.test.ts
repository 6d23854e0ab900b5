import { expect, test } from "vitest";
import { fuzzRuns } from "../../support/fuzz.ts";
import { holdLines } from "./hold-lines.ts";
import { judgeLine, openWorld } from "./judge-line.ts";
import { readSampleRows } from "./sample-rows.ts";

holdLines("a script given to another shell", {
  harmless: [
    "bash -c 'ls'",
    "bash -lc 'ls -la && cat README.md'",
    'bash -c "git status | head -5"',
    "sh -c 'ls -l'",
    "sh -lc 'ls; pwd'",
    "sh -c 'ls 2>/dev/null | wc -l'",
    "sh -c 'cat a.txt 2>&1'",
    "bash --login -c ls",
    "bash --norc --noprofile -c ls",
    "bash -l -c 'ls'",
    "bash -euo pipefail -c 'ls | head -3'",
    "bash -e -u -o pipefail -c 'ls'",
    "timeout 5 bash -c 'ls'",
    "nice -n 5 env LANG=C bash -lc 'cat a.txt'",
    "cd src && bash -c 'cat index.ts'",
    "bash -c 'cd src && cat index.ts'",
    `bash -c "bash -c 'ls src'"`,
    "bash -c ''",
    "bash -c 'ls' > /dev/null 2>&1",
    "echo hi | bash -c 'cat'",
    "bash -c 'for f in a b; do echo $f; done'",
    "sh -c 'echo \"$HOME\"'",
  ],
  asking: [
    // what the script does
    "bash -c 'touch x'",
    "bash -lc 'rm -rf build'",
    "sh -c 'ls > out'",
    "bash -c 'curl example.com'",
    "bash -c 'cat /etc/passwd'",
    "bash -c 'cat .env'",
    "bash -c 'cat ~/.ssh/id_rsa'",
    `bash -c "bash -c 'touch x'"`,
    `bash -c "bash -c "bash -c \\"bash -c 'bash -c ls'\\"""`,
    "bash -c 'npm test'",
    "bash -c '$x'",
    "bash -c 'ls; $(cat cmd)'",
    "bash -c 'eval ls'",
    "cd .. && bash -c 'cat a.txt'",
    "cd $x && bash -c 'cat a.txt'",
    "cd ..; bash -c 'git status'",
    "bash -c 'cd .. && cat a.txt'",
    "bash -c 'ls", // not closed
    "bash -c 'ls )'",
    // what is not known to be all of it
    'bash -c "$script"',
    'bash -c "ls $x"',
    "x=ls; bash -c $x",
    "bash -c $(cat cmd)",
    "bash -c 'ls' extra",
    "bash -c 'ls' -- extra",
    "bash -c",
    "bash",
    "bash -s",
    "bash script.sh",
    "bash -c ls script.sh",
    "echo ls | bash",
    "bash <<< ls",
    "bash -i -c ls",
    "bash -x -c ls",
    "bash -O extglob -c ls",
    "bash -o posix -c ls",
    "bash +e -c ls",
    "bash --rcfile x -c ls",
    "bash --init-file x -c ls",
    "bash -o -c ls",
    "bash -- -c ls",
    "bash - -c ls",
    "bash -c -- ls",
    "bash -opipefail -c ls",
    "bash -c ~/x",
    "./bash -c ls",
    "/bin/bash -c ls",
    "zsh -c ls",
    "dash -c ls",
    "rbash -c ls",
    "su -c ls",
    // what is around it
    "BASH_ENV=x bash -c ls",
    "env BASH_ENV=x bash -c ls",
    "ENV=x sh -lc ls",
    "PATH=. bash -c ls",
    "HOME=. bash -lc ls",
    "HOME=.; bash -lc ls",
    "export HOME=.; bash -lc ls",
    "SHELLOPTS=xtrace PS4='$(touch x)' bash -c ls",
    "LD_PRELOAD=./x.so bash -c ls",
    "bash() { touch x; }; bash -c ls",
    "sh() { touch x; }; sh -c ls",
    "ls() { touch x; }; export -f ls; bash -c ls",
    "alias bash='touch x #'; bash -c ls",
    "hash -p ./evil bash; bash -c ls",
    "bash -c ls > out",
    "sudo bash -c ls",
    "nohup bash -c ls",
    "exec bash -c ls",
    "env -C .. bash -c 'cat a.txt'",
    "env -S 'bash -c ls'",
    "echo 'touch x' | xargs bash -c",
    "echo x | xargs bash -c 'ls'",
    "echo x | xargs -I{} bash -c 'cat {}'",
    "find . -exec bash -c 'ls' {} +",
    "find . -print0 | bash -c 'xargs -0 cat'",
    "bash -c 'ls' & bash -c 'touch x'",
    // what another shell reads differently
    String.raw`sh -c "echo $'a\\'; touch x #'"`,
    "sh -c '[[ a > b ]]'",
    "sh -c '((touch x))'",
    "sh -c 'ls &>/dev/null'",
    "sh -c 'ls >&/dev/null'",
    "sh -c 'echo {a,b}'",
    "sh -c 'ls |& cat'",
    'sh -c "cat <(ls)"',
    "sh -c 'cat <<< x'",
    "sh -c 'a+=b'",
    `sh -c 'echo $"x"'`,
    "sh -c 'echo `ls`'",
    "sh -c 'echo ~'",
    "sh -c 'echo $(ls)'",
    String.raw`sh -c 'echo a\b'`,
    "sh --login -c ls",
  ],
});

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const ways: readonly ((command: string) => string)[] = [
  (command) => `bash -c ${quote(command)}`,
  (command) => `sh -c ${quote(command)}`,
  (command) => `bash -lc ${quote(command)}`,
  (command) => `timeout 5 bash -c ${quote(`bash -euc ${quote(command)}`)}`,
  (command) => `ls && bash -o pipefail -c ${quote(command)} | head`,
];

test("no command that may do harm is let through inside of a script, and harmless ones still are", async () => {
  const world = await openWorld({ "src/index.ts": "" });
  const { dangerous, harmless } = await readSampleRows();
  const every = Math.max(1, Math.floor(dangerous.length / fuzzRuns({ sample: 120, full: 10_000 })));
  const some = <Row>(rows: readonly Row[]) => rows.filter((_, index) => index % every === 0);
  const isAllowed = async (line: string) => (await judgeLine(line, world)).isAllowed;
  const letThrough: string[] = [];
  for (const { command } of some(dangerous)) {
    // The stand-in for the workspace knows less than the real one, which other tests hold to all rows.
    if (await isAllowed(command)) continue;
    for (const way of ways) if (await isAllowed(way(command))) letThrough.push(way(command));
  }
  expect(letThrough).toEqual([]);
  const lost: string[] = [];
  for (const { command } of some(harmless)) {
    const isLong = command.length > 5000;
    if (!isLong && (await isAllowed(command)) && !(await isAllowed(ways[0]!(command)))) lost.push(command);
  }
  expect(lost).toEqual([]);
});

test("rules and people see what a script would run", async () => {
  const world = await openWorld();
  const { judgement } = await judgeLine("echo a | timeout 5 bash -c 'cat b; echo $(rm c)'", world);
  expect(judgement.commands.map(({ argv, inside }) => [argv?.join(" "), inside])).toEqual([
    ["echo a", undefined],
    ["bash -c cat b; echo $(rm c)", undefined],
    ["cat b", 1],
    [undefined, 1],
    ["rm c", 3],
  ]);
  expect((await judgeLine("bash -lc 'ls src'", world)).judgement.category).toBe("list");
});
