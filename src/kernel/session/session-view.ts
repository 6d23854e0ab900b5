import type { SessionView } from "../../tool/tool-context.ts";

interface ViewParts extends Pick<SessionView, "id" | "workspace" | "dialect"> {
  readonly mode: { readonly current: SessionView["mode"] };
}

/** What tool descriptions may depend on: the session, and what its capabilities add. */
export function createSessionView(
  { mode, ...fixed }: ViewParts,
  added: readonly (Partial<SessionView> | undefined)[],
): SessionView {
  const view: SessionView = {
    ...fixed,
    get mode() {
      return mode.current;
    },
  };
  for (const each of added) {
    if (each !== undefined) Object.defineProperties(view, Object.getOwnPropertyDescriptors(each));
  }
  return view;
}
