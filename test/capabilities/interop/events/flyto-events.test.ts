import { expect, test } from "vitest";
import { createFlytoEvents, formatServerSentEvent } from "../../../../src/capabilities/interop/index.ts";
import { logOfAgent } from "./log-of-agent.ts";

test("the log gives every kind of event of Flyto's stream, in order", async () => {
  const translate = createFlytoEvents();
  const events = (await logOfAgent()).flatMap(translate);
  expect(events.map(({ event }) => event)).toEqual([
    "turn_start",
    "thinking_delta",
    "text_delta",
    "thinking",
    "text",
    "tool_use",
    "tool_use",
    "permission_request",
    "tool_progress",
    "tool_progress",
    "tool_progress",
    "tool_result",
    "permission_request",
    "tool_result",
    "turn_end",
    "turn_start",
    "text_delta",
    "text",
    "turn_end",
    "done",
  ]);
  const used = events.find(({ event }) => event === "tool_use")!.data;
  const result = events.find(({ event }) => event === "tool_result")!.data;
  expect(result).toMatchObject({ tool_use_id: used.id, name: "Speak", output: "over", is_error: false });
  const names = events
    .filter(({ data }) => (data.tool_use_id ?? data.id) === used.id)
    .map(({ data }) => data.name ?? data.tool_name);
  expect(names).toEqual(Array(6).fill("Speak"));
  const asked = events.find(({ event }) => event === "permission_request")!.data;
  expect(asked).toMatchObject({ tool_use_id: used.id, tool_name: "Speak", input: {} });
  expect(formatServerSentEvent(events[0]!, 4)).toBe('id: 4\nevent: turn_start\ndata: {"turn":1}\n\n');
});
