// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how bash writes an expansion
import { expect, test } from "vitest";
import { readScript } from "../../../src/machine/shell-syntax/read-script.ts";
import { awaitedCpuMs } from "../../support/cpu-ms.ts";

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
