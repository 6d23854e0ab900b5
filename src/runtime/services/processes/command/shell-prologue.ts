/** The descriptor on which a shell finds its prologue and leaves its report. */
const reportDescriptor = 3;

/** Where the shell finds the prologue: in the descriptor itself, so that no file need be visible in a sandbox. */
export const prologuePath = `/dev/fd/${reportDescriptor}`;

// Out of the way: commands open the low ones themselves, and the report must not go where they write.
const moved = 253;

/**
 * Read by bash before the command, through BASH_ENV, which it removes. Closes the descriptors it is told of. At its end
 * the shell says where it stands: without a word in the trace of `set -x`, and without changing its exit code.
 */
export function shellPrologue(foreignDescriptors: readonly number[]): string {
  const closed = foreignDescriptors.map((descriptor) => ` ${descriptor}>&-`).join("");
  return `unset BASH_ENV
{ exec${closed} ${moved}>&${reportDescriptor} ${reportDescriptor}>&-; } 2>/dev/null
trap '{ builtin set +xe; builtin pwd -P >&${moved}; } 2>/dev/null' EXIT
`;
}

/**
 * For a command that sets an EXIT trap, which would put ours out: `trap` then keeps both. The report comes first, in a
 * substitution that gives nothing and hands on the exit code, so that the command's own trap sees what it would have.
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

/** Traps for RETURN, DEBUG and ERR mean something else when set inside a function, and a trace would show ours. */
export function wantsTrapPrologue(command: string): boolean {
  return (
    /\btrap\b.*\b(?:EXIT|0)\b/s.test(command) && !/\b(?:RETURN|DEBUG|ERR|xtrace|set\s+-\w*x)/.test(command)
  );
}

/**
 * Whether the shell certainly ends where it begins, so that it need not be asked: nothing but plain words, and none of
 * them can change the directory or bring in other commands. Such a command runs as if it were started by hand, and bash
 * gives its own process to it.
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
