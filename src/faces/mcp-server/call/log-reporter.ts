import type { LoggingLevel, ServerContext } from "@modelcontextprotocol/server";
import type { LogMessage } from "../../../kernel/call/call.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { mapStrings } from "../../../shared/text/map-strings.ts";

export interface LogReporter {
  report(entry: LogMessage): void;
  /** Resolves when all messages have been sent, so that the result does not overtake them. */
  flush(): Promise<void>;
}

/** Sends a tool's log messages to a client that wants them, in order; the session's log has them in any case. */
export function createLogReporter({ mcpReq }: Pick<ServerContext, "mcpReq">, tool: string): LogReporter {
  const waiting: LogMessage[] = [];
  let leftOut = 0;
  let sending: Promise<void> | undefined;
  // The SDK drops messages below the client's level. The client may also have disconnected.
  const sendLog = (level: LoggingLevel, data: unknown) => mcpReq.log(level, data, tool).catch(() => {});
  const send = async () => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      await sendLog(levels[entry.level], toData(entry));
    }
    if (leftOut > 0)
      await sendLog("warning", `${countOf(leftOut, "more message")} left out; see the session's log`);
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

// Bounds the memory that a slow client can cost.
const maxWaiting = 1000;

const levels = { debug: "debug", info: "info", warn: "warning", error: "error" } as const;

function toData({ message, data }: LogMessage): unknown {
  return mapStrings(data === undefined ? message : { message, data }, {
    text: (text) => text.toWellFormed(),
  });
}
