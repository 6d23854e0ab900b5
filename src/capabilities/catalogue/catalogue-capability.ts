import { capability } from "../../kernel/runtime/capability.ts";
import { catalogueService } from "./catalogue-service.ts";
import search from "./tools/tool/search.ts";

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
