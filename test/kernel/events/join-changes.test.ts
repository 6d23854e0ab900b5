import { expect, test } from "vitest";
import {
  type FileChange,
  joinChanges,
  missing,
  netChanges,
  type PathState,
} from "../../../src/kernel/events/file-change.ts";

const state = (hash: string): PathState => ({ kind: "file", hash, mode: 0o644, sizeBytes: 1 });
const change = (path: string, before: PathState, after: PathState): FileChange => ({ path, before, after });

test("two attempts at a call are taken back as one, but not a write from elsewhere between them", () => {
  const earlier = [
    change("/w/both", state("old"), state("half")),
    change("/w/first", missing, state("new")),
    change("/w/theirs", state("old"), state("new")),
  ];
  const later = [
    change("/w/both", state("half"), state("new")),
    change("/w/theirs", state("theirs"), state("mine")),
    change("/w/theirs", state("mine"), state("new")),
  ];
  expect(netChanges(joinChanges(earlier, later))).toEqual([
    { path: "/w/both", was: state("old"), is: state("new") },
    { path: "/w/first", was: missing, is: state("new") },
    { path: "/w/theirs", was: state("theirs"), is: state("new") },
  ]);
});
