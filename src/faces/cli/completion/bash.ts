import type { CompletedCommand, CompletedFlag } from "./completed-command.ts";

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
