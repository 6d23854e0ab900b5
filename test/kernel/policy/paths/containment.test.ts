import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryWorkspace } from "../../../capabilities/files/temporary-workspace.ts";

interface Case {
  readonly title: string;
  /** Run by a shell; W is the workspace, O the folder outside. */
  readonly setup: string;
  readonly path: string;
  readonly how: "read" | "list";
}

const plainFiles = 'echo hi > "$W/f.txt"; mkdir -p "$W/sub"; echo s > "$W/sub/g.txt"';
const secretFile = 'echo secret > "$O/secret.txt"';

const allowed: Case[] = [
  { title: "a plain file", setup: plainFiles, path: "f.txt", how: "read" },
  { title: "an absolute path", setup: plainFiles, path: "{W}/sub/g.txt", how: "read" },
  { title: "a double slash", setup: plainFiles, path: "sub//g.txt", how: "read" },
  { title: ".. that stays inside", setup: plainFiles, path: "sub/../f.txt", how: "read" },
  { title: "a way out and back in", setup: plainFiles, path: "../work/f.txt", how: "read" },
  { title: "a trailing slash on a directory", setup: plainFiles, path: "sub/", how: "list" },
  { title: "the workspace itself", setup: plainFiles, path: ".", how: "list" },
  { title: "a name that merely begins with ..", setup: 'echo x > "$W/..foo"', path: "..foo", how: "read" },
  { title: "a name of three dots", setup: 'mkdir "$W/..."; echo x > "$W/.../f"', path: ".../f", how: "read" },
  { title: "a space in a name", setup: 'echo x > "$W/a b.txt"', path: "a b.txt", how: "read" },
  { title: "a composed é", setup: 'echo x > "$W/caf\u00e9.txt"', path: "caf\u00e9.txt", how: "read" },
  { title: "a decomposed é", setup: 'echo x > "$W/cafe\u0301.txt"', path: "cafe\u0301.txt", how: "read" },
  { title: "a file that is called ~", setup: 'echo x > "$W/~"', path: "~", how: "read" },
  { title: "a file that is called $HOME", setup: "echo x > \"$W\"/'$HOME'", path: "$HOME", how: "read" },
  { title: "a name with a percent sign", setup: 'echo x > "$W/%2e%2e"', path: "%2e%2e", how: "read" },
  { title: "a link that stays inside", setup: `${plainFiles}; ln -s f.txt "$W/l"`, path: "l", how: "read" },
  {
    title: "an absolute link that stays inside",
    setup: `${plainFiles}; ln -s "$W/f.txt" "$W/l"`,
    path: "l",
    how: "read",
  },
  {
    title: ".. after a link, from where the link leads",
    setup: `${plainFiles}; mkdir -p "$W/a/b"; echo x > "$W/a/f"; ln -s a/b "$W/l"`,
    path: "l/../f",
    how: "read",
  },
  {
    title: "reading what git keeps",
    setup: 'mkdir "$W/.git"; echo "ref: refs/heads/main" > "$W/.git/HEAD"',
    path: ".git/HEAD",
    how: "read",
  },
];

