/** Every flag of every verb, so that flags can be read before the verb is known. */
export const flags = {
  workspace: { type: "string", value: "FOLDER", about: "The folder to work in; the current one by default" },
  session: { type: "string", value: "ID", about: "The session to use; `cli` by default" },
  mode: { type: "string", value: "MODE", about: "What runs unasked: readonly, ask, edit or auto" },
  dialect: { type: "string", value: "NAME", about: "Whose names and parameters the tools go by" },
  store: { type: "string", value: "ADDRESS", about: "Where records are kept: sqlite:<path> or memory:" },
  config: { type: "string", value: "FILE", about: "Options as JSON; flags win over them" },
  json: { type: "boolean", about: "Print JSON instead of text" },
  help: { type: "boolean", short: "h", about: "Show this" },
  version: { type: "boolean", about: "Print the version" },
  format: {
    type: "string",
    value: "NAME",
    about: "As JSON for openai, openai-responses, anthropic, ai-sdk, gemini, mcp or json",
  },
  timeout: { type: "string", value: "MS", about: "How long the call may take, in milliseconds" },
  "dry-run": { type: "boolean", about: "Tell what the call would change, and change nothing" },
  batch: { type: "string", value: "FILE", about: 'Lines of {"id","tool","input"} to explain; - for stdin' },
  limit: { type: "string", value: "N", about: "How many to show; 20 by default" },
  client: { type: "string", value: "NAME", about: "Whose token to make or show; `default` by default" },
  port: { type: "string", value: "N", about: "Where to listen; 4747 by default, 0 for a free one" },
  host: { type: "string", value: "ADDRESS", about: "What to listen on; 127.0.0.1 by default" },
  "allow-host": {
    type: "string",
    value: "NAMES",
    about: "Further names, with port, that clients reach it by",
  },
  gateway: {
    type: "boolean",
    about: "Offer the tools of other MCP servers too: those configured, and those of the FILEs",
  },
  model: { type: "string", value: "NAME", about: "Who works: anthropic/…, openai/…, google/…, ollama/…" },
  "base-url": { type: "string", value: "URL", about: "Where the model is reached, if elsewhere than usual" },
  resume: { type: "string", value: "SESSION", about: "Go on with this conversation" },
  tools: {
    type: "string",
    value: "NAMES",
    about: "The only tools to use, such as Read,Grep; all by default",
  },
  "max-steps": { type: "string", value: "N", about: "How often the model is asked at most; 100 by default" },
  verify: { type: "boolean", about: "Check that no receipt was changed, added or removed" },
} as const satisfies Record<string, Flag>;

export interface Flag {
  readonly type: "string" | "boolean";
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly short?: string;
  readonly about: string;
}

export type FlagName = keyof typeof flags;

export const sharedFlags: readonly FlagName[] = [
  "workspace",
  "session",
  "mode",
  "dialect",
  "store",
  "config",
  "json",
  "help",
];

export type FlagValues = {
  readonly [Name in FlagName]?: (typeof flags)[Name]["type"] extends "string" ? string : boolean;
};
