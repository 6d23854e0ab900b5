import { fc } from "../support/fuzz.ts";

/** Any UTF-16 unit, halves of characters too, and often those that mean something in JSON. */
export const anyCharacter = fc.oneof(
  fc.constantFrom(...'ab "\\/{}[]:,.\n\u0000é€', "😀"),
  fc.nat(0xffff).map((code) => String.fromCharCode(code)),
);
