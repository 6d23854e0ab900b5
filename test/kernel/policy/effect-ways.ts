import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { casesOf } from "../../support/fuzz.ts";

/** A call that would have an effect on a path. */
export interface Way {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export type Effect = "read" | "write" | "delete" | "move";

/** What no call may show. */
export const secret = "hush-hush-4711";

/** A repository in which `secrets/k.txt` holds the secret, reachable by links as well. */
export async function makeSecrets(workspace: string): Promise<void> {
  await mkdir(join(workspace, "secrets"), { recursive: true });
  await mkdir(join(workspace, "other"), { recursive: true });
  await writeFile(join(workspace, "secrets/k.txt"), `${secret}\n`);
  await writeFile(join(workspace, "other/a.txt"), "plain\n");
  await writeFile(join(workspace, "list.txt"), "secrets/k.txt\n");
  await writeFile(join(workspace, "show.py"), 'print(open("secrets/k.txt").read())\n');
  await writeFile(
    join(workspace, "Makefile"),
    "show:\n\tcat secrets/k.txt\nchange:\n\techo x > secrets/k.txt\n",
  );
  await symlink("secrets", join(workspace, "linked"));
  await symlink("secrets/k.txt", join(workspace, "k-link"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: workspace });
  git("init", "--quiet");
  git("add", "-A");
  git("commit", "--quiet", "-m", "all");
}

/** Every spelling of the path that leads to the same file. */
function spellings(workspace: string): readonly string[] {
  return [
    "secrets/k.txt",
    "./secrets//k.txt",
    "other/../secrets/k.txt",
    "linked/k.txt",
    "k-link",
    `${workspace}/secrets/k.txt`,
  ];
}

/** Every tool and a dozen kinds of commands for each effect: on every spelling of the path, or commands on one each. */
export function waysTo(effect: Effect, workspace: string): readonly Way[] {
  const paths = spellings(workspace);
  const tools = paths.flatMap((path) => toolsFor[effect](path));
  const named = casesOf({
    sample: paths.flatMap((path, at) =>
      commandsFor[effect](path).filter((_, index) => index % paths.length === at),
    ),
    full: paths.flatMap(commandsFor[effect]),
  });
  const commands = [...named, ...aroundFor[effect]].map((command) => ({
    tool: "shell_run",
    input: { command },
  }));
  return [...tools, ...commands];
}

const toolsFor: Record<Effect, (path: string) => readonly Way[]> = {
  read: (path) => [
    { tool: "file_read", input: { path } },
    { tool: "search_grep", input: { pattern: ".", path } },
    { tool: "file_copy", input: { source: path, destination: "copy.txt" } },
    { tool: "file_edit", input: { path, old_string: "hush", new_string: "hush" } },
    { tool: "file_move", input: { source: path, destination: "moved.txt" } },
  ],
  write: (path) => [
    { tool: "file_write", input: { path, content: "x" } },
    { tool: "file_edit", input: { path, old_string: "hush", new_string: "x" } },
    { tool: "file_multi_edit", input: { edits: [{ path, old_string: "hush", new_string: "x" }] } },
    { tool: "file_patch", input: { patch: `--- ${path}\n+++ ${path}\n@@ -1 +1 @@\n-${secret}\n+x\n` } },
    { tool: "file_notebook", input: { path, cell_id: "0", new_source: "x" } },
    { tool: "file_copy", input: { source: "other/a.txt", destination: path, overwrite: true } },
    { tool: "file_move", input: { source: "other/a.txt", destination: path, overwrite: true } },
  ],
  delete: (path) => [{ tool: "file_delete", input: { path } }],
  move: (path) => [{ tool: "file_move", input: { source: path, destination: "moved.txt" } }],
};

const commandsFor: Record<Effect, (path: string) => readonly string[]> = {
  read: (path) => [
    `cat ${path}`,
    `cat < ${path}`,
    `head -n1 '${path}'`,
    `grep . "${path}"`,
    `sed -n 1p ${path}`,
    `awk '{print}' ${path}`,
    `while read -r l; do echo "$l"; done < ${path}`,
    `base64 ${path} | base64 -d`,
    `timeout 5 cat ${path}`,
    `cp ${path} copy.txt && cat copy.txt`,
    `diff ${path} /dev/null`,
    `dd if=${path} status=none`,
    `python3 -c 'print(open("${path}").read())'`,
    `bash -c 'cat ${path}'`,
    `f=${path}; cat $f`,
  ],
  write: (path) => [
    `echo x > ${path}`,
    `echo x >> ${path}`,
    `echo x | tee ${path}`,
    `cp other/a.txt ${path}`,
    `sed -i s/hush/x/ ${path}`,
    `truncate -s 0 ${path}`,
    `sort other/a.txt -o ${path}`,
    `dd if=other/a.txt of=${path} status=none`,
    `python3 -c 'open("${path}","w").write("x")'`,
    `bash -c 'echo x > ${path}'`,
    `touch -d 2001-01-01 ${path}; : > ${path}`,
    `f=${path}; echo x > $f`,
  ],
  delete: (path) => [
    `rm ${path}`,
    `rm -f -- ${path}`,
    `unlink ${path}`,
    `find ${path} -delete`,
    `python3 -c 'import os; os.unlink("${path}")'`,
    `bash -c 'rm -f ${path}'`,
    `f=${path}; rm -f $f`,
  ],
  move: (path) => [
    `mv ${path} moved.txt`,
    `mv -t other ${path}`,
    `python3 -c 'import os; os.rename("${path}", "moved.txt")'`,
    `bash -c 'mv ${path} moved.txt'`,
  ],
};

/** Commands that come by the path in roundabout ways. */
const aroundFor: Record<Effect, readonly string[]> = {
  read: [
    // After a revision, a path begins at the root of the repository, wherever git runs.
    "cd other && git show HEAD:secrets/k.txt",
    "cd other && git cat-file -p :secrets/k.txt",
    "cd other && git diff 4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD -- :/secrets",
    "cd other && git log -p -L1,1:secrets/k.txt",
    "cat secrets/*",
    "cat */k.txt",
    "cat s*/k*",
    "cd secrets && cat k.txt",
    "cd linked; cat k.txt",
    "cat /proc/self/cwd/secrets/k.txt",
    "cat $(echo secrets)/k.txt",
    "grep -r hush .",
    "grep -rh hush secrets",
    "find . -type f -exec cat {} +",
    "find . -name 'k*' -print0 | xargs -0 cat",
    "xargs cat < list.txt",
    "tar cf - secrets",
    "tar cf - . | cat",
    "cp -r . /tmp/copy && cat /tmp/copy/secrets/k.txt",
    "cp -r secrets copied && cat copied/k.txt",
    "mv secrets moved && cat moved/k.txt",
    "ln secrets/k.txt hard && cat hard",
    "ln -s secrets/k.txt soft && cat soft",
    "git show HEAD:secrets/k.txt",
    "git show HEAD",
    "git log -p",
    "git grep hush",
    "git diff 4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD",
    "python3 show.py",
    "make -s show",
    "sort . secrets/k.txt",
    "cat <(cat secrets/k.txt)",
    "eval 'cat secrets/k.txt'",
  ],
  write: [
    "cd secrets && echo x > k.txt",
    "echo x > /proc/self/cwd/secrets/k.txt",
    "cp other/a.txt secrets/",
    "mv other/a.txt secrets/k.txt",
    "make -s change",
    "find secrets -type f -exec sed -i s/hush/x/ {} +",
    "git checkout-index -f secrets/k.txt; git rm -q --cached secrets/k.txt; echo x > $(echo secrets/k.txt)",
    'for f in secrets/*; do echo x > "$f"; done',
    "tee secrets/new.txt < other/a.txt",
    "mkdir secrets/new",
    "touch secrets/new.txt",
  ],
  delete: [
    "rm -rf secrets",
    "rm -r ./secrets/",
    "cd secrets && rm k.txt",
    "rm secrets/*",
    "rm -rf $(echo secrets)",
    "find . -name 'k*' -delete",
    "git clean -fdx; rm -rf secrets",
    "git rm -rqf secrets",
  ],
  move: ["mv secrets moved", "mv secrets/k.txt other/", "mv secrets/* other", "cd secrets && mv k.txt .."],
};
