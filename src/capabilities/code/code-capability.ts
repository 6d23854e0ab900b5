import { capability } from "../../kernel/runtime/capability.ts";
import { codeService } from "./code-service.ts";
import analyze from "./tools/code/analyze.ts";
import format from "./tools/code/format.ts";

/** Parsing and formatting source code. */
export const codeCapability = capability({
  name: "code",
  services: { sourceCode: codeService },
  tools: [analyze, format],
  open: () => ({
    session: async (session) => ({ services: { sourceCode: await codeService.open(session) } }),
  }),
});
