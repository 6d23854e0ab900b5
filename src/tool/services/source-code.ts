/** Reads source code by a real parser, and formats it by the project's own formatter. */
export interface SourceCode {
  /** The kinds of files that can be parsed, as endings such as `ts`. */
  endings(): Promise<readonly string[]>;
  /** What a source file declares and imports. `path` says which language it is. */
  parse(source: { readonly path: string; readonly text: string }): Promise<ParsedCode>;
  /**
   * Formats a file by the formatter that the project is configured for, which runs as a command: with the same rules and
   * sandbox. With `check`, nothing is written.
   */
  format(path: string, options?: { readonly check?: boolean }): Promise<FormattedFile>;
}

export interface FormattedFile {
  readonly path: string;
  readonly formatter: string;
  readonly isChanged: boolean;
  /** A short unified diff of the change. */
  readonly diff?: string;
}

export interface ParsedCode {
  readonly symbols: readonly CodeSymbol[];
  readonly imports: readonly CodeImport[];
  /** Mistakes in its syntax; symbols may then be missing. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
  /** There are more symbols or imports than are listed. */
  readonly isCut: boolean;
}

export interface CodeSymbol {
  readonly name: string;
  readonly kind:
    | "function"
    | "class"
    | "method"
    | "field"
    | "interface"
    | "type"
    | "enum"
    | "namespace"
    | "variable"
    | "constant";
  /** Counted from 1. */
  readonly line: number;
  readonly endLine: number;
  /** The class or namespace that it is in. */
  readonly parent?: string;
  /** The names that it is exported by; `default` is one. */
  readonly exportedAs?: readonly string[];
}

export interface CodeImport {
  readonly from: string;
  readonly line: number;
  /** `reexport` passes its imports on. */
  readonly kind: "import" | "reexport" | "dynamic" | "require";
  /** The imported names; `*` is all of them, and none are for the side effects only. */
  readonly names: readonly string[];
  /** Only types, which are gone when it runs. */
  readonly isTypeOnly?: true;
}
