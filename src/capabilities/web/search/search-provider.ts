import type { WebSearchResult } from "../../../tool/services/web.ts";

/** A search service: how to ask it, and how to read its answer. Everything else is the same for all of them. */
export interface SearchProvider {
  /** As people write its name. */
  readonly label: string;
  /** Where it answers; undefined if everybody has their own. */
  readonly url?: string;
  /** The environment variable that usually holds the key; undefined if it needs none. */
  readonly keyEnv?: string;
  /** Whether it needs the id of a search engine that its user has set up. */
  readonly needsEngine?: boolean;
  /** The hint for the user when the service refuses the key, or access without one. */
  readonly onRefusal?: string;
  ask(search: SearchTerms, access: ProviderAccess): ProviderRequest;
  /** Reads its results from the parsed answer; throws if it is not as the service documents it. */
  read(answer: unknown): readonly WebSearchResult[];
}

export interface SearchTerms {
  readonly query: string;
  readonly maxResults: number;
  /** Only results of these domains and those beneath them; empty for all. */
  readonly allowedDomains: readonly string[];
  readonly blockedDomains: readonly string[];
}

interface ProviderAccess {
  /** Without a slash at the end. */
  readonly url: string;
  readonly key: string;
  readonly engine: string;
}

export interface ProviderRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}
