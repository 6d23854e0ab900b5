import { expect, test } from "vitest";
import {
  markWorkSaved,
  readState,
  writeRecord,
} from "../../../../src/capabilities/agents/worktrees/worktree-record.ts";
import { makeFolder } from "./make-repository.ts";

test("the record of the branch that has the work is there as a whole or not at all, however often it is written", async () => {
  const registration = await makeFolder();
  expect(await readState(registration)).toEqual({ status: "gone" });
  await writeRecord(registration, { base: "1234", hasUncommitted: false, branch: "work" });
  expect(await readState(registration)).toEqual({ status: "left" });
  await markWorkSaved(registration, "work");
  let isOver = false;
  const marking = (async () => {
    while (!isOver) await markWorkSaved(registration, "work");
  })();
  for (let round = 0; round < 500; round++) {
    expect(await readState(registration)).toEqual({ status: "taken", branch: "work" });
  }
  isOver = true;
  await marking;
});