const refused: (Case & { readonly code: string })[] = [
  { title: "the parent", setup: secretFile, path: "..", how: "list", code: "outside-workspace" },
  { title: "a glob in the parent", setup: secretFile, path: "../*", how: "list", code: "outside-workspace" },
  {
    title: "leaving, coming back by name and leaving again",
    setup: secretFile,
    path: "../work/../outside/secret.txt",
    how: "read",
    code: "outside-workspace",
  },
  {
    title: "percent signs in place of dots, which are not decoded",
    setup: secretFile,
    path: "%2e%2e/outside/secret.txt",
    how: "read",
    code: "not-found",
  },
  {
    title: "an absolute path outside",
    setup: secretFile,
    path: "{O}/secret.txt",
    how: "read",
    code: "outside-workspace",
  },
  {
    title: "a file: address, which is only a strange relative path",
    setup: secretFile,
    path: "file://{O}/secret.txt",
    how: "read",
    code: "not-found",
  },
  {
    title: "a sibling that shares the beginning of the root's name",
    setup: 'mkdir "$W-evil"; echo secret > "$W-evil/s.txt"',
    path: "{W}-evil/s.txt",
    how: "read",
    code: "outside-workspace",
  },
  {
    title: "the same sibling by a relative path",
    setup: 'mkdir "$W-evil"; echo secret > "$W-evil/s.txt"',
    path: "../work-evil/s.txt",
    how: "read",
    code: "outside-workspace",
  },
  {
    title: "a link to such a sibling",
    setup: 'mkdir "$W"2; echo secret > "$W"2/s.txt; ln -s "$W"2 "$W/l"',
    path: "l/s.txt",
    how: "read",
    code: "outside-workspace",
  },
  {
    title: "a link to a file outside",
    setup: `${secretFile}; ln -s "$O/secret.txt" "$W/l"`,
    path: "l",
    how: "read",
    code: "outside-workspace",
  },
  {
    title: "a relative link to a file outside",
    setup: `${secretFile}; ln -s ../outside/secret.txt "$W/l"`,
    path: "l",
    how: "read",
    code: "outside-workspace",
  },
  {
    title: "a link to a directory outside",
    setup: `${secretFile}; ln -s "$O" "$W/d"`,
    path: "d/",
    how: "list",
    code: "outside-workspace",
  },
  {
    title: "a chain of links",
    setup: `${secretFile}; ln -s "$O/secret.txt" "$W/a"; ln -s a "$W/b"; ln -s b "$W/c"`,
    path: "c",
    how: "read",
    code: "outside-workspace",
  },
  {
    title: ".. after a link to a directory outside",
    setup: `${secretFile}; mkdir "$O/d"; ln -s "$O/d" "$W/l"`,
    path: "l/../secret.txt",
    how: "read",
    code: "outside-workspace",
  },
  {
    title: "a dangling link that leads outside",
    setup: 'ln -s "$O/missing.txt" "$W/l"',
    path: "l",
    how: "read",
    code: "outside-workspace",
  },
  {
    title: "/proc/self/root",
    setup: secretFile,
    path: "/proc/self/root{O}/secret.txt",
    how: "read",
    code: "outside-workspace",
  },
  {
    title: "/proc/self/cwd",
    setup: secretFile,
    path: "/proc/self/cwd/../outside/secret.txt",
    how: "read",
    code: "outside-workspace",
  },
  { title: "an endless device", setup: "true", path: "/dev/zero", how: "read", code: "outside-workspace" },
  {
    title: "a device through a link",
    setup: 'ln -s /dev/zero "$W/z"',
    path: "z",
    how: "read",
    code: "outside-workspace",
  },
  { title: "a pipe, without waiting", setup: 'mkfifo "$W/p"', path: "p", how: "read", code: "not-a-file" },
  { title: "an empty path", setup: plainFiles, path: "", how: "read", code: "invalid-input" },
  { title: "a NUL", setup: plainFiles, path: "\0", how: "read", code: "invalid-input" },
  {
    title: "a NUL before a way out",
    setup: secretFile,
    path: "f.txt\0/../../outside/secret.txt",
    how: "read",
    code: "invalid-input",
  },
  { title: "half a character", setup: plainFiles, path: "a\ud800", how: "read", code: "invalid-input" },
  {
    title: "a name that is too long",
    setup: "true",
    path: `missing/${"é".repeat(128)}`,
    how: "read",
    code: "invalid-input",
  },
  {
    title: "a path that is too long",
    setup: "true",
    path: `${"a/".repeat(2047)}ff`,
    how: "read",
    code: "invalid-input",
  },
  {
    title: "links that point at each other",
    setup: 'ln -s b "$W/a"; ln -s a "$W/b"',
    path: "a",
    how: "read",
    code: "invalid-input",
  },
  { title: "another case", setup: plainFiles, path: "F.TXT", how: "read", code: "not-found" },
  { title: "a slash after a file", setup: plainFiles, path: "f.txt/", how: "read", code: "not-a-directory" },
  {
    title: "a path that goes on after a file",
    setup: plainFiles,
    path: "f.txt/../f.txt",
    how: "read",
    code: "not-a-directory",
  },
  {
    title: ".. after what does not exist",
    setup: plainFiles,
    path: "missing/../f.txt",
    how: "read",
    code: "not-found",
  },
  {
    title: "what is no directory outside, without telling so",
    setup: secretFile,
    path: "../outside/secret.txt/x",
    how: "read",
    code: "outside-workspace",
  },
];

test.each(allowed)("a workspace lets through $title", async ({ setup, path, how }) => {
  const { attempt } = await prepare(setup);
  await expect(attempt(path, how)).resolves.toBeDefined();
});

test.each(refused)("a workspace refuses $title", async ({ setup, path, how, code }) => {
  const { attempt } = await prepare(setup);
  await expect(attempt(path, how)).rejects.toMatchObject({ name: "ToolError", code });
});

async function prepare(setup: string) {
  const { root, outside, files } = await temporaryWorkspace();
  await promisify(execFile)("bash", ["-c", setup], { env: { ...process.env, W: root, O: outside } });
  const attempt = (path: string, how: Case["how"]): Promise<unknown> => {
    const filled = path.replaceAll("{W}", root).replaceAll("{O}", outside);
    return how === "read" ? files.readLines(filled, { firstLine: 1, maxLines: 10 }) : files.list(filled);
  };
  return { attempt };
}
