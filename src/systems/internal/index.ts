export { type InternalResult, ToolsService, type ToolsServiceOptions } from "./tools-service.ts";
