import { foreign, knownKeys, value } from "../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import type { McpServerStatus } from "./server-launch.ts";
import { couldBeToolOf } from "./server-names.ts";
import type { ServerSource } from "./server-source.ts";

export interface ReadyOptions {
  /** Waits only for servers that may have a tool with this name. */
  readonly tool?: string;
  /** Also waits while a person signs in, however long that takes. */
  readonly forPerson?: boolean;
  /** Ends the wait; the promise never rejects. */
  readonly signal?: AbortSignal;
  /** Called for each server that is waited for, and again when the reason changes. */
  readonly onWait?: (server: McpServerStatus) => void;
}

export const readyKeys = knownKeys<ReadyOptions>({
  tool: value,
  forPerson: value,
  signal: foreign,
  onWait: value,
});

/** Resolves when no server is connecting any more: each one is running, or its status says why not. */
export async function waitUntilConnected(
  sources: readonly ServerSource[],
  options: ReadyOptions = {},
): Promise<void> {
  refuseUnknownKeys(options, readyKeys, "ready");
  const { tool, forPerson = false, signal, onWait = () => {} } = options;
  const ended = Promise.withResolvers<void>();
  const end = () => ended.resolve();
  signal?.addEventListener("abort", end, { once: true });
  const isWaitedFor = (source: ServerSource) => {
    if (signal?.aborted) return false;
    const cause = source.waitsFor();
    return cause === "server" || (cause === "person" && forPerson);
  };
  const follow = async (source: ServerSource) => {
    let reported: string | undefined = "";
    while (isWaitedFor(source)) {
      const status = source.status();
      if (status.reason !== reported) onWait(status);
      reported = status.reason;
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
