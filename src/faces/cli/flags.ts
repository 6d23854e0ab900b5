/** Every flag of every verb, in one table, so that flags can be parsed before the verb is known. */
export const flags = {
  workspace: { type: "string", value: "FOLDER", about: "Folder to work in (default: the current one)" },
  session: { type: "string", value: "ID", about: "Session to use (default: cli)" },
  mode: {
    type: "string",
    value: "MODE",
    choices: ["readonly", "ask", "edit", "auto"],
    about: "What may run without asking: readonly, ask, edit or auto",
  },
  dialect: {
    type: "string",
    value: "NAME",
    choices: [
      "auto",
      "flyto",
      "internal",
      "kode",
      "pulse",
      "eko",
      "claude-code",
      "codex",
      "gemini-cli",
      "canonical",
    ],
    about: "Dialect of the tool names and parameters (default: the session's own, or flyto)",
  },
  store: { type: "string", value: "ADDRESS", about: "Where to keep records: sqlite:<path> or memory:" },
  config: {
    type: "string",
    value: "FILE",
    about: "JSON file of options, in place of the project's own; flags override it",
  },
  json: { type: "boolean", about: "Print JSON instead of text" },
  help: { type: "boolean", short: "h", about: "Show this help" },
  version: { type: "boolean", short: "v", about: "Print the version" },
  format: {
    type: "string",
    value: "NAME",
    choices: ["openai", "openai-responses", "anthropic", "ai-sdk", "gemini", "mcp", "json"],
    about: "Print JSON for openai, openai-responses, anthropic, ai-sdk, gemini, mcp or json",
  },
  made: { type: "boolean", about: "Only those that agents made, with proposals and decisions" },
  timeout: { type: "string", value: "MS", about: "Time limit for the call, in milliseconds" },
  "dry-run": { type: "boolean", about: "Show the changes that the call would make, without making them" },
  batch: {
    type: "string",
    value: "FILE",
    about: 'File of {"id","tool","input"} lines to explain; - for stdin',
  },
  limit: { type: "string", value: "N", about: "How many receipts to show (default: 20)" },
  client: { type: "string", value: "NAME", about: "Client to create or show a token for (default: default)" },
  port: { type: "string", value: "N", about: "Port to listen on (default: 4747; 0 picks a free one)" },
  host: { type: "string", value: "ADDRESS", about: "Address to listen on (default: 127.0.0.1)" },
  "allow-host": {
    type: "string",
    value: "NAMES",
    about: "More host names that clients may use, such as box:4747,box.lan",
  },
  gateway: {
    type: "boolean",
    about: "Also pass on other MCP servers: configured ones and those in each FILE",
  },
  model: { type: "string", value: "NAME", about: "Model to use: anthropic/…, openai/…, google/…, ollama/…" },
  "base-url": {
    type: "string",
    value: "URL",
    about: "Address of the model's API, if not the provider's own",
  },
  effort: {
    type: "string",
    value: "LEVEL",
    choices: ["none", "minimal", "low", "medium", "high"],
    about: "How much the model thinks before it answers (default: the model's own)",
  },
  image: {
    type: "string",
    value: "FILE",
    multiple: true,
    about: "Image to show the model with the prompt; repeat it for more",
  },
  schema: {
    type: "string",
    value: "FILE",
    about: "JSON Schema that the answer must fit; it is printed as JSON",
  },
  continue: { type: "boolean", about: "Continue the latest conversation in this folder" },
  resume: {
    type: "string",
    value: "SESSION",
    isOptional: true,
    about: "Continue the conversation of this session",
  },
  fork: { type: "boolean", about: "Begin a new session with the conversation of the one that is named" },
  only: {
    type: "string",
    value: "WHAT",
    choices: ["conversation", "files"],
    about: "Rewind only this: conversation or files (default: both)",
  },
  tools: {
    type: "string",
    value: "NAMES",
    about: "Use only these tools, such as Read,Grep (default: all)",
  },
  "max-steps": { type: "string", value: "N", about: "Most steps the model may take (default: 100)" },
  from: {
    type: "string",
    value: "SYSTEM",
    about: "System to move from: kode, eko, pulse, internal or flyto",
  },
  write: { type: "boolean", about: "Change the import lines" },
  md: { type: "boolean", about: "Print the conversation as Markdown" },
  html: { type: "boolean", about: "Print the conversation as a page" },
  yes: { type: "boolean", about: "Do it without asking" },
  "for-session": { type: "boolean", about: "Approve calls like it until the session ends" },
  always: { type: "boolean", about: "Approve calls like it in this project from now on" },
  stop: { type: "boolean", about: "Also end the run of the agent that asked" },
  "all-like": { type: "boolean", about: "Also the other calls of that tool by the same caller" },
  revoke: { type: "boolean", about: "Stop trusting the project's file" },
  list: { type: "boolean", about: "List the projects whose file is trusted" },
  force: { type: "boolean", about: "Replace a file that exists" },
  verify: { type: "boolean", about: "Check that nothing in the log was changed, added or removed" },
} as const satisfies Record<string, Flag>;

export interface Flag {
  readonly type: "string" | "boolean";
  /** Placeholder for the value in the help, such as `FILE`. */
  readonly value?: string;
  /** Every value it takes; completion offers them. */
  readonly choices?: readonly string[];
  /** The flag may be given without a value, which is then empty. */
  readonly isOptional?: true;
  /** The flag may be given several times; its value is a list. */
  readonly multiple?: true;
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

export type FlagValues = { readonly [Name in FlagName]?: ValueOf<(typeof flags)[Name]> };

type ValueOf<Given extends Flag> = Given extends { readonly multiple: true }
  ? readonly string[]
  : Given["type"] extends "string"
    ? string
    : boolean;
