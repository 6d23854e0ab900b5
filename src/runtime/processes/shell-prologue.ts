import { isUtf8 } from "node:buffer";

/** The descriptor on which a shell finds its prologue and leaves its report. */
export const reportDescriptor = 3;

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
exec${closed} ${moved}>&${reportDescriptor} ${reportDescriptor}>&-
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

/** Where the shell stood, by what it added behind the prologue; undefined where it said nothing usable. */
export function readReport(report: Buffer): string | undefined {
  if (report.at(-1) !== 10 || !isUtf8(report)) return undefined;
  const directory = report.toString("utf8", 0, report.length - 1);
  return directory.startsWith("/") && !directory.includes("\0") ? directory : undefined;
}
