import type { Search } from "../../tool/search.ts";
import { decide } from "../permissions/decide.ts";
import type { SeenFile } from "../search/search.ts";
import { admitPath, admitReached } from "./admit-path.ts";
import type { ResolvedCall } from "./call.ts";

/**
 * The searches as one call may use them. Where a search begins is decided like any other read; what it then comes upon
 * is told only where the rules and the floor would let the tool read it without asking.
 */
export function guardSearch(call: ResolvedCall): Search {
  const search = call.environment.search(
    call.deadline.signal,
    (file) => mayShow(call, file),
    (canonical) => admitReached(call, "read", canonical),
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

function mayShow(call: ResolvedCall, { absolute, relative, isInside, floor }: SeenFile): boolean {
  const { rules, mode } = call.environment;
  const written = { absolute, relative };
  const request = {
    action: "read",
    target: relative ?? absolute,
    path: { real: written, written, isInside },
    ...(floor && { floor }),
  } as const;
  const tool = call.resolved.entry.name;
  return decide({ tool, requests: [request], opaque: false, rules, mode }).decision === "allow";
}
