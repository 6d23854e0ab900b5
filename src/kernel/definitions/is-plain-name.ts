/** Whether a name is plain: it cannot be taken for a path, an option or two lines. */
export function isPlainName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._ -]{0,63}$/u.test(name);
}

export const plainNameRule =
  "must start with a letter or digit and have at most 64 characters: letters, digits, spaces, . _ and -";
