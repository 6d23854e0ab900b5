import { expect, test } from "vitest";
import {
  createEkoMessages,
  createFlytoEvents,
  createKodeEvents,
} from "../../../../src/capabilities/interop/index.ts";
import { defineTool, type LoggedEvent } from "../../../../src/index.ts";
import { openTestSession } from "../../../support/open-test-session.ts";

test("every event of a call has the name that its caller used, also for a reader of the end only", async () => {
  const log = await logOfCall("Speak");
  for (const begin of log.keys()) {
    const late = log.slice(begin);
    const names = { flyto: flytoNames(late), kode: kodeNames(late), eko: ekoNames(late) };
    for (const [system, told] of Object.entries(names)) {
      expect({ begin, system, names: [...new Set(told)] }).toEqual({ begin, system, names: ["Speak"] });
    }
  }
  expect(flytoNames(log)).toHaveLength(3);
  expect(kodeNames(log)).toHaveLength(5);
  expect(ekoNames(log)).toHaveLength(4);
});

test("events name another name only where the caller used one", async () => {
  for (const [name, calledAs] of [["Speak", "Speak"] as const, ["talk", undefined] as const]) {
    const named = (await logOfCall(name)).flatMap((event) => ("tool" in event ? [event] : []));
    expect(named.map(({ type, tool, calledAs: spoken }) => [type, tool, spoken])).toEqual(
      ["approval-request", "call-start", "call-progress", "custom", "log"].map((type) => [
        type,
        "talk",
        calledAs,
      ]),
    );
  }
});

/** All that the log has of one call. */
async function logOfCall(name: string): Promise<LoggedEvent[]> {
  const { session } = await openTestSession({ tools: [talk], onApproval: () => "allow" });
  const { callId } = await session.call(name);
  const events: LoggedEvent[] = [];
  for await (const event of session.events()) {
    if ("callId" in event && event.callId === callId && event.type !== "approval-decision")
      events.push(event);
    if (event.type === "call-end") break;
  }
  return events;
}

const talk = defineTool({
  name: "talk",
  aliases: ["Speak"],
  description: "Tells how far it is.",
  params: {},
  run: (_input, { progress, emit, logger }) => {
    progress("half way");
    emit("measured", { width: 3 });
    logger.info("measured");
    return "over";
  },
});

function flytoNames(log: readonly LoggedEvent[]): unknown[] {
  return log.flatMap(createFlytoEvents()).map(({ data }) => data.name ?? data.tool_name);
}

function kodeNames(log: readonly LoggedEvent[]): unknown[] {
  return log
    .flatMap(createKodeEvents())
    .map(({ event }) => event.toolName ?? (event.call as { name: string }).name);
}

function ekoNames(log: readonly LoggedEvent[]): unknown[] {
  const sender = { taskId: "task", agentName: "agent", nodeId: "node" };
  return log.flatMap(createEkoMessages(sender)).map(({ toolName }) => toolName);
}
