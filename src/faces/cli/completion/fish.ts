import type { CompletedCommand, CompletedFlag } from "./completed-command.ts";

export function fishCompletion(commands: readonly CompletedCommand[]): string {
  return `# Completes toolwright in fish.
complete -c toolwright -f -n __fish_use_subcommand -s h -l help -d 'Show this help'
complete -c toolwright -f -n __fish_use_subcommand -s v -l version -d 'Print the version'
${commands.map(linesOf).join("\n")}
`;
}

function linesOf({ name, purpose, flags, words }: CompletedCommand): string {
  const seen = `complete -c toolwright -n '__fish_seen_subcommand_from ${name}'`;
  return [
    `complete -c toolwright -f -n __fish_use_subcommand -a ${name} -d ${quote(purpose)}`,
    ...(words.length > 0 ? [`${seen} -f -a ${quote(words.join(" "))}`] : []),
    ...flags.map((flag) => `${seen} ${describeFlag(flag)}`),
  ].join("\n");
}

function describeFlag({ name, about, takesValue, choices }: CompletedFlag): string {
  const value = choices.length > 0 ? ` -x -a ${quote(choices.join(" "))}` : takesValue ? " -r" : "";
  return `-l ${name}${value} -d ${quote(about)}`;
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
