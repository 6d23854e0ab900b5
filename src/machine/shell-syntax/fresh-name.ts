/**
 * Whether assigning this variable cannot change how bash or a program behaves. Names that matter are in capitals, with
 * few exceptions.
 */
export function isFreshName(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !meaningful.test(name);
}

const meaningful = /^(?:_|auto_resume|histchars|\w+_proxy)$/;
