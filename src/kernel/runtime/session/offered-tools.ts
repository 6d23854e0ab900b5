import type { SessionView } from "../../../tool/tool-context.ts";
import type { Mode } from "../../policy/decide.ts";
import { whyNeverAllowed } from "../../policy/never-allowed.ts";
import type { RegisteredTool } from "../../registry/registry.ts";
import { whyLacking } from "../../services/open-services.ts";
import type { SessionKept } from "../../session/kept/kept.ts";
import { openTools } from "../../tool-search/open-tools.ts";
import type { ToolAllowance } from "../../tool-search/session-tools.ts";
import type { ToolFilter } from "../../tool-search/tool-filter.ts";
import type { SpokenDialect } from "../assemble/open-dialects.ts";
import type { RunningRuntime } from "../running-runtime.ts";
import type { OfferedTools } from "./opening-session.ts";

interface OfferParts {
  readonly dialect: string;
  /** The only tools of the session. */
  readonly names: readonly string[] | undefined;
  readonly mode: { readonly current: Mode };
  readonly session: SessionView;
  readonly kept: SessionKept;
}

/** Opens the tools of a session, and says of each whether a call of it could pass. */
export async function openOfferedTools(
  runtime: RunningRuntime,
  { dialect, names, mode, session, kept }: OfferParts,
): Promise<OfferedTools> {
  const { policySource, services, lacking } = runtime;
  const allows = names && runtime.filterTools(names);
  const spoken = onlyAllowed(runtime.dialects.speak(dialect), allows);
  const whyDenied = (entry: RegisteredTool) => {
    const by = { rules: policySource.current.rules, mode: mode.current };
    return whyNeverAllowed(entry, by) ?? whyLacking(entry.tool.traits, services, lacking);
  };
  const revision = createRevision(() => [policySource.current, mode.current]);
  const allowance: ToolAllowance = {
    isNeverAllowed: (entry) => whyDenied(entry) !== undefined,
    get revision() {
      return revision();
    },
    refresh: policySource.refresh,
  };
  const { toolSearch, view, limitTools } = spoken;
  const choice = await openTools(toolSearch, { kept, session: () => session, allowance });
  return { view, limitTools, allows, allowance, whyDenied, choice };
}

/** Agents of the session may be limited further, but get nothing that it does not have. */
function onlyAllowed(spoken: SpokenDialect, allows: ToolFilter | undefined): SpokenDialect {
  if (allows === undefined) return spoken;
  const limitTools: SpokenDialect["limitTools"] = (more) =>
    spoken.limitTools((tool) => allows(tool) && more(tool));
  return { ...spoken, ...spoken.limitTools(allows), limitTools };
}

/** Returns the same object until one of the values changes. */
function createRevision(values: () => readonly unknown[]): () => unknown {
  let last: readonly unknown[] = [];
  return () => {
    const next = values();
    if (last.length !== next.length || next.some((value, index) => value !== last[index])) last = next;
    return last;
  };
}
