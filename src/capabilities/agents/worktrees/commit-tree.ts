import type { Git } from "../../../machine/git/open-git.ts";

/** Commits a tree without hooks, editor or signature, and returns the commit's id. */
export async function commitTree(
  git: Git,
  { tree, parent, message }: { tree: string; parent: string; message: string },
): Promise<string> {
  // Through stdin, because a message may be longer than an argument can be.
  return git.line(["commit-tree", tree, "-p", parent, "-F", "-"], {
    input: `${message.replaceAll("\0", " ").trimEnd()}\n`,
    variables: await missingIdentity(git),
  });
}

/** An identity where none is configured; git would invent one from user and host name, or fail. */
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
