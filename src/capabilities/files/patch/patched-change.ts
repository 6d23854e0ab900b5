export interface PatchLine {
  readonly kind: "keep" | "remove" | "add";
  readonly text: string;
  /** The line has no leading space, + or -, so it is taken as a context line. */
  readonly isUnmarked?: true;
}

/** A change at one place in a file. */
export interface PatchChunk {
  /** Lines named after `@@`, in file order; the change comes after the last of them. */
  readonly contexts: readonly string[];
  readonly lines: readonly PatchLine[];
  /** Whether its last line is the last line of the file. */
  readonly isEndOfFile: boolean;
  /** 1-based line in the patch where the chunk starts. */
  readonly line: number;
}

export type PatchedChange =
  | { readonly kind: "add"; readonly path: string; readonly text: string }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly moveTo: string | undefined;
      readonly chunks: readonly PatchChunk[];
    }
  /** With chunks, the file is deleted only if they remove all of its content. */
  | { readonly kind: "delete"; readonly path: string; readonly chunks?: readonly PatchChunk[] | undefined };
