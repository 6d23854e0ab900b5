export { findStrayDescriptors } from "./bubblewrap/stray-descriptors.ts";
export { certificateVariables } from "./certificate-variables.ts";
export { describeSandbox, findSandbox } from "./find-sandbox.ts";
export { openBareSandbox } from "./open-sandbox.ts";
export { type IndexEntry, parseGitIndex } from "./planted/parse-git-index.ts";
export { describePlanted, type PlantedEntry } from "./planted/planted-entry.ts";
export { readGitIndex } from "./protected/git-index.ts";
export { createNameScanner } from "./protected/scan-names.ts";
export { recognizeDenial, widerProfile } from "./recognize-denial.ts";
export { removeLeftOfSandboxes } from "./remove-left.ts";
export type {
  Confining,
  Sandbox,
  SandboxBounds,
  SandboxProfile,
  SandboxStatus,
  StartableProgram,
  WrappedProgram,
} from "./sandbox.ts";
