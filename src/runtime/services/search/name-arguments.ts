/**
 * Spares ripgrep the files whose names cannot match. Its own globs would bring back what .gitignore leaves out, its
 * file types do not; they know only names, so that every result is tested again for its whole path.
 */
export function nameArguments(glob: string | undefined): string[] {
  const lastName = glob?.split("/").at(-1) ?? "";
  const folders = glob?.slice(0, -lastName.length) ?? "";
  // Braces across a slash, classes and escapes are left to the test of the whole path.
  const isPlain = /^[\w.*?-]+$|^\*\.\{[\w,.]+\}$/.test(lastName) && !lastName.includes("**");
  // Every name matches `*`: asking would only cost time.
  if (!isPlain || lastName === "*" || folders.startsWith("!") || /[{}]/.test(folders)) return [];
  return [`--type-add=wanted:${lastName}`, "--type=wanted"];
}
