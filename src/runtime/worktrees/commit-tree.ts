import type { Git } from "./open-git.ts";

/** Makes a commit out of a tree, without a hook, an editor or a signature; gives its id. */
export async function commitTree(
  git: Git,
  { tree, parent, message }: { tree: string; parent: string; message: string },
): Promise<string> {
  // A message may be longer than an argument.
  return git.line(["commit-tree", tree, "-p", parent, "-F", "-"], {
    input: `${message.replaceAll("\0", " ").trimEnd()}\n`,
    variables: await missingIdentity(git),
  });
}

/** What git would otherwise make up out of the names of the user and the machine, or fail over. */
async function missingIdentity(git: Git): Promise<Record<string, string>> {
  const [author, committer] = await Promise.all(
    ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"].map((name) =>
      git.run(["-c", "user.useConfigOnly=true", "var", name]),
    ),
  );
  return {
    ...(author?.exitCode !== 0 && { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email }),
    ...(committer?.exitCode !== 0 && { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }),
  };
}

const name = "Toolwright";
const email = "toolwright@localhost";
