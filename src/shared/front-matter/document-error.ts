/** A problem in a document, with its line. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  /** Counted from 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
