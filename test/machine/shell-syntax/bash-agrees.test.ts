// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how bash writes an expansion
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkSyntax } from "../../../src/machine/shell-syntax/bash-oracle.ts";
import { readScript } from "../../../src/machine/shell-syntax/read-script.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "words-"));
});
afterAll(() => rm(folder, { recursive: true }));

// Nothing here can end a word or run anything: what bash makes of these are arguments of its own printf.
const pieces = [
  ..."{ { } } , , .. a b Z 1 3 0 - + ~ / = : % . @ ! ^ # * ? [ ] 09 -5 $ 1..3 {a,b} {1..3} {a..c} {,x}".split(
    " ",
  ),
  ..."$x ${x} $y ${y} $e $z $((1)) \\\\ \\n \\a \\{ \\, \\} \\$ \\* \\' '' \"\" '{' ',' '$x' $'\\n' $'\\x41\\101'".split(
    " ",
  ),
  "'a b'",
  '"c d"',
  '"$x"',
  '"$e"',
  '"{a,b}$y"',
  "'a,'",
  "${y-,}",
  '"${y-,}"',
  "{','a..",
  "\\ ",
];
const words = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(""));
const setup = "x='p q'; y=v; e=; z='s*t';";

describe("words", () => {
  test("that are known are just what bash passes on, and the others begin with their prefix", {
    timeout: 120_000,
  }, async () => {
    const samples = fc.sample(words, fuzzRuns({ sample: 300, full: 20_000 }));
    const passed = await askBash(samples.map((sample) => `${setup} printf '<%s>' ${sample}`));
    let known = 0;
    for (const [index, sample] of samples.entries()) {
      const { commands, problems } = await readScript(`${setup} printf '<%s>' ${sample}`, {
        known: { HOME: "/h" },
      });
      if (problems.length > 0) continue;
      const own = commands.at(-1)!.words.slice(2);
      const texts = own.flatMap((word) => ("text" in word ? [word.text] : []));
      if (texts.length === own.length) {
        known += 1;
        expect([sample, texts.length === 0 ? "<>" : texts.map((each) => `<${each}>`).join("")]).toEqual([
          sample,
          passed[index],
        ]);
      }
      const [only] = own;
      if (own.length === 1 && only !== undefined && "prefix" in only && passed[index] !== "<>") {
        const all = passed[index]!.slice(1, -1).split("><");
        expect([sample, all.filter((each) => !each.startsWith(only.prefix))]).toEqual([sample, []]);
      }
    }
    expect(known).toBeGreaterThan(samples.length / 3);
  });
});

/** What each script prints, run in an empty folder by one bash with a subshell for each. */
async function askBash(scripts: readonly string[]): Promise<string[]> {
  const loop = "while IFS= read -r -d '' s; do (eval \"$s\") 2>/dev/null </dev/null; printf '\\0'; done";
  const child = spawn("/bin/bash", ["--norc", "--noprofile", "-c", loop], {
    cwd: folder,
    env: { HOME: "/h", LC_ALL: "C.UTF-8" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(scripts.map((each) => `${each}\0`).join(""));
  const [output] = await Promise.all([readAll(child.stdout), once(child, "close")]);
  return output.split("\0").slice(0, -1);
}

describe("scripts of this machine", () => {
  const places = ["/usr/bin", "/usr/sbin", "/etc", "/usr/share", "/usr/lib", "node_modules"];

  test("are wrong for bash and for us alike", { timeout: 120_000 }, async () => {
    const files = await findScripts(places, fuzzRuns({ sample: 30, full: 400 }));
    const disagreements: string[] = [];
    for (const file of files) {
      const text = await readFile(file, "utf8");
      const { problems } = await readScript(text);
      if (
        problems.some(({ reason }) => /longer than|at once|contains more than \d+ (?!commands)/.test(reason))
      )
        continue;
      const isOurError = problems.some(({ reason }) =>
        /syntax|could not be parsed|unknown (?:kind|construct)|too complex/.test(reason),
      );
      const verdict = await checkSyntax(text);
      if (verdict === "unknown" || isOurError !== (verdict === "error"))
        disagreements.push(`${verdict}: ${file}`);
    }
    expect(disagreements).toEqual([]);
    expect(files).not.toEqual([]);
  });
});

async function findScripts(folders: readonly string[], limit: number): Promise<string[]> {
  const found: string[] = [];
  const visit = async (path: string, depth: number): Promise<void> => {
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (found.length >= limit) return;
      const inner = join(path, entry.name);
      if (entry.isDirectory() && depth > 0) await visit(inner, depth - 1);
      else if (entry.isFile() && (await isScript(inner))) found.push(inner);
    }
  };
  for (const each of folders) await visit(each, 4);
  return found;
}

async function isScript(path: string): Promise<boolean> {
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size === 0 || size > 200_000) return false;
  if (/\.(?:sh|bash)$/.test(path)) return true;
  // Only programs say in their first line what they are for.
  if (!/\/s?bin\/|init\.d/.test(path)) return false;
  const start = await readFile(path, "latin1").catch(() => "");
  return /^#! ?\/(?:usr\/)?bin\/(?:env )?(?:ba|da)?sh\b/.test(start);
}
