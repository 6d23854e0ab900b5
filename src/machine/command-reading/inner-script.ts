import type { Word } from "../shell-syntax/index.ts";
import { unwrapCommand } from "./extract-commands.ts";
import { wrappers } from "./tables/wrappers.ts";

/** A script that a command gives to another shell. */
export interface InnerScript {
  readonly text: string;
  /** The shell reads the start-up files of the user first. */
  readonly isLogin: boolean;
}

/** The script in `bash -c '…'`, also behind wrappers such as `timeout 5`; undefined unless it is known to be all of it. */
export function findInnerScript(words: readonly Word[]): InnerScript | undefined {
  if (!words.some(isShell)) return undefined;
  const { name, args, wrappers: around } = unwrapCommand(words);
  // Input becomes further words of the command.
  if (name === undefined || around.some((each) => wrappers.get(each)?.manner === "feeds")) return undefined;
  return readShellWords(name, args);
}

/** Reads the script in the words of a shell that has no wrappers before it. */
export function readShellWords(name: Word, args: readonly Word[]): InnerScript | undefined {
  if (!isShell(name)) return undefined;
  const shell = name.text;
  let isScript = false;
  let isLogin = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]!;
    const { text, source } = word.kind === "literal" ? word : { text: "", source: "~" };
    // An unquoted leading ~ becomes a home folder.
    if (source.startsWith("~")) return undefined;
    if (!/^[-+]/.test(text)) {
      // What follows the script are its arguments.
      const isWhole = isScript && at === args.length - 1;
      return isWhole && (shell === "bash" || isAlikeInShells(text)) ? { text, isLogin } : undefined;
    }
    const isLong = shell === "bash" && longOptions.has(text);
    if (!isLong && !/^-(?:[celu]+o?|o)$/.test(text)) return undefined;
    if (text === "--login" || (!isLong && text.includes("l"))) isLogin = true;
    if (isLong) continue;
    if (text.includes("c")) isScript = true;
    if (text.endsWith("o")) {
      at += 1;
      const option = args[at];
      if (option?.kind !== "literal" || !strictOptions.has(option.text)) return undefined;
    }
  }
  return undefined;
}

function isShell(word: Word): word is Word & { readonly kind: "literal"; readonly text: "bash" | "sh" } {
  return word.kind === "literal" && (word.text === "bash" || word.text === "sh");
}

const longOptions: ReadonlySet<string> = new Set(["--login", "--norc", "--noprofile"]);
/** They make a script stop earlier, and do nothing else. */
const strictOptions: ReadonlySet<string> = new Set(["pipefail", "errexit", "nounset"]);

/**
 * Whether every shell reads a script as bash does, because `sh` may be another one: in dash, `[[ a > b ]]` writes a file
 * and `$'a\'; rm x #'` runs `rm`. Only plain words, quotes, variables, lists, pipes and redirections are the same.
 */
function isAlikeInShells(script: string): boolean {
  return plainCharacters.test(script) && !ownOfBash.test(script);
}

const plainCharacters = /^[\w ./:=,@%+|;&'"*?$<>\n\t-]*$/;
const ownOfBash = /\$(?![A-Za-z_])|&>|>&(?![012](?:$|[\s;|]))|<&|\|&|<<|<>|;;|;&|\+=/;
