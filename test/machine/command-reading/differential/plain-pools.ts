import { readSampleRows } from "../sample-rows.ts";
import type { ArgumentPools } from "./generate-lines.ts";

/** On planted files, because most of the samples speak of others. */
const plainUses = [
  ...["tar -tf a.tar", "tar -t -f a.tar", "unzip -l a.zip", "xxd in.bin", "jq -n '1'", "jq '.' data.json"],
  ...["cp a.txt m", "cp -r sub m", "mv a.txt m", "mkdir m", "touch m", "ln -s a.txt m", "wc -l a.txt"],
  ...[
    "zcat n",
    "printf '%s' PATH",
    "unzip -l n",
    "cat '[x]'",
    "grep -r foo sub",
    "ls -R sub",
    "cat a..b/*",
    "sed -n '1p' a.txt",
  ],
  ...["find sub -type f -exec cat {} +", "find sub -name '*.txt' -print0", "git config user.name"],
  ...["git log HEAD", "git shortlog HEAD", "git diff HEAD", "git show HEAD", "git diff a.txt b.txt"],
];

/** Argument lists of commands that people really use, to begin with. */
export async function plainPools(): Promise<ArgumentPools> {
  const { harmless } = await readSampleRows();
  const lists: ArgumentPools = new Map();
  for (const command of [...plainUses, ...harmless.map((row) => row.command)]) {
    if (/[|;&<>$`()#\n\\]/.test(command)) continue;
    const words = command.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
    const length = words[0] === "git" ? 2 : 1;
    const call = words.slice(0, length).join(" ");
    lists.set(call, [...(lists.get(call) ?? [[]]), words.slice(length)]);
  }
  return lists;
}
