/**
 * Makes ripgrep skip files whose names cannot match. This uses file types, because ripgrep's globs would override
 * .gitignore. File types only know names, so every result still has to be tested for its whole path.
 */
export function nameArguments(glob: string | undefined): string[] {
  const lastName = glob?.split("/").at(-1) ?? "";
  const folders = glob?.slice(0, -lastName.length) ?? "";
  // Braces across a slash, classes and escapes are left to that test.
  const isPlain = /^[\w.*?-]+$|^\*\.\{[\w,.]+\}$/.test(lastName) && !lastName.includes("**");
  // `*` matches every name, so filtering would only cost time.
  if (!isPlain || lastName === "*" || folders.startsWith("!") || /[{}]/.test(folders)) return [];
  return [`--type-add=wanted:${lastName}`, "--type=wanted"];
}
