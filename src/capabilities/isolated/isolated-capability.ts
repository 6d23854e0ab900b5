import { capability } from "../../kernel/runtime/capability.ts";
import { createIsolatedTools } from "./isolated-tools.ts";
import { isLoadingIsolated } from "./loading-isolated.ts";

/** Runs tools that ask for it in separate processes. */
export const isolatedCapability = capability({
  name: "isolated",
  check() {
    if (isLoadingIsolated()) throw new Error(opensRuntime);
  },
  open() {
    const isolated = createIsolatedTools();
    return { isolated, close: isolated.close };
  },
});

const opensRuntime =
  "the module of an isolated tool opens a runtime when it is loaded; move the tool to a module of its own";
