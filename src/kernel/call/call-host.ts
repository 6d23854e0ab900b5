import type { Redactor } from "../../shared/secrets/redact.ts";
import type { Secrets } from "../../shared/secrets/secret-sources.ts";
import type { StrayGuard } from "../../shared/stray-rejections.ts";
import type { Caller } from "../../tool/caller.ts";
import type { IsolatedRunner } from "../../tool/read-isolated.ts";
import type { SessionView, Variables } from "../../tool/tool-context.ts";
import type { DialectView } from "../dialects/index.ts";
import type { Receipt, ReceiptBody, ReceiptFields } from "../events/index.ts";
import type { Approvals } from "../people/index.ts";
import type { Grants, Policy } from "../policy/index.ts";
import type { CallServices, ChangeChecks } from "../services/index.ts";
import type { Budget, OpenCalls, SessionLog, SessionTaint } from "../session/index.ts";
import type { HookChain } from "./hooks/hooks.ts";
import type { LoopWatch } from "./loops/loop-watch.ts";
import type { UndoStore } from "./undo/undo-store.ts";

/** What a session gives to all its calls. Joined in `create-call-host.ts`. */
export interface CallHost {
  readonly session: SessionView;
  readonly run: CallRun;
  readonly dialect: DialectView;
  /** Offers a deferred tool to the model, because an answer names it. */
  offerTool(name: string): void;
  readonly policy: Policy;
  readonly people: AskedPeople;
  readonly budget: Budget;
  readonly log: SessionLog;
  readonly redactor: Redactor;
  readonly stages: StageParts;
  readonly kept: KeptByCalls;
  readonly services: CallServices;
}

/** How the calls of a session run in this process. */
interface CallRun {
  /** Tells the calls of this process from those of an earlier one that had the session. */
  readonly id: string;
  /** Of calls that name no other. */
  readonly caller: Caller;
  readonly openCalls: OpenCalls;
  readonly defaultTimeoutMs: number;
  /** Takes no input but one that fits its schema as it is. */
  readonly isStrict: boolean;
  /** Notices what tools start and forget. */
  readonly strays: Pick<StrayGuard, "run">;
  /** Runs tools that ask for a separate process. Without it, they run here. */
  readonly isolated: IsolatedRunner | undefined;
  /** Lets the event loop run when calls have kept it busy for long. */
  yieldToEventLoop(nowMs: number): Promise<void> | undefined;
}

/** How calls ask people, and what people have allowed for longer than one call. */
interface AskedPeople {
  readonly approvals: Approvals;
  readonly grants: Grants;
  /** Told that a person is asked for approval, and what came of it. */
  onApproval(what: "asked" | "allow" | "deny" | "withdrawn"): void;
}

/** What takes part in every call: the hooks of the user, and what the stages watch and read. */
interface StageParts {
  /** They may change while the session is open. */
  hooks(): HookChain;
  readonly loops: LoopWatch;
  readonly secrets: Secrets;
  /** Look at the files that calls have changed; undefined if there are none. */
  readonly checks: ChangeChecks | undefined;
  /** What capabilities may note in receipts. */
  readonly receiptFields: ReceiptFields;
  /** Told of the end of each call, before it is recorded. */
  readonly onEnd: readonly ((receipt: ReceiptBody) => void)[];
}

/** What the session keeps for its calls beside the log. */
interface KeptByCalls {
  readonly variables: Variables;
  readonly taskVariables: Variables;
  readonly taint: Pick<SessionTaint, "add">;
  readonly undo: UndoStore;
  /** Receipts of one call in this session. */
  receipts(query: { callId: string }): Promise<readonly Receipt[]>;
  /** Writes a full output to disk and returns its path. */
  output(text: string): Promise<string>;
}
