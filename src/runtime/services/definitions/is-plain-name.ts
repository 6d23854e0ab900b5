/** Nothing that could be taken for a path, an option or two lines. */
export function isPlainName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._ -]{0,63}$/u.test(name);
}

export const plainNameRule =
  "must begin with a letter or digit and have no more than 64 letters, digits, . _ - and spaces";
