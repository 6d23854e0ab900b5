import type { Command } from "../../command.ts";
import {
  type CompletedCommand,
  type CompletedFlag,
  listCommands,
} from "../../completion/completed-command.ts";
import { zshCompletion } from "../../completion/zsh.ts";
import { exitCodes } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";

const shells: ReadonlyMap<string, (commands: readonly CompletedCommand[]) => string> = new Map([
  ["bash", bashCompletion],
  ["zsh", zshCompletion],
  ["fish", fishCompletion],
]);

export default {
  usage: "bash|zsh|fish",
  minArguments: 1,
  maxArguments: 1,
  words: [...shells.keys()],
  flags: [],
  example: "bash",
  note: `To complete in every new shell, add the line to the shell's start file:
  ~/.bashrc                   eval "$(toolwright completion bash)"
  ~/.zshrc, after compinit    eval "$(toolwright completion zsh)"
  ~/.config/fish/config.fish  toolwright completion fish | source`,

  async run({ arguments: [shell = ""], output, verbs }) {
    const complete = shells.get(shell);
    if (complete === undefined)
      throw new UsageError(
        `there is no completion for ${JSON.stringify(shell)}; choose ${[...shells.keys()].join(", ")}`,
      );
    await output.write(complete(await listCommands(verbs)));
    return exitCodes.done;
  },
} satisfies Command;

/** Falls back to bash's completion of file names wherever it has nothing to offer. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  return `# Completes toolwright in bash.
_toolwright() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" verb="" flags="" words="${names}" word
  # Bash splits --flag=value into three words.
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $previous == "=" ]]; then
    previous="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case $word in
      ${commands.map(({ name }) => name).join(" | ")}) verb=$word; break ;;
    esac
  done
  COMPREPLY=()
  case $previous in
${valuesOf(commands)}
  esac
  case $verb in
${commands.map(caseOf).join("\n")}
    *) flags="--help --version" ;;
  esac
  if [[ $current == -* ]]; then
    words=$flags
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _toolwright toolwright
`;
}

function caseOf({ name, flags, words }: CompletedCommand): string {
  const dashed = flags.map((flag) => `--${flag.name}`).join(" ");
  return `    ${name}) flags="${dashed}" words="${words.join(" ")}" ;;`;
}

function valuesOf(commands: readonly CompletedCommand[]): string {
  const flags = new Map(commands.flatMap((command) => command.flags.map((flag) => [flag.name, flag])));
  const withValue = [...flags.values()].filter(({ takesValue }) => takesValue);
  const chosen = withValue.filter(({ choices }) => choices.length > 0);
  const free = withValue.filter(({ choices }) => choices.length === 0);
  return [
    ...chosen.map(
      ({ name, choices }) =>
        `    --${name}) COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$current")); return ;;`,
    ),
    `    ${free.map(dashes).join(" | ")}) return ;;`,
  ].join("\n");
}

function dashes({ name }: CompletedFlag): string {
  return `--${name}`;
}

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
