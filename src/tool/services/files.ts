/**
 * The files of the workspace. Paths in results are as the caller's tools take them: relative to the workspace, or
 * absolute if they take no others, and always absolute outside. Diffs name files relative to the workspace.
 */
export interface Files extends FileReading, FileChanging {
  /** In a dry run: a unified diff of everything that would have changed so far. */
  preview?(): Promise<string>;
}

export interface FileReading {
  /** A window of lines of a text file, streamed: memory does not grow with the file. */
  readLines(path: string, range: LineRange): Promise<LineWindow>;
  /** The file's type, by its first bytes. */
  describe(path: string): Promise<FileDescription>;
  /** An image that a model can read: upright, of a supported type and not too large. */
  readImage(path: string): Promise<ImageFile>;
  /** Prepares an image that is a part of a file in the same way. Throws for a damaged one. */
  prepareImage(bytes: Uint8Array): Promise<Omit<ImageFile, "path">>;
  list(path: string, options?: { recursive?: boolean; maxEntries?: number }): Promise<DirectoryListing>;
  /** The whole text, without a byte order mark. Default for `maxBytes`: 50 MB. */
  readText(path: string, options?: { encoding?: string; maxBytes?: number }): Promise<TextFile>;
}

export interface FileChanging {
  /**
   * Creates or overwrites a file atomically, with its parent folders. An existing file keeps its mode, encoding, byte
   * order mark and CRLF or CR line endings, unless the text has some itself. Throws `stale-file` if the file changed since it was read.
   */
  writeText(path: string, text: string, options?: { encoding?: string }): Promise<WrittenFile>;
  /**
   * Creates a file of any content, with its parent folders. With `overwrite` it may replace one, but not one that changed
   * since it was read. Content that comes in pieces is written as it comes, to a file that replaces the old one at the end.
   */
  writeBytes(
    path: string,
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    options?: { overwrite?: boolean },
  ): Promise<WrittenFile>;
  /** Reads, changes and writes without another write to the path in between. Returning the same text changes nothing. */
  updateText(
    path: string,
    change: (current: TextFile) => string | Promise<string>,
    options?: { encoding?: string },
  ): Promise<WrittenFile & { readonly before: TextFile }>;
  /** Edits one or more files, in order, all or nothing. */
  editTexts(changes: readonly FileEdits[]): Promise<readonly EditedFile[]>;
  /** Adds, updates, moves and deletes files as a patch says, all or nothing. */
  applyPatch(patch: string): Promise<readonly PatchedFile[]>;
  /** Removes a file, an empty folder or, with `recursive`, a folder and its contents. Removes a link, not its target. */
  remove(path: string, options?: { recursive?: boolean }): Promise<void>;
  /** With `recursive`, missing parents are created and an existing folder is not an error. */
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
  /** How the image was converted; empty if it is unchanged. */
  readonly notes: readonly string[];
}

export interface TextFile {
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
  /** A short unified diff; absent if there is nothing to compare with. */
  readonly diff?: string;
}

export interface FileEdits {
  readonly path: string;
  /** For files that are not UTF-8 and have no byte order mark. */
  readonly encoding?: string;
  readonly edits: readonly {
    readonly oldText: string;
    readonly newText: string;
    readonly replaceAll?: boolean;
  }[];
}

export interface EditedFile extends WrittenFile {
  /** Length of the new text. */
  readonly characters: number;
  readonly replacements: number;
  /** Line of each replacement in the new text, counted from 1. */
  readonly lines: readonly number[];
  /** How exactly the old text was found. */
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
  /** How exactly the context was found. */
  readonly matchedBy?: string;
  readonly diff?: string;
}

export interface LineRange {
  /** Counted from 1. */
  readonly firstLine: number;
  readonly maxLines: number;
  /** Where to start in the first line, counted from 1. Default: 1. */
  readonly firstColumn?: number;
  /** How much of each line is returned. Default: 2,000. */
  readonly maxLineCharacters?: number;
  /** The window ends with the line that reaches this many characters, line ends included. */
  readonly maxCharacters?: number;
  /** Encoding of a text without a byte order mark. Default: UTF-8. */
  readonly encoding?: string;
}

export interface LineWindow {
  readonly path: string;
  readonly lines: readonly string[];
  readonly firstLine: number;
  /** Known only if the whole file was read. */
  readonly totalLines?: number;
  readonly hasMore: boolean;
  /** Characters of the first line before `firstColumn`. */
  readonly skippedCharacters: number;
  /** Lines that were too long: their end is missing. */
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
  /** `text/plain` for any text, `application/octet-stream` for unknown types. */
  readonly mediaType: string;
}

export interface DirectoryListing {
  readonly path: string;
  readonly entries: readonly DirectoryEntry[];
  readonly truncated: boolean;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly path: string;
  readonly type: "file" | "directory" | "link" | "other";
  readonly sizeBytes: number;
  /** ISO 8601. */
  readonly modifiedAt: string;
  /** A link's target, as written in the link. */
  readonly linkTarget?: string;
}
