import { acting, methodKeys, type OpenService, type Service } from "../../kernel/services/service.ts";
import type { SessionTools } from "../../kernel/tool-search/session-tools.ts";
import { value } from "../../shared/options/known-keys.ts";
import type { ToolCatalogue } from "../../tool/services/tool-catalogue.ts";

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

export function catalogueOf({ search, activate }: SessionTools): ToolCatalogue {
  return { search, ...acting({ activate: async (name: string) => activate(name) }) };
}
