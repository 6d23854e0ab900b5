/** The descriptor from which a shell reads its prologue and to which it writes its report. */
const reportDescriptor = 3;

/** Read through the descriptor, so that no file has to be visible in a sandbox. */
export const prologuePath = `/dev/fd/${reportDescriptor}`;

// A high number, because commands use low ones themselves and would mix their output with the report.
const moved = 253;

// Where bash keeps a descriptor that it replaces for a while, if the number is free.
const saved = 10;

/**
 * Bash reads this before the command, through BASH_ENV, which it unsets. It closes the given descriptors, and reports
 * the shell's directory at exit, without showing up in a `set -x` trace or changing the exit code. Programs must not
 * inherit the report's descriptor: bash marks the descriptors that it saves to be closed for them, and their copies
 * too.
 */
export function shellPrologue(foreignDescriptors: readonly number[]): string {
  const closed = foreignDescriptors.map((descriptor) => ` ${descriptor}>&-`).join("");
  return `unset BASH_ENV
${closed === "" ? "" : `{ exec${closed}; } 2>/dev/null\n`}if [[ -e /dev/fd/${saved} ]]; then exec ${moved}>&${reportDescriptor}
else { exec ${moved}>&${saved}; } ${reportDescriptor}>&- 2>/dev/null; fi
exec ${reportDescriptor}>&-
trap '{ builtin set +xe; builtin pwd -P >&${moved}; } 2>/dev/null' EXIT
`;
}

/**
 * Replaces `trap` for a command that sets its own EXIT trap, which would replace ours: this `trap` keeps both. The
 * report comes first, in an empty substitution that passes on the exit code, so that the command's trap sees the right
 * `$?`.
 */
export const trapPrologue = `trap() {
  if [[ $BASH_SUBSHELL != 0 || $# -lt 2 || $1 == -?* ]]; then builtin trap "$@"; return; fi
  builtin trap -- "$@" || return
  case " \${*:2} " in
    *" EXIT "* | *" 0 "*)
      [[ $1 != - ]] || builtin set -- :
      builtin trap -- "eval $(builtin printf %q "$1") \\$(s=\\$?; builtin pwd -P 2>/dev/null >&${moved}; exit \\$s)" EXIT ;;
  esac
}
`;

/**
 * Whether a command sets an EXIT trap, without RETURN, DEBUG or ERR traps, which act differently when set in a
 * function, or a trace.
 */
export function wantsTrapPrologue(command: string): boolean {
  return (
    /\btrap\b.*\b(?:EXIT|0)\b/s.test(command) && !/\b(?:RETURN|DEBUG|ERR|xtrace|set\s+-\w*x)/.test(command)
  );
}

/** Whether nothing in the command sets a trap in its shell, or runs other code there that could. */
export function isTrapFree(command: string): boolean {
  return !/\b(?:trap|eval|source)\b|(?:^|[\s;&|({])\.\s/.test(command);
}

/**
 * Whether the shell certainly ends in the directory it started in, so that no report is needed: it has only plain words,
 * none of which can change the directory or run other shell code. Without a prologue, bash can exec such a command.
 */
export function keepsDirectory(command: string): boolean {
  return plainWords.test(command) && !command.split(/[\s;&|]+/).some((word) => movingWords.has(word));
}

const plainWords = /^[A-Za-z0-9_.,:@%+/ \n&|;-]*$/;
const movingWords = new Set([
  "cd",
  "pushd",
  "popd",
  ".",
  "source",
  "eval",
  "builtin",
  "command",
  "trap",
  "fc",
]);
