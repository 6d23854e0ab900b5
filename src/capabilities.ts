import { agentsCapability } from "./capabilities/agents/agents-capability.ts";
import { catalogueCapability } from "./capabilities/catalogue/catalogue-capability.ts";
import { codeCapability } from "./capabilities/code/code-capability.ts";
import { databasesCapability } from "./capabilities/databases/databases-capability.ts";
import { diagnosticsCapability } from "./capabilities/diagnostics/diagnostics-capability.ts";
import { filesCapability } from "./capabilities/files/files-capability.ts";
import { interopCapability } from "./capabilities/interop/interop-capability.ts";
import { isolatedCapability } from "./capabilities/isolated/isolated-capability.ts";
import { madeCapability } from "./capabilities/made/made-capability.ts";
import { mcpCapability } from "./capabilities/mcp-client/mcp-capability.ts";
import { notesCapability } from "./capabilities/notes/notes-capability.ts";
import { processesCapability } from "./capabilities/processes/processes-capability.ts";
import { questionsCapability } from "./capabilities/questions/questions-capability.ts";
import { searchCapability } from "./capabilities/search/search-capability.ts";
import { skillsCapability } from "./capabilities/skills/skills-capability.ts";
import { systemCapability } from "./capabilities/system/system-capability.ts";
import { tasksCapability } from "./capabilities/tasks/tasks-capability.ts";
import { webCapability } from "./capabilities/web/web-capability.ts";
import type { kernelOptions } from "./kernel/options/index.ts";
import {
  type Capability,
  type Doctor,
  declaredKept,
  declaredReceipt,
  declaredServices,
  declareOptions,
  joinTools,
} from "./kernel/runtime/index.ts";
import type { FileOptionsOf } from "./shared/options/option.ts";

/**
 * The capabilities of a runtime. They are opened in this order, and each sees what those before it bring; their tools are
 * offered in it.
 */
export const capabilities = [
  filesCapability,
  searchCapability,
  processesCapability,
  agentsCapability,
  catalogueCapability,
  tasksCapability,
  skillsCapability,
  madeCapability,
  notesCapability,
  questionsCapability,
  webCapability,
  systemCapability,
  databasesCapability,
  codeCapability,
  diagnosticsCapability,
  isolatedCapability,
  mcpCapability,
  interopCapability,
] as const;

type Tables = typeof kernelOptions | NonNullable<(typeof capabilities)[number]["options"]>;
type AllOf<Union> = (Union extends unknown ? (part: Union) => void : never) extends (part: infer All) => void
  ? All
  : never;

/** The options that the kernel and the capabilities declare. */
export type DeclaredOptions = AllOf<Tables>;

/** The runtime options that a file can give: those that are plain data. */
export interface ConfigFile extends AllOf<FileOptionsOf<Tables>> {}

export const declaredOptions = declareOptions(capabilities);

export const builtinTools = joinTools(capabilities).tools;

/** The services of all capabilities. */
export const services = declaredServices(capabilities);

/** Everything that is kept for sessions beside their logs. */
export const keptKinds = declaredKept(capabilities);

/** The fields that they add to receipts. */
export const receiptFields = declaredReceipt(capabilities);

/** Their checks for `toolwright doctor`. */
export const doctors: readonly Doctor[] = capabilities.flatMap((each: Capability) => each.doctor ?? []);
