import type { Word } from "../../shell-syntax/shell-script.ts";

/** The names of inherited variables in a word that may hold a secret, as `$GITHUB_TOKEN` does. */
export function secretVariables(word: Word): readonly string[] {
  if (word.kind !== "dynamic" && word.kind !== "glob") return [];
  const names = [...word.source.matchAll(/\$(?:\{[#!]?)?([A-Za-z_]\w*)/g)].map(([, name]) => name!);
  return names.filter((name) => /[A-Z]/.test(name) && !openNames.has(name));
}

/** What every shell has, and nobody keeps secret. */
const openNames: ReadonlySet<string> = new Set(
  "HOME PWD OLDPWD PATH LANG USER LOGNAME SHELL TERM TZ HOSTNAME HOSTTYPE OSTYPE MACHTYPE UID EUID PPID RANDOM SECONDS LINENO SHLVL COLUMNS LINES BASH BASH_VERSION BASHPID PIPESTATUS EPOCHSECONDS FUNCNAME REPLY IFS TMPDIR".split(
    " ",
  ),
);
