import { capability } from "../../kernel/runtime/index.ts";
import { defined } from "../../shared/options/defined.ts";
import type { ToolError } from "../../tool/tool-error.ts";
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
      const { describeRipgrep } = await import("../../machine/ripgrep/find-ripgrep.ts");
      try {
        return [{ check: "ripgrep", mark: "ok", found: await describeRipgrep() }];
      } catch (error) {
        const { message, hint } = error as ToolError;
        return [{ check: "ripgrep", mark: "fail", found: message, ...defined({ advice: hint }) }];
      }
    },
  },
  open: () => ({
    session: async (session) => ({ services: { search: await searchService.open(session) } }),
  }),
});
