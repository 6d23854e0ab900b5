export { joinTools } from "./builtin-tools.ts";
export {
  type Capability,
  capability,
  type Doctor,
  type Finding,
  type LostWork,
  type RuntimePart,
} from "./capability.ts";
export { declareOptions } from "./declare-options.ts";
export { declaredKept, declaredReceipt, declaredServices } from "./open-capabilities.ts";
export { openFree } from "./open-free.ts";
export { openRuntimeWith } from "./open-runtime-with.ts";
export type { OpeningRuntime, OpenRuntime } from "./opening.ts";
export type { Lineage, ParentSession } from "./parent-session.ts";
export { collectGarbage, type GarbageReport, isStoreInUse } from "./places/collect-garbage.ts";
export { findNetworkState } from "./places/network-folder.ts";
export { openPlaces, openRecords } from "./places/open-places.ts";
export { stateFolderOf } from "./places/state-folder.ts";
export { readRuleNames } from "./read-rule-names.ts";
export type { Runtime } from "./runtime.ts";
export type { Plugin, PluginApi, RuntimeOptions } from "./runtime-options.ts";
export type {
  OfferedTools,
  OpeningSession,
  RunningSession,
  SessionAgenda,
  SessionShell,
} from "./session/opening-session.ts";
export type { RewindOptions } from "./session/session-rewind.ts";
export { type CallOptions, type Session, type SessionOptions, sessionKeys } from "./session.ts";
