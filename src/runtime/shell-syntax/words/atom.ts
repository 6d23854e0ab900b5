/** A piece of a word, between its quotes being removed and its becoming arguments. */
export type Atom =
  /** A character as it was written, without quotes: braces, tildes and wildcards in it mean something. */
  | { readonly kind: "plain"; readonly text: string }
  /** Text that means itself; empty for a pair of quotes with nothing in it. */
  | { readonly kind: "quoted"; readonly text: string; readonly isVariable?: true }
  /** A wildcard that came out of a variable. */
  | { readonly kind: "wildcard"; readonly text: string }
  /** White space that came out of a variable without quotes: the next argument begins. */
  | { readonly kind: "gap"; readonly text: string }
  /** Where an expansion ended; open without braces around its name, which a letter behind it would then belong to. */
  | { readonly kind: "edge"; readonly isOpen: boolean }
  /** Something that only running it tells. */
  | {
      readonly kind: "unknown";
      readonly why: string;
      /** May become several arguments, or none. */
      readonly splits: boolean;
      readonly isInteger?: true;
      /** The name of a file that matches. */
      readonly glob?: { readonly pattern: string; readonly prefix: string };
    };

export function unknown(why: string, splits: boolean): Atom {
  return { kind: "unknown", why, splits };
}
