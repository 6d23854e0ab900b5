import type { DialectView } from "../runtime/dialects/dialect-view.ts";
import type { BlobStore } from "../runtime/services/files/undo/blob-store.ts";
import type { Store } from "../runtime/store/store.ts";
import type { ToolAccess } from "../runtime/tool-search/limit-tools.ts";
import type { ToolFilter } from "../runtime/tool-search/tool-filter.ts";
import type { Redactor } from "../shared/secrets/redact.ts";
import type { QuestionHandler } from "../tool/services/question.ts";
import type { ChildSession, ChildSessionOptions, ParentSession } from "./sub-agents/child-session.ts";
import type { SubAgentOptions } from "./sub-agents/sub-agent-options.ts";
import type { TemplateCatalogue } from "./sub-agents/templates/template-catalogue.ts";

/** What agents need of the runtime they work in. */
export interface AgentRuntimeParts {
  readonly options: { readonly agents?: SubAgentOptions; readonly onQuestion?: QuestionHandler };
  readonly workspace: { readonly root: string };
  readonly stateFolder: string;
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly redactor: Redactor;
  readonly view: DialectView;
  /** The kinds of agents that may be spawned. */
  readonly templates: TemplateCatalogue;
  /** The tool by which an agent spawns others. */
  readonly agentTool: string;
  /** The tools for whoever may use only some of them. */
  readonly limitTools: (allows: ToolFilter) => ToolAccess;
  /** Throws where a name means nothing. */
  readonly filterTools: (names: readonly string[]) => ToolFilter;
  /** The same in another folder, where commands may also read some that are not in it. */
  readonly inFolder: (root: string, readable: readonly string[]) => Promise<AgentRuntimeParts>;
  /** Opens the session of a sub-agent. */
  readonly openChild: (options: ChildSessionOptions, parent: ParentSession) => Promise<ChildSession>;
}
