import type { Secrets } from "../../shared/secrets/secret-sources.ts";
import type { StrayGuard } from "../../shared/stray-rejections.ts";
import type { ReceiptFields } from "../events/index.ts";
import type { Grants, Mode, PolicySource } from "../policy/index.ts";
import type { ServiceName, ServiceTable } from "../services/index.ts";
import type { Inboxes, TaskVariables } from "../session/index.ts";
import type { RuntimeDialects } from "./assemble/open-dialects.ts";
import type { RuntimePart } from "./capability.ts";
import type { OpenRuntime } from "./opening.ts";
import type { MetricsRecorder } from "./runtime-metrics.ts";

/** A runtime that is open, with parts that its sessions share and capabilities do not see. */
export interface RunningRuntime extends OpenRuntime {
  readonly parts: readonly RuntimePart[];
  /** The services of all capabilities, as declared. */
  readonly services: ServiceTable;
  /** The services of capabilities that the options do not ask for. */
  readonly lacking: readonly ServiceName[];
  /** The fields that capabilities may note in receipts. */
  readonly receiptFields: ReceiptFields;
  readonly dialects: RuntimeDialects;
  readonly policySource: PolicySource & { readonly current: { readonly mode: Mode } };
  readonly secrets: Secrets;
  /** Notices promises that tools start and forget. */
  readonly strays: StrayGuard;
  readonly metrics: Pick<MetricsRecorder, "onCall" | "onApproval">;
  readonly taskVariables: TaskVariables;
  /** Reads the requests of other processes to the sessions that are open here. */
  readonly inboxes: Inboxes;
  /** Stores rules among the user's own for this project. */
  readonly keepRules: Grants["keep"];
  /** The flags with which a command uses this store. */
  readonly storeFlags: string;
}
