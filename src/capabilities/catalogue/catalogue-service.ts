import { methodKeys, type OpenService, type Service } from "../../kernel/services/service.ts";
import { catalogueOf, type SessionTools } from "../../kernel/tool-search/session-tools.ts";
import { value } from "../../shared/options/known-keys.ts";

/** Finds deferred tools and activates them. */
export const catalogueService: Service<
  "tools",
  { readonly sessionTools: SessionTools },
  OpenService<"tools">
> = {
  offers: "searching for tools",
  keys: methodKeys<"tools">({ search: [1, { limit: value }] }, {}),
  inPreview: "a preview activates no tools",
  open: ({ sessionTools }) => ({ forCall: () => catalogueOf(sessionTools) }),
};
