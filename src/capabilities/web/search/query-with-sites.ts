import type { SearchTerms } from "./search-provider.ts";

/** Domains as operators in the query, for services without parameters for them. */
export function queryWithSites({ query, allowedDomains, blockedDomains }: SearchTerms): string {
  const allowed = allowedDomains.map((domain) => `site:${domain}`).join(" OR ");
  const blocked = blockedDomains.map((domain) => `-site:${domain}`);
  const sites = allowedDomains.length > 1 ? [`(${allowed})`] : allowed === "" ? [] : [allowed];
  return [query, ...sites, ...blocked].join(" ");
}
