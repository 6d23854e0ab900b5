import type { Search } from "../../../tool/services/search.ts";
import type { ResolvedCall } from "../../pipeline/call.ts";
import { admitPath, admitReached } from "../../policy/admit-path.ts";
import { decisionOn } from "../../policy/decide.ts";
import type { SeenFile } from "./search.ts";

/**
 * The searches as one call may use them. Where a search begins is decided like any other read; what it then comes upon
 * is told only where the rules and the floor would let the tool read it without asking.
 */
export function guardSearch(call: ResolvedCall): Search {
  const search = call.environment.search(call.deadline.signal, visibility(call), (canonical) =>
    admitReached(call, "read", canonical),
  );
  const guard =
    <Query extends { readonly path: string }, Found>(find: (query: Query) => Promise<Found>) =>
    async (query: Query): Promise<Found> => {
      await admitPath(call, "read", query.path);
      return find(query);
    };
  return {
    glob: guard(search.glob),
    grep: guard(search.grep),
    grepFiles: guard(search.grepFiles),
    grepCounts: guard(search.grepCounts),
  };
}

/** Whether a search may tell of a file. Without rules on paths, only what the floor says differs from file to file. */
function visibility(call: ResolvedCall): (file: SeenFile) => boolean {
  const { rules, mode } = call.environment;
  const by = { tool: call.resolved.entry.name, rules, mode };
  const speaksOfPaths = [...rules.deny, ...rules.ask, ...rules.allow].some(
    ({ matchesPath }) => matchesPath !== undefined,
  );
  const isReadable = decisionOn({ action: "read" }, by) === "allow";
  return ({ absolute, relative, isInside, floor }) => {
    if (!speaksOfPaths && floor === undefined) return isReadable;
    const written = { absolute, relative };
    const path = { real: written, written, isInside };
    return decisionOn({ action: "read", path, ...(floor && { floor }) }, by) === "allow";
  };
}
