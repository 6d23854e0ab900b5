export type { BackgroundSource } from "./background.ts";
export { type CallServices, createView, type OpenedTable, withServices } from "./call-services.ts";
export type { ChangeChecks, CheckReport, CheckUse } from "./change-checks.ts";
export { closeServices, whyLacking } from "./open-services.ts";
export {
  acting,
  type Consent,
  type Delegation,
  methodKeys,
  type OpenService,
  type Service,
  type ServiceCall,
  type ServiceTable,
} from "./service.ts";
export type { ServiceName, ServiceViews } from "./service-views.ts";
