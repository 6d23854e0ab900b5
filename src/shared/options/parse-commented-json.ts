import { findRepeatedKey } from "./find-repeated-key.ts";

/**
 * The JSON that people write by hand: comments and trailing commas are allowed. A key that is there twice is refused, unless
 * the file belongs to a program that takes the last one.
 */
export async function parseCommentedJson(text: string, { takesLast = false } = {}): Promise<unknown> {
  const { default: stripJsonComments } = await import("strip-json-comments");
  // Comments become spaces, so that errors still say the right place.
  const plain = stripJsonComments(text, { trailingCommas: true });
  const content: unknown = JSON.parse(plain);
  const repeated = takesLast ? undefined : findRepeatedKey(plain);
  if (repeated === undefined) return content;
  throw new SyntaxError(
    `${JSON.stringify(repeated.key)} is there twice, the second time in line ${repeated.line}`,
  );
}
