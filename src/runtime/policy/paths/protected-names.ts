/**
 * Names that the floor asks about, wherever they stand in a path. They are written folded (see shared/glob/fold-name.ts);
 * `*` stands for any characters. Only an explicit rule of the user lifts the question.
 */

/** Asked about before writing: what is in them runs later, with the user's rights and without anybody looking. */
export const protectedNames: readonly string[] = [
  // hooks, filters, pagers and aliases of git; `git~1` is what Windows may call `.git`
  ".git",
  "git~*",
  ".gitconfig",
  ".gitmodules",
  ".husky",
  // servers that are started, tasks that run, when a folder is opened
  ".mcp.json",
  ".vscode",
  ".idea",
  ".envrc",
  // our own rules and hooks
  ".toolwright",
  // what we are about to put in place
  ".toolwright-*",
  // read by every new shell
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".kshrc",
  ".cshrc",
  ".tcshrc",
  ".login",
  ".logout",
  ".inputrc",
  "config.fish",
  // can name programs to run
  ".ripgreprc",
  ".npmrc",
  ".ssh",
];

/** Asked about before reading: secrets, which a model would repeat to its provider. */
export const sensitiveNames: readonly string[] = [
  ".env*",
  "*.pem",
  "id_*",
  ".npmrc",
  ".git-credentials",
  ".netrc",
  ".aws",
  ".ssh",
  // a part of any file, under a name that does not tell which
  ".toolwright-*",
];
