/** Finds files and text. A search follows no links, and leaves out what may hold secrets unless it is named itself. */
export interface Search {
  /** The files whose path beneath `path` matches, newest first. */
  glob(query: GlobQuery): Promise<FoundFiles>;
  /** The lines that match and those around them, in the order of their paths. */
  grep(query: LineQuery): Promise<FoundLines>;
  /** The files that have a match, newest first. */
  grepFiles(query: GrepFilesQuery): Promise<FoundFiles>;
  /** How many matches each file has, in the order of their paths. */
  grepCounts(query: GrepFilesQuery): Promise<FoundCounts>;
}

export interface SearchScope {
  /** The folder to search in, or the one file. */
  readonly path: string;
  /** Also what .gitignore and the default excludes leave out. */
  readonly includeIgnored?: boolean | undefined;
}

export interface GlobQuery extends SearchScope {
  readonly pattern: string;
  readonly maxFiles: number;
}

export interface GrepQuery extends SearchScope {
  /** A regular expression as ripgrep reads it. */
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
  /** How many places could not be read. */
  readonly unreadable: number;
}

export interface FoundFiles extends SearchResult {
  readonly files: readonly FoundFile[];
  /** With those beyond `maxFiles`. */
  readonly totalFiles: number;
  /** How many more there are that may not be told of. */
  readonly leftOut: number;
}

/** Size and time are missing where a name is not text and so cannot be asked for. */
export interface FoundFile {
  readonly path: string;
  readonly sizeBytes?: number;
  /** ISO 8601. */
  readonly modifiedAt?: string;
}

export interface FoundLines extends SearchResult {
  readonly lines: readonly FoundLine[];
  /** The search was ended at `maxLines`. */
  readonly hasMore: boolean;
  /** How many matching lines were too long to look at. */
  readonly overlong: number;
}

export interface FoundLine {
  readonly path: string;
  readonly line: number;
  readonly kind: "match" | "context";
  /** At most 500 characters, around the first match. */
  readonly text: string;
  /** Where in the text it matches, from and to. */
  readonly matches: readonly (readonly [number, number])[];
  readonly cutBefore: number;
  readonly cutAfter: number;
}

export interface FoundCounts extends SearchResult {
  readonly files: readonly { readonly path: string; readonly matches: number }[];
  /** With those beyond `maxFiles`. */
  readonly totalFiles: number;
  readonly totalMatches: number;
}
