import type { McpServerStatus, ServerSource } from "./server-source.ts";
import { couldBeToolOf } from "./tools/tool-names.ts";

export interface ReadyOptions {
  /** Only the servers that a tool of this name could be of. */
  readonly tool?: string;
  /** Waits also while somebody signs in, which takes as long as it takes. */
  readonly forPerson?: boolean;
  /** Ends the waiting; it never rejects. */
  readonly signal?: AbortSignal;
  /** Called for each server that is waited for, and again when what it waits for is another. */
  readonly onWait?: (server: McpServerStatus) => void;
}

/** Resolves when none of the servers is being connected to any more: each of them runs, or its status says why not. */
export async function waitUntilConnected(
  sources: readonly ServerSource[],
  { tool, forPerson = false, signal, onWait = () => {} }: ReadyOptions = {},
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const end = () => ended.resolve();
  signal?.addEventListener("abort", end, { once: true });
  const isWaitedFor = (source: ServerSource) => {
    if (signal?.aborted) return false;
    const cause = source.waitsFor();
    return cause === "server" || (cause === "person" && forPerson);
  };
  const follow = async (source: ServerSource) => {
    let told: string | undefined = "";
    while (isWaitedFor(source)) {
      const status = source.status();
      if (status.reason !== told) onWait(status);
      told = status.reason;
      await Promise.race([source.changed(), ended.promise]);
    }
  };
  const meant = sources.filter(({ server }) => tool === undefined || couldBeToolOf(server, tool));
  for (const source of meant) source.want();
  try {
    await Promise.all(meant.map(follow));
  } finally {
    signal?.removeEventListener("abort", end);
  }
}
