import { capability } from "../../kernel/runtime/capability.ts";
import type { filterLines } from "./filter-lines.ts";
import { searchService } from "./search-service.ts";
import glob from "./tools/search/glob.ts";
import grep from "./tools/search/grep.ts";

declare module "../../kernel/runtime/opening.ts" {
  interface RuntimeOffers {
    /** For a pattern that a model has written. */
    readonly filterLines?: typeof filterLines;
  }
}

/** Searching files by content and name. */
export const searchCapability = capability({
  name: "search",
  services: { search: searchService },
  tools: [glob, grep],
  doctor: {
    async onMachine() {
      const { checkRipgrep } = await import("./check-ripgrep.ts");
      return [await checkRipgrep()];
    },
  },
  open: () => ({
    offers: {
      filterLines: async (...given) => (await import("./filter-lines.ts")).filterLines(...given),
    },
    session: async (session) => ({ services: { search: await searchService.open(session) } }),
  }),
});
