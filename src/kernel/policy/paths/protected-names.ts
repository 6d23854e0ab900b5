/**
 * Names that the floor asks about, anywhere in a path. They are written folded (see shared/glob/fold-name.ts); `*`
 * matches any characters, and `!` excepts a name. Only a user's allow rule that names the path avoids the question.
 */

/**
 * Read by programs on their own, in whatever folder is opened or entered. Commands may not even create them in a root of
 * the workspace.
 */
const readInAnyFolder: readonly string[] = [
  // git hooks, filters, pagers and aliases
  ...[".git", ".gitmodules", ".husky"],
  // servers and tasks that start when an editor, an agent or a shell opens a folder
  ...[".mcp.json", ".vscode", ".idea", ".zed", ".envrc", ".devcontainer", ".devcontainer.json"],
  ...[".claude", ".codex", ".cursor", ".gemini", ".windsurf"],
  // programs that a package manager runs in place of itself, or of the compiler
  ...[".npmrc", ".yarnrc", ".yarnrc.yml", ".cargo"],
  // our own rules, hooks, servers, templates and options, and the scripts of skills
  ...[".toolwright", ".skills", "toolwright.json"],
];

/**
 * Read when a shell or a program starts, but only in the home folder; protected everywhere, because a folder may become one.
 * Where the home folder is part of the workspace, so is each of its entries that begins with a dot
 * (`findHomeEntry` in judge-path.ts).
 */
export const homeNames: readonly string[] = [
  ".gitconfig",
  // every new shell
  ...[".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile"],
  ...[".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout"],
  ...[".kshrc", ".cshrc", ".tcshrc", ".login", ".logout", ".inputrc", "config.fish"],
  // can name programs to run
  ".ripgreprc",
  // definitions that every jq filter uses
  ".jq",
  ".ssh",
];

/** Names that need approval before writing: their content later runs with the user's rights, and no person checks it. */
export const protectedNames: readonly string[] = [
  ...readInAnyFolder,
  ...homeNames,
  // a Windows short name for `.git`
  "git~*",
  // our temporary files, about to replace real ones
  ".toolwright-*",
];

/** Names that need approval before reading: secrets, which a model would repeat to its provider. */
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
