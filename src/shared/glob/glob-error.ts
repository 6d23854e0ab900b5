/** A mistake in a pattern, and a hint. Callers turn it into their own kind of error. */
export class GlobError extends Error {
  override readonly name = "GlobError";
  readonly hint?: string;

  constructor(message: string, { hint }: { hint?: string } = {}) {
    super(message);
    if (hint !== undefined) this.hint = hint;
  }
}
