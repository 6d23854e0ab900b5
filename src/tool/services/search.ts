/** Finds files and text. Paths in results are as in `Files`. Follows no links, and skips files that may hold secrets unless `path` names them. */
export interface Search {
  /** Files whose path relative to `path` matches, newest first. */
  glob(query: GlobQuery): Promise<FoundFiles>;
  /** Matching lines and their context, ordered by path. */
  grep(query: LineQuery): Promise<FoundLines>;
  /** Files with a match, newest first. */
  grepFiles(query: GrepFilesQuery): Promise<FoundFiles>;
  /** Number of matches per file, ordered by path. */
  grepCounts(query: GrepFilesQuery): Promise<FoundCounts>;
  /** Whether git ignores a path; undefined outside a repository, or if git cannot tell. A tracked file is not ignored. */
  isIgnored(query: IgnoredQuery): Promise<boolean | undefined>;
}

export interface IgnoredQuery extends SearchScope {
  /** The path to check, relative to the folder; a trailing / means a folder. */
  readonly name: string;
}

export interface SearchScope {
  /** The folder or file to search. */
  readonly path: string;
  /** Also search what .gitignore and the default excludes skip. */
  readonly includeIgnored?: boolean | undefined;
}

export interface GlobQuery extends SearchScope {
  readonly pattern: string;
  readonly maxFiles: number;
}

export interface GrepQuery extends SearchScope {
  /** A regular expression in ripgrep's syntax. */
  readonly pattern: string;
  /** The pattern is plain text. */
  readonly literal?: boolean | undefined;
  readonly ignoreCase?: boolean | undefined;
  /** A match may span lines, and `.` matches line ends. */
  readonly multiline?: boolean | undefined;
  /** Only files whose path matches; without a slash, at any depth. */
  readonly glob?: string | undefined;
  /** Only files of a type that ripgrep knows, such as `ts`. */
  readonly type?: string | undefined;
}

export interface LineQuery extends GrepQuery {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly maxLines: number;
}

export interface GrepFilesQuery extends GrepQuery {
  readonly maxFiles: number;
}

export interface SearchResult {
  readonly path: string;
  /** Number of paths that could not be read. */
  readonly unreadable: number;
}

export interface FoundFiles extends SearchResult {
  readonly files: readonly FoundFile[];
  /** Including those beyond `maxFiles`. */
  readonly totalFiles: number;
  /** Number of matching files that may not be named. */
  readonly leftOut: number;
  /** Set by `glob` if no file matches. */
  readonly near?: NearFiles;
}

/** Number of files that a pattern without a match may have meant. */
export interface NearFiles {
  /** They match, but are ignored. */
  readonly ignored: number;
  /** They are in a folder that matches. */
  readonly below: number;
}

/** Size and time are missing for a name that is not valid text. */
export interface FoundFile {
  readonly path: string;
  readonly sizeBytes?: number;
  /** ISO 8601. */
  readonly modifiedAt?: string;
}

export interface FoundLines extends SearchResult {
  readonly lines: readonly FoundLine[];
  /** The search stopped at `maxLines`. */
  readonly hasMore: boolean;
  /** Number of matching lines that were skipped because they are too long. */
  readonly overlong: number;
}

export interface FoundLine {
  readonly path: string;
  readonly line: number;
  readonly kind: "match" | "context";
  /** At most 500 characters, around the first match. */
  readonly text: string;
  /** Ranges of the text that match, from and to. */
  readonly matches: readonly (readonly [number, number])[];
  readonly cutBefore: number;
  readonly cutAfter: number;
}

export interface FoundCounts extends SearchResult {
  readonly files: readonly { readonly path: string; readonly matches: number }[];
  /** Including those beyond `maxFiles`. */
  readonly totalFiles: number;
  readonly totalMatches: number;
}
