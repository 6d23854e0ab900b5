/** A document cannot be used as it is, and on which line it should be changed. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  /** Counted from 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
