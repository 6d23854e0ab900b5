import type { RuntimeOptions } from "../../runtime-options.ts";
import type { KodePermission } from "./kode-types.ts";

const modes = { auto: "auto", approval: "ask", readonly: "readonly" } as const;

/** KODE's permissions as rules. `allowTools` does not allow anything by itself: it is the list of tools to choose from. */
export function toPermissions(
  { mode = "auto", denyTools = [], requireApprovalTools = [] }: KodePermission,
  more: NonNullable<RuntimeOptions["permissions"]> = {},
): NonNullable<RuntimeOptions["permissions"]> {
  if (!Object.hasOwn(modes, mode))
    throw new TypeError(
      `permission.mode must be auto, approval or readonly; received ${JSON.stringify(mode)}`,
    );
  return {
    ...more,
    mode: more.mode ?? modes[mode],
    deny: [...denyTools, ...(more.deny ?? [])],
    ask: [...requireApprovalTools, ...(more.ask ?? [])],
  };
}
