import type { ApprovalRequest } from "./approvals.ts";
import { formatApproval } from "./format-approval.ts";

/**
 * The whole request in pages that a form of a client can show; only the last may be allowed. Undefined if it is too long
 * even for that.
 */
export function approvalPages(request: ApprovalRequest): readonly string[] | undefined {
  // Counted before it is formatted, which would keep others waiting.
  if ((JSON.stringify(request)?.length ?? 0) > maxPages * maxPageCharacters) return undefined;
  const pages: string[] = [];
  let page = "";
  // Cuts between rows.
  for (const row of formatApproval(request).trim().split("\n")) {
    if (page !== "" && page.length + row.length >= maxPageCharacters) {
      pages.push(page);
      page = row;
    } else page = page === "" ? row : `${page}\n${row}`;
  }
  return pages.length < maxPages ? [...pages, page] : undefined;
}

const maxPageCharacters = 12_000;
/** Nobody reads more with care, and a client that answers by itself is not asked forever. */
const maxPages = 25;
