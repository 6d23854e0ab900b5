import { defined } from "../../../shared/options/defined.ts";
import type { ServerLink } from "../connection/server-link.ts";
import type { ServerTools } from "../offered/server-tools.ts";
import { getPromptTool, readResourceTool } from "./catalogue-tools.ts";
import {
  cleanCompletion,
  cleanPrompts,
  cleanResources,
  cleanTemplates,
  type McpCatalogue,
} from "./clean-entries.ts";

/**
 * A server's lists, kept for some seconds: a client that reads them page by page must not make the server list all again.
 * `link` throws while the server is not connected.
 */
export function createServerCatalogue(
  server: string,
  { tools, link }: { tools: Pick<ServerTools, "list" | "nameOf">; link: () => ServerLink },
) {
  const resources = keepBriefly(async () => cleanResources(await link().list("resources")));
  const templates = keepBriefly(async () => cleanTemplates(await link().list("templates")));
  const prompts = keepBriefly(async () => cleanPrompts(await link().list("prompts")));
  return {
    catalogue(): McpCatalogue {
      const readTool = tools.nameOf(readResourceTool);
      const promptTool = tools.nameOf(getPromptTool);
      return {
        server,
        ...defined({ readTool, promptTool }),
        owns: (tool) => tools.list().some((each) => each.tool.name === tool),
        resources: resources.get,
        resourceTemplates: templates.get,
        prompts: prompts.get,
        async complete({ of, argument, others }) {
          const ref =
            "prompt" in of
              ? ({ type: "ref/prompt", name: of.prompt } as const)
              : ({ type: "ref/resource", uri: of.uriTemplate } as const);
          const context = others && { arguments: { ...others } };
          return cleanCompletion(await link().complete({ ref, argument, context }));
        },
      };
    },
    forget(): void {
      for (const each of [resources, templates, prompts]) each.forget();
    },
  };
}

/** Failures are kept too, so that a server that never ends its list is not asked again by every request. */
function keepBriefly<Value>(load: () => Promise<Value>): { get(): Promise<Value>; forget(): void } {
  let last: { readonly value: Promise<Value>; settledAt: number } | undefined;
  return {
    get() {
      if (last !== undefined && performance.now() - last.settledAt < keepMs) return last.value;
      const loading = { value: load(), settledAt: Number.POSITIVE_INFINITY };
      const settle = () => {
        loading.settledAt = performance.now();
      };
      loading.value.then(settle, settle);
      last = loading;
      return loading.value;
    },
    forget() {
      last = undefined;
    },
  };
}

const keepMs = 5_000;
