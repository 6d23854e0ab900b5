import { callAll } from "../../kernel/call/index.ts";
import { capability } from "../../kernel/runtime/index.ts";
import { createInterop, type Interop } from "./create-interop.ts";

declare module "../../kernel/runtime/session.ts" {
  interface Session extends Interop {}
}

/** The tools and calls of a session in every model vendor's format. */
export const interopCapability = capability({
  name: "interop",
  open: () => ({
    session: ({ tools: { view, choice, whyDenied } }) => ({
      members: ({ host }) =>
        createInterop({
          list: () => view.list(host.session, whyDenied),
          listActive: (only) => choice.active(only).map((entry) => view.present(entry, host.session)),
          find: (name) => {
            const entry = view.resolve(name)?.entry;
            if (entry === undefined) return undefined;
            const { concurrencySafe } = entry.tool.traits;
            return { tool: view.present(entry, host.session), isConcurrencySafe: concurrencySafe };
          },
          callAll: (calls) => callAll(host, calls),
        }),
    }),
  }),
});
