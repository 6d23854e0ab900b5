import type { HookChain } from "../../../kernel/call/hooks/hooks.ts";
import type { DialectView } from "../../../kernel/dialects/dialect-view.ts";
import type { ModelPrices } from "../../../kernel/events/agent-event.ts";
import type {
  ChildSession,
  ChildSessionOptions,
  ParentSession,
} from "../../../kernel/runtime/parent-session.ts";
import type { BlobStore } from "../../../kernel/store/blobs/blob-store.ts";
import type { Store } from "../../../kernel/store/store.ts";
import type { ToolAccess } from "../../../kernel/tool-search/limit-tools.ts";
import type { ToolFilter } from "../../../kernel/tool-search/tool-filter.ts";
import type { Redactor } from "../../../shared/secrets/redact.ts";
import type { QuestionHandler } from "../../../tool/services/question.ts";
import type { SubAgentOptions } from "../sub-agents/sub-agent-options.ts";
import type { TemplateCatalogue } from "../sub-agents/templates/template-catalogue.ts";

/** What agents need from the runtime they work in. */
export interface AgentRuntimeParts {
  readonly options: {
    readonly agents?: SubAgentOptions;
    readonly onQuestion?: QuestionHandler;
    readonly prices?: ModelPrices;
  };
  readonly workspace: { readonly root: string };
  /** Where the worktrees of sub-agents are created. */
  readonly worktreesFolder: string;
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly redactor: Redactor;
  readonly hooks: () => Pick<HookChain, "event">;
  readonly view: DialectView;
  /** The kinds of agents that may be spawned. */
  readonly templates: TemplateCatalogue;
  /** Name of the tool that spawns sub-agents. */
  readonly agentTool: string;
  /** Name of the tool that reads files. */
  readonly readTool: string;
  /** The tools as a caller sees them that may use only some. */
  readonly limitTools: (allows: ToolFilter) => ToolAccess;
  /** Throws if a name matches no tool. */
  readonly filterTools: (
    names: readonly string[],
    options?: { readonly isRestricting?: boolean },
  ) => ToolFilter;
  /** The same parts for another workspace; commands there may also read the `readable` folders. */
  readonly inFolder: (
    root: string,
    readable: readonly string[],
  ) => Promise<Pick<AgentRuntimeParts, "openChild">>;
  /** Opens the session of a sub-agent. */
  readonly openChild: (options: ChildSessionOptions, parent: ParentSession) => Promise<ChildSession>;
}
