import type { LoggingLevel, ServerContext } from "@modelcontextprotocol/server";
import type { LogMessage } from "../../../runtime/pipeline/call.ts";
import { mapStrings } from "../../../shared/text/map-strings.ts";

export interface LogReporter {
  report(entry: LogMessage): void;
  /** Resolves when what was reported has been handed on; a result must not overtake it. */
  flush(): Promise<void>;
}

/** Hands what a tool logs to a client that wants to hear of it, in order; the session's log has it in any case. */
export function createLogReporter({ mcpReq }: Pick<ServerContext, "mcpReq">, tool: string): LogReporter {
  const waiting: LogMessage[] = [];
  let leftOut = 0;
  let sending: Promise<void> | undefined;
  // Whether the client asked for it, and from which level on, is known further in. It may also be gone.
  const tell = (level: LoggingLevel, data: unknown) => mcpReq.log(level, data, tool).catch(() => {});
  const send = async () => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      await tell(levels[entry.level], toData(entry));
    }
    if (leftOut > 0) await tell("warning", `${leftOut} more messages are in the session's log only`);
    leftOut = 0;
    sending = undefined;
  };
  return {
    report(entry) {
      if (waiting.length < maxWaiting) waiting.push(entry);
      else leftOut++;
      sending ??= send();
    },
    flush: () => sending ?? Promise.resolve(),
  };
}

// A client that reads slowly must not cost more memory the more a tool has to say.
const maxWaiting = 1000;

const levels = { debug: "debug", info: "info", warn: "warning", error: "error" } as const;

function toData({ message, data }: LogMessage): unknown {
  return mapStrings(data === undefined ? message : { message, data }, {
    text: (text) => text.toWellFormed(),
  });
}
