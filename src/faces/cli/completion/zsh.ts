import type { CompletedCommand, CompletedFlag } from "./completed-command.ts";

export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef toolwright
# Completes toolwright in zsh.
_toolwright() {
  local curcontext="$curcontext" state line
  local -a commands=(
${commands.map(({ name, purpose }) => `    ${quote(`${name}:${purpose}`)}`).join("\n")}
  )
  _arguments -C '(-h --help)'{-h,--help}'[Show this help]' '(-v --version)'{-v,--version}'[Print the version]' \\
    '1: :->command' '*:: :->rest'
  case $state in
    command) _describe command commands ;;
    rest)
      case $line[1] in
${commands.map(caseOf).join("\n")}
      esac
      ;;
  esac
}
compdef _toolwright toolwright
`;
}

function caseOf({ name, flags, words }: CompletedCommand): string {
  const first = words.length > 0 ? `1:argument:(${words.join(" ")})` : "*:argument:_files";
  const specs = [...flags.map(specOf), first].map(quote);
  return `        ${name}) _arguments ${specs.join(" ")} ;;`;
}

function specOf({ name, about, takesValue, isRepeatable, choices }: CompletedFlag): string {
  const flag = `${isRepeatable ? "*" : ""}--${name}${takesValue ? "=" : ""}[${about.replace(/[[\]]/g, "\\$&")}]`;
  if (!takesValue) return flag;
  return `${flag}:value:${choices.length > 0 ? `(${choices.join(" ")})` : "_files"}`;
}

/** Colons separate the parts of what \`_arguments\` takes, but none of our descriptions uses one where it matters. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
