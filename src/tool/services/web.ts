/** The web, as far as the call has permission to reach it. Private networks and this machine are out of reach. */
export interface Web {
  /**
   * Sends a request and returns the response, whatever its status. Redirects are followed within the host; one to another
   * host is returned. Nothing of the user is sent along: no cookies, no credentials.
   */
  fetch(url: string, options?: WebRequestOptions): Promise<WebResponse>;
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
