/** The command line, its input or its configuration is wrong; nothing was run. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
