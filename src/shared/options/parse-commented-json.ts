import { findRepeatedKey } from "./find-repeated-key.ts";

/** The JSON that people write by hand: comments and trailing commas are allowed, keys that are there twice are not. */
export async function parseCommentedJson(text: string): Promise<unknown> {
  const { default: stripJsonComments } = await import("strip-json-comments");
  // Comments become spaces, so that errors still say the right place.
  const plain = stripJsonComments(text, { trailingCommas: true });
  const content: unknown = JSON.parse(plain);
  const repeated = findRepeatedKey(plain);
  if (repeated === undefined) return content;
  throw new SyntaxError(
    `${JSON.stringify(repeated.key)} is there twice, the second time in line ${repeated.line}`,
  );
}
