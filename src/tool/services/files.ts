/** The files of the workspace. */
export interface Files extends FileReading, FileChanging {
  /** In a dry run: a unified diff of all that would have changed so far. */
  preview?(): Promise<string>;
}

export interface FileReading {
  /** A window of lines of a text file, streamed: memory does not grow with the file. */
  readLines(
    path: string,
    window: { firstLine: number; maxLines: number; encoding?: string },
  ): Promise<LineWindow>;
  /** What kind of file it is, by its first bytes. */
  describe(path: string): Promise<FileDescription>;
  /** An image as a model can take it: upright, of a known type and not too large. */
  readImage(path: string): Promise<ImageFile>;
  list(path: string, options?: { recursive?: boolean; maxEntries?: number }): Promise<DirectoryListing>;
  /** The whole text, as it stands in the file but for a byte order mark. `maxBytes` is 100 MB unless told. */
  readText(path: string, options?: { encoding?: string; maxBytes?: number }): Promise<TextFile>;
}

export interface FileChanging {
  /**
   * Creates or overwrites a file, with its parent folders, in one piece. An existing file keeps its mode, encoding, byte
   * order mark and CRLF line endings; one that changed since it was read is refused with `stale-file`.
   */
  writeText(path: string, text: string, options?: { encoding?: string }): Promise<WrittenFile>;
  /** Reads, changes and writes while no other write to the path comes between. The same text again changes nothing. */
  updateText(
    path: string,
    change: (current: TextFile) => string | Promise<string>,
    options?: { encoding?: string },
  ): Promise<WrittenFile & { readonly before: TextFile }>;
  /** Makes edits in one or several files, in order, all of them or none. */
  editTexts(changes: readonly FileEdits[]): Promise<readonly EditedFile[]>;
  /** Adds, updates, moves and deletes files as a patch says, all of it or nothing. */
  applyPatch(patch: string): Promise<readonly PatchedFile[]>;
  /** Removes a file, an empty folder or, with `recursive`, a folder and all that is in it. A link goes, not its target. */
  remove(path: string, options?: { recursive?: boolean }): Promise<void>;
  /** With `recursive`, missing parents are made and an existing folder is fine. */
  makeDirectory(path: string, options?: { recursive?: boolean }): Promise<void>;
  /** `to` is the new path itself, not a folder to move into. A link moves as a link. */
  move(from: string, to: string, options?: { overwrite?: boolean }): Promise<void>;
  /** `to` is the new path itself, not a folder to copy into. Links are copied as links. */
  copy(from: string, to: string, options?: { overwrite?: boolean }): Promise<void>;
}

export interface ImageFile {
  readonly path: string;
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
  /** What was done to it; empty where it is the file as it is. */
  readonly notes: readonly string[];
}

export interface TextFile {
  /** Workspace-relative where the file is inside, absolute where it is not. */
  readonly path: string;
  readonly text: string;
  /** SHA-256 of the bytes. */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly lineEnding: "lf" | "crlf" | "cr" | "mixed";
  readonly encoding: string;
}

export interface WrittenFile {
  readonly path: string;
  readonly created: boolean;
  readonly sizeBytes: number;
  /** SHA-256 of the bytes. */
  readonly hash: string;
  /** It existed and had not been read in this session. */
  readonly wasUnread: boolean;
  /** A short unified diff; absent where there is nothing to compare with. */
  readonly diff?: string;
}

export interface FileEdits {
  readonly path: string;
  /** For files that are not UTF-8 and do not say so themselves. */
  readonly encoding?: string;
  readonly edits: readonly {
    readonly oldText: string;
    readonly newText: string;
    readonly replaceAll?: boolean;
  }[];
}

export interface EditedFile extends WrittenFile {
  readonly replacements: number;
  /** Where each replacement begins in the new text, counted from 1. */
  readonly lines: readonly number[];
  /** How loosely the old text had to be looked for. */
  readonly matchedBy:
    | "exact"
    | "line-endings"
    | "trailing-space"
    | "indentation"
    | "punctuation"
    | "blank-lines";
}

export interface PatchedFile {
  readonly path: string;
  readonly kind: "add" | "update" | "delete";
  readonly movedTo?: string;
  /** How loosely the context had to be looked for. */
  readonly matchedBy?: string;
  readonly diff?: string;
}

export interface LineWindow {
  /** Workspace-relative where the file is inside, absolute where it is not. */
  readonly path: string;
  readonly lines: readonly string[];
  readonly firstLine: number;
  /** Counted only when the whole file was read. */
  readonly totalLines?: number;
  readonly hasMore: boolean;
  /** The lines of which only the beginning is given. */
  readonly cutLines: readonly CutLine[];
  readonly sizeBytes: number;
}

export interface CutLine {
  /** Counted from 1, as in the file. */
  readonly line: number;
  readonly cutCharacters: number;
}

export interface FileDescription {
  readonly path: string;
  readonly sizeBytes: number;
  /** `text/plain` for any text, `application/octet-stream` for what is not recognised. */
  readonly mediaType: string;
}

export interface DirectoryListing {
  readonly path: string;
  readonly entries: readonly DirectoryEntry[];
  readonly truncated: boolean;
}

export interface DirectoryEntry {
  readonly name: string;
  /** Relative to the workspace. */
  readonly path: string;
  readonly type: "file" | "directory" | "link" | "other";
  readonly sizeBytes: number;
  /** ISO 8601. */
  readonly modifiedAt: string;
  /** Where a link points, as written in it. */
  readonly linkTarget?: string;
}
