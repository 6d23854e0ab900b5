import { capability } from "../../kernel/runtime/capability.ts";
import { searchService } from "./search-service.ts";
import glob from "./tools/search/glob.ts";
import grep from "./tools/search/grep.ts";

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
    session: async (session) => ({ services: { search: await searchService.open(session) } }),
  }),
});
