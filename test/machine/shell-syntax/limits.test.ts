// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how bash writes an expansion
import { describe, expect, test } from "vitest";
import { readScript } from "../../../src/machine/shell-syntax/read-script.ts";
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
});

const pieces = [
  ..."abxy019 \t\n;|&<>(){}[]$`'\"\\~*?!#=,.:+-/%^@",
  ..."$( ${ $(( )) [[ ]] << <<- <<< && || ;; ;& >& &> {a,b} {1..3} $'".split(" "),
  ..."if then else elif fi for in do done while until case esac function select coproc time".split(" "),
  ..."x=1 x+=y $x ${x:-y} ${a[0]} ${!x} ${x@P} ((x++)) E\n f() cd read export -n".split(" "),
];
const script = fc.array(fc.constantFrom(...pieces, " "), { maxLength: 60 }).map((parts) => parts.join(""));

describe("any script", () => {
  test("is read without an error, in bounded work, and its parts refer to each other rightly", async () => {
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
