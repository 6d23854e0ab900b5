import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { bindSecrets } from "../../../src/machine/shell-syntax/bind-secrets.ts";

/** Everything that a shell would do something with. */
const hard = `a b'c"d$HOME\`id\`\\e;f|g*h?{1,2}~!#&(i)\n j`;
const secrets = new Map([["KEY", hard]]);

async function run(script: string): Promise<string> {
  const { script: bound, variables } = await bindSecrets(script, secrets);
  expect(bound).not.toContain(hard);
  return execFileSync("bash", ["--norc", "-c", bound], {
    env: { ...variables, PATH: "/usr/bin:/bin" },
  }).toString();
}

const shown = (text: string) => `<${text}>`;

test.each([
  ["printf '<%s>' {{secret:KEY}}", shown(hard)],
  ["printf '<%s>' --token={{secret:KEY}}", shown(`--token=${hard}`)],
  ["printf '<%s>' {{secret:KEY}}{{secret:KEY}}", shown(hard + hard)],
  ["printf '<%s>' \"x {{secret:KEY}} y\"", shown(`x ${hard} y`)],
  ["printf '<%s>' 'x {{secret:KEY}} $y'", shown(`x ${hard} $y`)],
  ["printf '<%s>' $'x\\t{{secret:KEY}}\\ty'", shown(`x\t${hard}\ty`)],
  ["printf '<%s>' \"$(printf %s '{{secret:KEY}}')\"", shown(hard)],
  ['printf \'<%s>\' "$(printf %s "{{secret:KEY}}")"', shown(hard)],
  ["X={{secret:KEY}}; printf '<%s>' \"$X\"", shown(hard)],
  ["X='{{secret:KEY}}' bash -c 'printf \"<%s>\" \"$X\"'", shown(hard)],
  ["cat <<EOF\n{{secret:KEY}}\nEOF", `${hard}\n`],
  ["cat <<< {{secret:KEY}}", `${hard}\n`],
  ["for x in {{secret:KEY}} b; do printf '<%s>' \"$x\"; done", `${shown(hard)}<b>`],
  ["if [[ {{secret:KEY}} == a* ]]; then printf yes; fi", "yes"],
  ["f() { printf '<%s>' \"$1\"; }; f {{secret:KEY}} | cat", shown(hard)],
  ["echo {{secret:OTHER}}", "{{secret:OTHER}}\n"],
])("%s gets the secret as one argument, whatever is in it", async (script, expected) => {
  expect(await run(script)).toBe(expected);
});

test.each([
  ["cat <<'EOF'\n{{secret:KEY}}\nEOF", "quoted delimiter"],
  ["echo x > {{secret:KEY}}", "redirected"],
  ["echo $(( {{secret:KEY}} + 1 ))", "arithmetic"],
  [`echo ${"$"}{x:-{{secret:KEY}}}`, "cannot be passed on"],
  [`echo "${"$"}{x:-'{{secret:KEY}} '}"`, "another variable"],
  ["{{secret:KEY}} x", "name of a program"],
  ["echo hi # {{secret:KEY}}", "cannot be passed on"],
  ['echo `printf %s \\"{{secret:KEY}}\\"`', "backquotes"],
  ["echo 'unclosed {{secret:KEY}}", "cannot be parsed"],
  [`echo {{secret:KEY}} ${"{ ".repeat(300)}`, "brackets are open at once"],
  [`echo {{secret:KEY}} ${"{}".repeat(300)}`, "more than 250 braces"],
  [`echo {{secret:KEY}} ${"a".repeat(10_000)}`, "longer than 10000 characters"],
])("%s is refused", async (script, why) => {
  await expect(bindSecrets(script, secrets)).rejects.toThrow(why);
});
