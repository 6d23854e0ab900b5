import type { LogAnchors } from "../../../src/kernel/store/sql/log-anchors.ts";

/** For a store whose logs have no anchors. */
export const noAnchors: LogAnchors = {
  read: () => undefined,
  note() {},
  remove() {},
  numbers: () => [],
  highestNumber: () => 0,
  close() {},
};
