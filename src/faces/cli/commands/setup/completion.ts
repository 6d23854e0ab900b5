import { type Command, UsageError, type Verbs } from "../../command.ts";
import { type Flag, type FlagName, flags, sharedFlags } from "../../flags.ts";

const shells: ReadonlyMap<string, (commands: readonly CompletedCommand[]) => string> = new Map([
  ["bash", bashCompletion],
  ["zsh", zshCompletion],
  ["fish", fishCompletion],
]);

export default {
  usage: "bash|zsh|fish",
  arguments: [1, 1],
  words: [...shells.keys()],
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
  },
} satisfies Command;

/** A script for bash, which completes file names wherever no word of ours fits. */
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
${commands.map(bashCaseOf).join("\n")}
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

function bashCaseOf({ name, flags, words }: CompletedCommand): string {
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
  const first = words.length > 0 ? [`${seen} -f -a ${fishQuote(words.join(" "))}`] : [];
  return [
    `complete -c toolwright -f -n __fish_use_subcommand -a ${name} -d ${fishQuote(purpose)}`,
    ...first,
    ...flags.map((flag) => `${seen} ${describeFlag(flag)}`),
  ].join("\n");
}

function describeFlag({ name, about, takesValue, choices }: CompletedFlag): string {
  const value = choices.length > 0 ? ` -x -a ${fishQuote(choices.join(" "))}` : takesValue ? " -r" : "";
  return `-l ${name}${value} -d ${fishQuote(about)}`;
}

function fishQuote(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef toolwright
# Completes toolwright in zsh.
_toolwright() {
  local curcontext="$curcontext" state line
  local -a commands=(
${commands.map(({ name, purpose }) => `    ${zshQuote(`${name}:${purpose}`)}`).join("\n")}
  )
  _arguments -C '(-h --help)'{-h,--help}'[Show this help]' '(-v --version)'{-v,--version}'[Print the version]' \\
    '1: :->command' '*:: :->rest'
  case $state in
    command) _describe command commands ;;
    rest)
      case $line[1] in
${commands.map(zshCaseOf).join("\n")}
      esac
      ;;
  esac
}
compdef _toolwright toolwright
`;
}

function zshCaseOf({ name, flags, words }: CompletedCommand): string {
  const first = words.length > 0 ? `1:argument:(${words.join(" ")})` : "*:argument:_files";
  const specs = [...flags.map(specOf), first].map(zshQuote);
  return `        ${name}) _arguments ${specs.join(" ")} ;;`;
}

function specOf({ name, about, takesValue, isRepeatable, choices }: CompletedFlag): string {
  const flag = `${isRepeatable ? "*" : ""}--${name}${takesValue ? "=" : ""}[${about.replace(/[[\]]/g, "\\$&")}]`;
  if (!takesValue) return flag;
  return `${flag}:value:${choices.length > 0 ? `(${choices.join(" ")})` : "_files"}`;
}

/** Quotes a text for zsh, where colons separate the parts; none of our descriptions has one where it matters. */
function zshQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

type CompletedCommand = Awaited<ReturnType<typeof listCommands>>[number];
type CompletedFlag = ReturnType<typeof completeFlag>;

/** Lists all that a shell has to know to complete commands. */
export async function listCommands(verbs: Verbs) {
  return Promise.all(
    [...verbs].map(async ([name, { purpose, load }]) => {
      const { default: command } = await load();
      return {
        name,
        purpose,
        flags: [...(command.flags ?? []), ...sharedFlags].map(completeFlag),
        /** The words that the first argument can be; empty if any word can. */
        words: name === "help" ? [...verbs.keys()] : (command.words ?? []),
      };
    }),
  );
}

/** The choices are all values that the flag takes; empty if it takes any. */
function completeFlag(name: FlagName) {
  const { value, about, choices = [], multiple }: Flag = flags[name];
  return { name, about, takesValue: value !== undefined, isRepeatable: multiple === true, choices };
}
