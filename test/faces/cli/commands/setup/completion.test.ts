import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import {
  bashCompletion,
  fishCompletion,
  listCommands,
  zshCompletion,
} from "../../../../../src/faces/cli/commands/setup/completion.ts";
import { type Flag, type FlagName, flags } from "../../../../../src/faces/cli/flags.ts";
import { verbs } from "../../../../../src/faces/cli/verbs.ts";
import { formats } from "../../../../../src/formats/formats.ts";
import { dialects } from "../../../../../src/kernel/dialects/dialects.ts";
import { modes } from "../../../../../src/kernel/policy/decide.ts";
import { needs } from "../../../../support/needs.ts";
import { temporaryFolder } from "../../../../support/open-test-session.ts";
import { createCli } from "../../run-cli.ts";

const run = promisify(execFile);

test("the values that are offered for a flag are those it takes", () => {
  const choicesOf = (name: FlagName) => (flags[name] as Flag).choices;
  expect(choicesOf("mode")).toEqual([...modes]);
  expect(choicesOf("dialect")).toEqual(["auto", ...dialects.map(({ name }) => name)]);
  expect(choicesOf("format")).toEqual(Object.keys(formats));
});

test("bash completes commands, flags and values", async () => {
  const file = await saved(bashCompletion(await listCommands(verbs)));
  const script = `source "$0"
complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _toolwright; echo "\${COMPREPLY[*]}"; }
complete_words toolwright cal
complete_words toolwright call --mo
complete_words toolwright call --mode r
complete_words toolwright --mode = r
complete_words toolwright --mode readonly cal
complete_words toolwright policy ""
complete_words toolwright help do
complete_words toolwright log --config ""`;
  const { stdout } = await run("bash", ["--norc", "-c", script, file]);
  expect(stdout.split("\n")).toEqual([
    "call",
    "--mode",
    "readonly",
    "readonly",
    "call",
    "lint test replay import",
    "doctor",
    "",
    "",
  ]);
});

const testInFish = await needs("fish");

testInFish("fish completes commands, flags and values", async () => {
  const file = await saved(fishCompletion(await listCommands(verbs)));
  // Fish makes folders in its home even if it reads no configuration.
  const env = { PATH: process.env.PATH, HOME: dirname(file) };
  const offered = async (line: string) => {
    const script = `source $argv[1]; complete -C $argv[2]`;
    const { stdout } = await run("fish", ["--no-config", "-c", script, file, line], { env });
    return stdout.split("\n").map((each) => each.split("\t")[0]);
  };
  expect(await offered("toolwright cal")).toEqual(["call", ""]);
  expect(await offered("toolwright call --mo")).toEqual(["--mode", ""]);
  expect(await offered("toolwright call --mode r")).toEqual(["readonly", ""]);
});

const testInZsh = await needs("zsh");

testInZsh("zsh completes commands, flags and values", async () => {
  const file = await saved(zshCompletion(await listCommands(verbs)));
  // A pseudo-terminal, because zsh completes only at its line editor.
  const script = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "autoload -Uz compinit; compinit -u -D; source $1; echo READ''Y"
zpty -r shell out '*READY*'
zpty -w -n shell $'toolwright cal\\t'; zpty -r shell out '*toolwright call*' || exit 1
zpty -w -n shell $'--mo\\t'; zpty -r shell out '*--mode*' || exit 2
zpty -w -n shell $'=re\\t'; zpty -r shell out '*readonly*' || exit 3
zpty -d shell`;
  await run("zsh", ["-f", "-c", script, "zsh", file], { timeout: 30_000 });
});

test("completion prints the script of a shell, and refuses others", async () => {
  const cli = await createCli();
  const { stdout, exitCode } = await cli(["completion", "bash"]);
  expect({ exitCode, isSame: stdout === bashCompletion(await listCommands(verbs)) }).toEqual({
    exitCode: 0,
    isSame: true,
  });
  expect(await cli(["completion", "tcsh"])).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: 'toolwright: there is no completion for "tcsh"; choose bash, zsh, fish\n',
  });
});

async function saved(script: string): Promise<string> {
  const file = join(await temporaryFolder(), "completion");
  await writeFile(file, script);
  return file;
}
