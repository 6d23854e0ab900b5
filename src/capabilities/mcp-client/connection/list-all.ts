import type { Client, Prompt, Resource, ResourceTemplateType, Tool } from "@modelcontextprotocol/client";
import { untilDeadline } from "./until-deadline.ts";

/** What a server can list. */
export interface ServerLists {
  readonly tools: Tool;
  readonly resources: Resource;
  readonly templates: ResourceTemplateType;
  readonly prompts: Prompt;
}

export type ListKind = keyof ServerLists;

export type ByteMeter = ReturnType<typeof createByteMeter>;

/** Counts the bytes that arrive while a list is read. */
export function createByteMeter() {
  const listeners = new Set<(bytes: number) => void>();
  return {
    onBytes(bytes: number): void {
      for (const listener of listeners) listener(bytes);
    },
    /** Returns a function that stops listening. */
    listen(listener: (bytes: number) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Lists everything of a kind, up to the limits on bytes, pages, entries and time. */
export async function listAll<Kind extends ListKind>(
  client: Client,
  kind: Kind,
  { meter, signal }: { meter: ByteMeter; signal: AbortSignal },
): Promise<readonly ServerLists[Kind][]> {
  const { noun, maxBytes, maxEntries, pageMs, totalMs } = limits[kind];
  return untilDeadline({ signal, timeoutMs: totalMs }, async (deadline) => {
    let received = 0;
    const unlisten = meter.listen((bytes) => {
      received += bytes;
      if (received > maxBytes) deadline.cancel(new Error(`its ${noun} list has more than ${maxBytes} bytes`));
    });
    const options = { signal: deadline.signal, timeout: pageMs, cacheMode: "bypass" } as const;
    const listed: readonly ServerLists[Kind][] = await request[kind](client, options).finally(unlisten);
    if (listed.length > maxEntries) throw new Error(`it lists more than ${maxEntries} ${noun}s`);
    return listed;
  });
}

/** For all lists of a connection. */
export const maxPages = 2_000;

const catalogueLimits = {
  maxBytes: 10 * 1024 * 1024,
  maxEntries: 10_000,
  pageMs: 10_000,
  // A caller waits for this list, while tools are listed in the background.
  totalMs: 10_000,
};

const limits = {
  tools: {
    noun: "tool",
    maxBytes: 100 * 1024 * 1024,
    maxEntries: 20_000,
    pageMs: 30_000,
    totalMs: undefined,
  },
  resources: { noun: "resource", ...catalogueLimits },
  templates: { noun: "resource template", ...catalogueLimits },
  prompts: { noun: "prompt", ...catalogueLimits },
};

type ListOptions = NonNullable<Parameters<Client["listTools"]>[1]>;

const request: {
  [Kind in ListKind]: (client: Client, options: ListOptions) => Promise<readonly ServerLists[Kind][]>;
} = {
  tools: async (client, options) => (await client.listTools(undefined, options)).tools,
  resources: async (client, options) => (await client.listResources(undefined, options)).resources,
  templates: async (client, options) =>
    (await client.listResourceTemplates(undefined, options)).resourceTemplates,
  prompts: async (client, options) => (await client.listPrompts(undefined, options)).prompts,
};
