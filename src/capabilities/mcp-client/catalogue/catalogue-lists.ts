import type { ListKind, ServerLists } from "../connection/list-all.ts";
import { cleanPrompts, cleanResources, cleanTemplates } from "./clean-entries.ts";
import type { McpCatalogue } from "./mcp-catalogue.ts";

/** A server's lists, kept for some seconds: a client that reads them page by page must not make the server list all again. */
export interface CatalogueLists extends Pick<McpCatalogue, "resources" | "resourceTemplates" | "prompts"> {
  forget(): void;
}

type List = <Kind extends ListKind>(kind: Kind) => Promise<readonly ServerLists[Kind][]>;

export function createCatalogueLists(list: List): CatalogueLists {
  const kept = [
    keepBriefly(async () => cleanResources(await list("resources"))),
    keepBriefly(async () => cleanTemplates(await list("templates"))),
    keepBriefly(async () => cleanPrompts(await list("prompts"))),
  ] as const;
  const [resources, templates, prompts] = kept;
  return {
    resources: resources.get,
    resourceTemplates: templates.get,
    prompts: prompts.get,
    forget() {
      for (const each of kept) each.forget();
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
