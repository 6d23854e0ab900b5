export { type DeferralLimits, deferralOption } from "./deferral.ts";
export { createToolFilter, limitTools, type ToolAccess, type ToolFilter } from "./limit-tools.ts";
export {
  activeTools,
  createToolSearch,
  offerIn,
  openTools,
  type ToolChoice,
  toolChoice,
} from "./open-tools.ts";
export { catalogueOf, type SessionTools, type ToolAllowance, type ToolSearchParts } from "./session-tools.ts";
