import { type LoggedEvent, type SessionEvent, withCurrentName } from "../../events/index.ts";
import type { LogRow } from "../chain-hash.ts";
import { parseObject } from "../parse-stored.ts";
import type { VariableWrite } from "../store.ts";
import { type KeptKind, keptPlace } from "./kept-kind.ts";

/** The values of one kind as a log tells them, before an event or at its end. */
export async function replay<Value>(
  kind: Pick<KeptKind<Value>, "replay">,
  log: AsyncIterable<LoggedEvent>,
  before = Infinity,
): Promise<ReadonlyMap<string, Value>> {
  const values = new Map<string, Value>();
  for await (const event of log) {
    if (event.sequence >= before) break;
    kind.replay?.(values, event);
  }
  return values;
}

/** Collects the values of all kinds that the log of a file gives, while its rows pass. */
export function createFileReplay(kinds: readonly KeptKind[], id: string) {
  const told = kinds.map((kind) => ({ kind, values: new Map<string, unknown>() }));
  return {
    take({ body }: LogRow): void {
      const event = parseObject(body);
      if (event === undefined) return;
      const current = withCurrentName(event) as unknown as SessionEvent;
      for (const { kind, values } of told) kind.replay?.(values, current);
    },
    writes: (): readonly VariableWrite[] =>
      told.flatMap(({ kind, values }) =>
        [...values].map(([name, value]) => keptPlace(kind, id).write(name, value)),
      ),
  };
}
