// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how bash writes an expansion
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { expect, test } from "vitest";
import { readScript } from "../../../src/machine/shell-syntax/read-script.ts";
import type { SimpleCommand } from "../../../src/machine/shell-syntax/shell-script.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";

const operations = ["/", "//", "/#", "/a/", "#", "##", "%", ":", ":1:", ":=", "+", "^", ",,", "@"];

/**
 * Scripts of commands that do not exist: bash, with a path that leads nowhere, tells of each one it would have run.
 * There are no functions and no endless loops among them, and files are written only in an empty folder.
 */
const { script } = fc.letrec<{ word: string; command: string; script: string; document: string }>((tie) => {
  const inner = tie("script");
  const word = tie("word");
  const join2 = (open: string, close: string) => (text: string) => open + text + close;
  return {
    word: fc.oneof(
      { maxDepth: 3, depthIdentifier: "nesting" },
      fc.constantFrom(
        "a",
        "b",
        "ab",
        "'a b'",
        "'$(c)'",
        '"b c"',
        '"\\$(b)"',
        '"\\\\"',
        "''",
        "$x",
        "{a,b}",
        "a#b",
        "\\;",
        "\\'",
      ),
      fc.constantFrom("$'a\\'b'", "$((1<<2))", "\\\n", "\\$", "a*", "~", '"\'"', "'\"'", "-", "="),
      inner.map(join2("$(", ")")),
      inner.map(join2('"$(', ') b"')),
      inner.map(join2("<(", ")")),
      inner.map(join2("1<(", ")")),
      fc.constantFrom("`c`", '"`b`"', "`c \\`b\\``"),
      word.map(join2("${x:-", "}")),
      word.map(join2('"${x:-', '}"')),
      word.map(join2("${x/a/", "}")),
      fc.constantFrom("a/b", "/", "a:b", ":", "]", "a]", "}", "\\}", "a%b", "@", "^"),
      fc.tuple(fc.constantFrom(...operations), word).map(([operation, text]) => `\${x${operation}${text}}`),
      fc.tuple(fc.constantFrom(...operations), word).map(([operation, text]) => `"\${x${operation}${text}}"`),
      word.map(join2("${x/", "/b}")),
      word.map(join2("${x[", "]}")),
      word.map(join2("$((1+", "))")),
      word.map(join2("$[1+", "]")),
      word.map(join2("{a,", "}")),
    ),
    command: fc
      .tuple(
        fc.constantFrom("a", "b", "c", "'a'", "\\c", "x=a b", "! a", "time b"),
        fc.array(word, { maxLength: 2 }),
      )
      .map(([name, words]) => [name, ...words].join(" ")),
    document: fc
      .tuple(
        fc.constantFrom("<<a", "<<-a", "<<'a'", '<<"a"', "<<\\a", "<<a''"),
        fc.constantFrom("", "; c", " | b", " && c"),
        fc.array(
          fc.constantFrom("b", "a ", " a", "\ta", "$(b)", "`c`", "'", '"', "b\\", "\\$(b)", "${x:-`c`}"),
          { maxLength: 3 },
        ),
      )
      .map(([open, after, lines]) => `b ${open}${after}\n${lines.map((line) => `${line}\n`).join("")}a\n`),
    script: fc.oneof(
      { maxDepth: 4, depthIdentifier: "nesting" },
      tie("command"),
      tie("document"),
      fc
        .tuple(
          tie("command"),
          fc.constantFrom("; ", " | ", " |& ", " && ", " || ", "\n", "&&", " #'\n"),
          inner,
        )
        .map((parts) => parts.join("")),
      inner.map(join2("(", "\n)")),
      inner.map(join2("{ ", "\n}")),
      fc.tuple(inner, inner).map(([clause, body]) => `if ${clause}\nthen ${body}\nfi`),
      fc.tuple(word, inner).map(([list, body]) => `for y in ${list} c; do ${body}\ndone`),
      fc.tuple(word, inner).map(([subject, body]) => `case ${subject} in a|'b') ${body}\n;; *) c;; esac`),
      word.map(join2("x=", "")),
      word.map(join2("[[ a == ", " ]]")),
    ),
  };
});

const noise = fc.constantFrom(
  ..."'\"\\$`{}#\n;|&<>=[]!*~,1 ",
  "$(",
  "${",
  "<(",
  "1<(",
  "((",
  "))",
  "\\\n",
  "<<a\n",
  "{x}",
);
const noisy = fc
  .tuple(script, fc.array(fc.tuple(fc.nat(200), noise), { maxLength: 2 }))
  .map(([text, places]) =>
    places.reduce((noised, [place, piece]) => noised.slice(0, place) + piece + noised.slice(place), text),
  )
  // Nothing that could define a function, and thereby call itself without end.
  .filter((text) => text.length < 1000 && !/\w\s*\(|\(\s*\)|function/.test(text.replace(/[$<>=]\(/g, "")));

test("bash runs nothing that the reading did not tell of", { timeout: 120_000 }, async () => {
  const texts = fc.sample(noisy, fuzzRuns({ sample: 250, full: 20_000 }));
  const ran = await runWithoutPrograms(texts);
  let clean = 0;
  const surprises: string[] = [];
  for (const [index, text] of texts.entries()) {
    const { commands, problems } = await readScript(text);
    if (problems.length > 0) continue;
    clean += 1;
    const missed = ran[index]!.filter((each) => !commands.some((command) => mayBe(command, each)));
    if (missed.length > 0) surprises.push(`${JSON.stringify(text)} runs ${missed.join(" ")}`);
  }
  expect(surprises).toEqual([]);
  expect(clean).toBeGreaterThan(texts.length / 4);
  expect(ran.flat().length).toBeGreaterThan(texts.length / 2);
});

/** Whether this is what the command would be seen as, as far as its words are known. */
function mayBe({ words }: SimpleCommand, seen: string): boolean {
  const unknown = words.findIndex((word) => !("text" in word));
  const known = words
    .slice(0, unknown < 0 ? undefined : unknown)
    .map((word) => `<${"text" in word ? word.text : ""}>`);
  return unknown < 0 ? known.join("") === seen : seen.startsWith(known.join(""));
}

async function runWithoutPrograms(texts: readonly string[]): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), "commands-"));
  const driver = [
    "exec 9>&1; PATH=/nonexistent; n=0",
    "command_not_found_handle() { local o; printf -v o '<%s>' \"$@\"; printf '%s:%s\\0' $n \"$o\" >&9; ((RANDOM % 2)); }",
    "while IFS= read -r -d '' s <&8; do (eval \"$s\") >/dev/null 2>&1 </dev/null; wait; n=$((n+1)); done",
  ].join("\n");
  const child = spawn("/bin/bash", ["--norc", "--noprofile", "-c", `exec 8<&0\n${driver}`], {
    cwd: folder,
    env: { LC_ALL: "C.UTF-8" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    child.stdin.end(texts.map((each) => `${each}\0`).join(""));
    const [output] = await Promise.all([readAll(child.stdout), once(child, "close")]);
    const ran = texts.map((): string[] => []);
    for (const line of output.split("\0").slice(0, -1)) {
      // Lines longer than a pipe takes at once may be broken by those of others; the rest is enough to compare.
      const [, index, seen] = /^(\d+):(<.*>)$/s.exec(line) ?? [];
      if (seen !== undefined) ran[Number(index)]!.push(seen);
    }
    return ran;
  } finally {
    child.kill("SIGKILL");
    await rm(folder, { recursive: true });
  }
}
