/** What is wrong with a pattern, and what to do about it. Whoever was given the pattern says it in its own kind of error. */
export class GlobError extends Error {
  override readonly name = "GlobError";
  readonly hint?: string;

  constructor(message: string, { hint }: { hint?: string } = {}) {
    super(message);
    if (hint !== undefined) this.hint = hint;
  }
}
