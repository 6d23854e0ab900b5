/** The web, as far as the call has permission to reach it. Private networks and this machine are out of reach. */
export interface Web {
  /**
   * Sends a request and returns the response, whatever its status. Redirects are followed within the host; one to another
   * host is returned. Nothing of the user is sent along: no cookies, no credentials.
   */
  fetch(url: string, options?: WebRequestOptions): Promise<WebResponse>;
  /**
   * Fetches a page for a model: HTML and PDF become Markdown, images stay images. Pages are kept for a while, as their
   * servers allow. Throws `http-error` for a status other than 2xx, and `unsupported` for a page that cannot be read.
   */
  read(url: string, options?: WebReadOptions): Promise<WebPage>;
  /**
   * Downloads an address to a file of the workspace, at most 100 MB. If a download is interrupted, the same call by the
   * same session continues it, as far as the server can tell that nothing has changed.
   */
  download(url: string, path: string, options?: DownloadOptions): Promise<DownloadedFile>;
  /** Searches the web with the configured service. */
  search(query: string, options?: WebSearchOptions): Promise<readonly WebSearchResult[]>;
}

export interface WebSearchOptions {
  /** Default: 10. */
  readonly maxResults?: number;
  /** Only results from these domains and those beneath them. */
  readonly allowedDomains?: readonly string[];
  readonly blockedDomains?: readonly string[];
}

export interface WebSearchResult {
  readonly title: string;
  readonly url: string;
  /** The passage that matches the query, as far as the service gives one. */
  readonly snippet: string;
  /** Year, month and day, if the service knows them. */
  readonly date?: string;
}

export interface DownloadOptions {
  /** Replaces a file that is already there. Default: false. */
  readonly overwrite?: boolean;
  /** Default: the call's own. */
  readonly timeoutMs?: number;
}

export interface DownloadedFile {
  readonly url: string;
  readonly path: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** SHA-256 of the content. */
  readonly hash: string;
  readonly created: boolean;
  /** How much of it an earlier call had received. */
  readonly resumedAt?: number;
}

export interface WebReadOptions {
  /** The reader's question. */
  readonly question?: string;
  /** Default: the call's own. */
  readonly timeoutMs?: number;
}

export type WebPage = ReadablePage | RedirectedPage;

export interface ReadablePage {
  readonly kind: "markdown" | "text" | "json" | "image";
  /** Where the page came from, after redirects. */
  readonly url: string;
  readonly contentType: string;
  readonly title?: string;
  /** The text in passages; for an image, its description. */
  readonly blocks: readonly string[];
  /** With a question: indexes of the passages that mention its words, the best first. */
  readonly relevant?: readonly number[];
  readonly image?: { readonly data: string; readonly mimeType: string };
  /** The page is longer than one megabyte, and only its beginning was read. */
  readonly isCut: boolean;
  /** ISO 8601. Earlier than now for a page that was kept. */
  readonly fetchedAt: string;
}

/** A page that is now on another site, which was not fetched: that would need another permission. */
export interface RedirectedPage {
  readonly kind: "redirect";
  readonly url: string;
  readonly redirect: string;
}

export interface WebRequestOptions {
  /** Default: `GET`. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Time for everything, from looking up the name to the end of the body. Default: the call's own. */
  readonly timeoutMs?: number;
}

export interface WebResponse {
  /** Where the response came from, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Only the first megabyte is in `body`. */
  readonly isCut: boolean;
  /** Where it redirects to, if that was not followed. */
  readonly redirect?: string;
}
