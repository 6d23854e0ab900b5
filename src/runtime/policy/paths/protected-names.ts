/**
 * * Names that the floor asks about, anywhere in a path. They are written folded (see shared/glob/fold-name.ts); `*`
 * matches any characters, and `!` excepts a name. Only a user's allow rule that names the path avoids the question.
 */

/** Asked about before writing: their content later runs with the user's rights, without anybody checking it. */
export const protectedNames: readonly string[] = [
  // git hooks, filters, pagers and aliases; `git~1` is a Windows short name for `.git`
  ".git",
  "git~*",
  ".gitconfig",
  ".gitmodules",
  ".husky",
  // servers and tasks that start when a folder is opened
  ".mcp.json",
  ".vscode",
  ".idea",
  ".envrc",
  // our own rules and hooks
  ".toolwright",
  // our temporary files, about to replace real ones
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
  // these are there to be read: they name the variables, without values
  "!.env.example",
  "!.env.sample",
  "!.env.template",
  "*.pem",
  "id_*",
  ".npmrc",
  ".git-credentials",
  ".netrc",
  ".aws",
  ".ssh",
  // our temporary files may hold part of any file
  ".toolwright-*",
];
