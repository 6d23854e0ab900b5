import type { MaybePromise } from "../../../shared/maybe-promise.ts";

/** Something that a workspace holds by files which say what it is. */
export interface DefinitionKind<Item extends Definition> {
  /** What they are called in messages. */
  readonly noun: { readonly one: string; readonly many: string };
  /** Where they are looked for, from the workspace; what is in the first counts. */
  readonly folders: readonly string[];
  /** A file with more is not read. */
  readonly maxBytes: number;
  /** Those that are there without a file; they count before all others. */
  readonly given: ReadonlyMap<string, Item>;
  /** What an entry of such a folder stands for, its file written from the folder; nothing where it is none of these. */
  entryOf(entry: FolderEntry): { readonly name: string; readonly file: string } | undefined;
  /** What its file says; a DocumentError where that cannot be used. */
  read(text: string, place: DefinitionPlace): MaybePromise<Item>;
  /** How many characters of it are kept. */
  weigh(item: Item): number;
}

export interface Definition {
  readonly name: string;
}

interface FolderEntry {
  readonly name: string;
  readonly type: "file" | "directory" | "link" | "other";
}

/** Where one may be; paths are written from the workspace. */
export interface DefinitionPlace {
  /** What it is called if its file does not say anything else. */
  readonly name: string;
  /** The entry of the folder that stands for it. */
  readonly path: string;
  /** What is read of it. */
  readonly file: string;
}

/** Something that is there and cannot be used, and why. */
export interface DefinitionProblem {
  /** From the workspace. */
  readonly path: string;
  readonly message: string;
}
