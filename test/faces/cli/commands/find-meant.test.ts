import { expect, test } from "vitest";
import { findMeant } from "../../../../src/faces/cli/commands/waiting/create-decision-command.ts";

test("an id means its own tool, and not another that a server named after it", () => {
  const ids = ["mcp:a/read@all@0123456789abcdef", "mcp:a/read@fedcba9876543210", "mcp:a/read@beef@00ff00ff"];
  const waiting = ids.map((id) => ({ id, title: "changed", text: "" }));
  const meant = (id: string) => findMeant(waiting, id)?.id;
  expect(meant("mcp:a/read")).toBe(ids[1]);
  expect(meant("mcp:a/read@all")).toBe(ids[0]);
  expect(meant("mcp:a/read@beef")).toBe(ids[2]);
  for (const id of ids) expect(meant(id)).toBe(id);
  expect(meant("mcp:a/rea")).toBeUndefined();
});
