/**
 * Whether a script may assign to it without changing how bash or a program behaves: the names that do are in capitals,
 * but for these.
 */
export function isFreshName(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !meaningful.test(name);
}

const meaningful = /^(?:_|auto_resume|histchars|\w+_proxy)$/;
