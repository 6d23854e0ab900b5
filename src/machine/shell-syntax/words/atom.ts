/** A piece of a word, after its quotes are removed and before it becomes arguments. */
export type Atom =
  /** An unquoted character as written: braces, tildes and wildcards keep their special meaning. */
  | { readonly kind: "plain"; readonly text: string }
  /** Literal text; empty for an empty pair of quotes. */
  | { readonly kind: "quoted"; readonly text: string; readonly isVariable?: true }
  /** A wildcard from a variable's value. */
  | { readonly kind: "wildcard"; readonly text: string }
  /** White space from an unquoted variable's value, where the next argument starts. */
  | { readonly kind: "gap"; readonly text: string }
  /** The end of an expansion; open if its name has no braces, so that a following letter would belong to the name. */
  | { readonly kind: "edge"; readonly isOpen: boolean }
  /** Something that is unknown until it runs. */
  | {
      readonly kind: "unknown";
      readonly why: string;
      /** It may become several arguments or none. */
      readonly splits: boolean;
      readonly isInteger?: true;
      /** It is a file name that matches this pattern. */
      readonly glob?: { readonly pattern: string; readonly prefix: string };
    };

export function unknown(why: string, splits: boolean): Atom {
  return { kind: "unknown", why, splits };
}
