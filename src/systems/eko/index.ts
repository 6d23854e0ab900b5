export { Agent, type AgentParams, Eko, type EkoConfig } from "./eko.ts";
export { type EkoToolOptions, ekoTools } from "./eko-tools.ts";
export type * from "./eko-types.ts";
