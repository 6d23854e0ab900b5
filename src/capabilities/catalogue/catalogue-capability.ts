import { capability } from "../../kernel/runtime/index.ts";
import { methodKeys, type OpenService, type Service } from "../../kernel/services/index.ts";
import { catalogueOf, type SessionTools } from "../../kernel/tool-search/index.ts";
import { value } from "../../shared/options/known-keys.ts";
import search from "./tools/tool/search.ts";

/** Finds deferred tools and activates them. */
const catalogueService: Service<"tools", { readonly sessionTools: SessionTools }, OpenService<"tools">> = {
  offers: "searching for tools",
  keys: methodKeys<"tools">({ search: [1, { limit: value }] }, {}),
  inPreview: "a preview activates no tools",
  open: ({ sessionTools }) => ({ forCall: () => catalogueOf(sessionTools) }),
};

/** Finding tools that are not offered from the start. */
export const catalogueCapability = capability({
  name: "catalogue",
  services: { tools: catalogueService },
  tools: [search],
  roles: { searchTool: search.name },
  open: () => ({
    session: async ({ tools: { choice } }) => ({
      services: { tools: await catalogueService.open({ sessionTools: choice }) },
    }),
  }),
});
