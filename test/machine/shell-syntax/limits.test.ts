// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how bash writes an expansion
import { describe, expect, test } from "vitest";
import { readScript } from "../../../src/machine/shell-syntax/read-script.ts";
import { awaitedCpuMs } from "../../support/cpu-ms.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";
import { readReasons, showCommands } from "./support.ts";

const numRuns = fuzzRuns({ sample: 100, full: 20_000 });

describe("limits", () => {
  test("50 commands are read; more are all listed, with a problem", async () => {
    expect(await readReasons("true; ".repeat(50))).toBe("");
    const { commands, problems } = await readScript(`${"true; ".repeat(60)}touch x`);
    expect(problems.map(({ reason }) => reason)).toEqual(["it contains more than 50 commands"]);
    expect(showCommands(commands).at(-1)).toBe("touch x");
  });

  test.each([
    ["substitutions", "echo $(", ")"],
    ["quoted substitutions", 'echo "$(', ')"'],
    ["subshells", "( ", " )"],
    ["groups", "{ ", "; }"],
    ["conditions", "if ", "; then a; fi"],
    ["loops", "while a; do ", "; done"],
    ["branches", "case a in a) ", ";; esac"],
    ["functions", "f() { ", "; }"],
    ["process substitutions", "cat <(", ")"],
  ])("16 %s in each other are read, 17 are a problem, 40 too", async (_what, open, close) => {
    const nested = (depth: number) => `${open.repeat(depth)} touch x${close.repeat(depth)}`;
    const depthOf = open.startsWith("f(") ? 8 : 16;
    expect(await readReasons(nested(depthOf))).toBe("");
    expect(await readReasons(nested(depthOf + 1))).toContain("nested more than 16 levels deep");
    expect(await readReasons(nested(40))).not.toBe("");
  });

  test("40 levels are read down to the innermost, so that a rule can still deny it", async () => {
    const { commands } = await readScript(`echo ${"$(".repeat(40)}touch x${")".repeat(40)}`);
    expect(showCommands(commands).at(-1)).toBe("touch x");
  });

  test.each([
    ["defaults", `echo ${"${a:-".repeat(60)}`],
    ["arithmetic in brackets", `echo $((${"(".repeat(60)}1${")".repeat(60)}))`],
    ["signs", `echo $((${"- ".repeat(4900)}1))`],
    ["choices", `echo $((${"1?2:".repeat(2400)}3))`],
    ["tests", `[[ ${"! ".repeat(4900)} a ]]`],
    ["definitions", "f() ".repeat(2400)],
    ["here-documents", "cat <<E;".repeat(1200)],
    ["keywords", "if ".repeat(3300)],
    ["sequences", "a;".repeat(4900)],
    ["wildcards", `ls ${"[a".repeat(4900)}`],
    ["brackets that end", `ls ${"[".repeat(60)}${"]".repeat(9000)}`],
    ["loops over loops", `${"for a in {1..200}; do ".repeat(16)} echo $a ${"; done".repeat(16)}`],
    ["words in loops", `for a in ${"b ".repeat(64)}; do echo ${"$a ".repeat(3000)}; done`],
    ["braces", `echo ${"{a,b}".repeat(400)}`],
    ["unfinished braces", `echo ${"{a,".repeat(60)} `.repeat(8)],
    ["errors", "fi ".repeat(3300)],
    ["assignments", "a=$a$a;".repeat(1400)],
    ["doubling", `a=xxxxxxxxxx;${"a=$a$a;".repeat(40)} echo $a`],
  ])("a bomb of %s is defused", async (_what, text) => {
    await readScript("ls");
    let commands: readonly unknown[] = [];
    const tookMs = await awaitedCpuMs(async () => {
      ({ commands } = await readScript(text.slice(0, 10_000)));
    });
    // Generous, for a busy machine; without its limit each takes many times that.
    expect(tookMs).toBeLessThan(1500);
    expect(commands.length).toBeLessThan(5000);
  });
});

const pieces = [
  ..."abxy019 \t\n;|&<>(){}[]$`'\"\\~*?!#=,.:+-/%^@",
  ..."$( ${ $(( )) [[ ]] << <<- <<< && || ;; ;& >& &> {a,b} {1..3} $'".split(" "),
  ..."if then else elif fi for in do done while until case esac function select coproc time".split(" "),
  ..."x=1 x+=y $x ${x:-y} ${a[0]} ${!x} ${x@P} ((x++)) E\n f() cd read export -n".split(" "),
];
const script = fc.array(fc.constantFrom(...pieces, " "), { maxLength: 60 }).map((parts) => parts.join(""));

describe("whatever is written", () => {
  test("it is read without an error, in bounded work, and its parts refer to each other rightly", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(script, fc.string({ unit: "binary" })), async (text) => {
        const { commands, problems } = await readScript(text);
        expect(problems.every(({ reason }) => !reason.startsWith("it could not be analysed"))).toBe(true);
        commands.forEach(({ inside, pipeline }, index) => {
          if (inside !== undefined) expect(inside).toBeLessThan(index);
          expect(pipeline.position).toBeLessThan(pipeline.length);
        });
        expect(commands.length).toBeLessThan(2000);
      }),
      { numRuns },
    );
  });

  test("a hundred scripts read at once give the same results as one by one", async () => {
    const texts = fc.sample(script, 100);
    const together = await Promise.all(texts.map((text) => readScript(text)));
    for (const [index, text] of texts.entries()) expect(await readScript(text)).toEqual(together[index]);
  });
});
