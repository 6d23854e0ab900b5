import type { MaybePromise } from "../../shared/maybe-promise.ts";
import type { FileReading } from "../../tool/services/files.ts";
import type { WorkspacePaths } from "../policy/index.ts";

/** A kind of thing that files in the workspace define, such as skills. */
export interface DefinitionKind<Item extends Definition> {
  /** Used in messages. */
  readonly noun: { readonly one: string; readonly many: string };
  /** Folders to search, relative to the workspace; earlier ones take precedence. */
  readonly folders: readonly string[];
  /** Larger files are not read. */
  readonly maxBytes: number;
  /** Items defined in code; they take precedence over all others. */
  readonly given: ReadonlyMap<string, Item>;
  /** The item that a folder's entry stands for, with its file relative to the folder; undefined for other entries. */
  entryOf(entry: FolderEntry): Pick<DefinitionPlace, "name" | "file"> | undefined;
  /** Parses the file; throws a DocumentError if it is not usable. */
  read(text: string, place: DefinitionPlace): MaybePromise<Item>;
  /** How many characters of the item are kept in memory. */
  weigh(item: Item): number;
}

/** Where definitions are, and how their files are read. */
export interface DefinitionSources {
  readonly workspace: WorkspacePaths;
  readonly openReading: OpenReading;
}

/** Opens the files of a workspace outside any call, to read them. */
export type OpenReading = (workspace: WorkspacePaths) => Pick<FileReading, "list" | "readText">;

export interface Definition {
  readonly name: string;
}

interface FolderEntry {
  readonly name: string;
  readonly type: "file" | "directory" | "link" | "other";
}

/** A possible place of a definition; paths are relative to the workspace. */
export interface DefinitionPlace {
  /** The name, unless its file says otherwise. */
  readonly name: string;
  /** The folder's entry. */
  readonly path: string;
  /** The file to read. */
  readonly file: string;
}

/** Why a definition cannot be used. */
export interface DefinitionProblem {
  /** Relative to the workspace. */
  readonly path: string;
  readonly message: string;
}
