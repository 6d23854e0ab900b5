const dialects = "flyto internal kode pulse eko claude-code codex gemini-cli canonical".split(" ");

/** Every flag of every verb, in one table, so that flags can be parsed before the verb is known. */
export const flags = {
  workspace: { value: "FOLDER", about: "Folder to work in (default: the current one)" },
  session: { value: "ID", about: "Session to use (default: cli)" },
  mode: {
    value: "MODE",
    choices: ["readonly", "ask", "edit", "auto"],
    about: "What may run without asking: readonly, ask, edit or auto",
  },
  dialect: {
    value: "NAME",
    choices: ["auto", ...dialects],
    about: "Dialect of the tool names and parameters (default: the session's own, or flyto)",
  },
  store: { value: "ADDRESS", about: "Where to keep records: sqlite:<path> or memory:" },
  config: { value: "FILE", about: "JSON file of options, in place of the project's own; flags override it" },
  json: { about: "Print JSON instead of text" },
  help: { short: "h", about: "Show this help" },
  version: { short: "v", about: "Print the version" },
  format: {
    value: "NAME",
    choices: ["openai", "openai-responses", "anthropic", "ai-sdk", "gemini", "mcp", "json"],
    about: "Print JSON for openai, openai-responses, anthropic, ai-sdk, gemini, mcp or json",
  },
  made: { about: "Only those that agents made, with proposals and decisions" },
  timeout: { value: "MS", about: "Time limit for the call, in milliseconds" },
  "dry-run": { about: "Show the changes that the call would make, without making them" },
  batch: { value: "FILE", about: 'File of {"id","tool","input"} lines to explain; - for stdin' },
  limit: { value: "N", about: "How many receipts to show (default: 20)" },
  client: { value: "NAME", about: "Client to create or show a token for (default: default)" },
  port: { value: "N", about: "Port to listen on (default: 4747; 0 picks a free one)" },
  host: { value: "ADDRESS", about: "Address to listen on (default: 127.0.0.1)" },
  "allow-host": { value: "NAMES", about: "More host names that clients may use, such as box:4747,box.lan" },
  gateway: { about: "Also pass on other MCP servers: configured ones and those in each FILE" },
  model: { value: "NAME", about: "Model to use: anthropic/…, openai/…, google/…, ollama/…" },
  "base-url": { value: "URL", about: "Address of the model's API, if not the provider's own" },
  effort: {
    value: "LEVEL",
    choices: ["none", "minimal", "low", "medium", "high"],
    about: "How much the model thinks before it answers (default: the model's own)",
  },
  image: {
    value: "FILE",
    multiple: true,
    about: "Image to show the model with the prompt; repeat it for more",
  },
  schema: { value: "FILE", about: "JSON Schema that the answer must fit; it is printed as JSON" },
  continue: { about: "Continue the latest conversation in this folder" },
  resume: { value: "SESSION", isOptional: true, about: "Continue the conversation of this session" },
  fork: { about: "Begin a new session with the conversation of the one that is named" },
  only: {
    value: "WHAT",
    choices: ["conversation", "files"],
    about: "Rewind only this: conversation or files (default: both)",
  },
  tools: { value: "NAMES", about: "Use only these tools, such as Read,Grep (default: all)" },
  "max-steps": { value: "N", about: "Most steps the model may take (default: 100)" },
  from: { value: "SYSTEM", about: "System to move from: kode, eko, pulse, internal or flyto" },
  write: { about: "Change the import lines" },
  md: { about: "Print the conversation as Markdown" },
  html: { about: "Print the conversation as a page" },
  yes: { about: "Do it without asking" },
  "for-session": { about: "Approve calls like it until the session ends" },
  always: { about: "Approve calls like it in this project from now on" },
  stop: { about: "Also end the run of the agent that asked" },
  "all-like": { about: "Also the other calls of that tool by the same caller" },
  revoke: { about: "Stop trusting the project's file" },
  list: { about: "List the projects whose file is trusted" },
  force: { about: "Replace a file that exists" },
  verify: { about: "Check that nothing in the log was changed, added or removed" },
} as const satisfies Record<string, Flag>;

export interface Flag {
  /** Placeholder for the value in the help, such as `FILE`; undefined if the flag takes no value. */
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
  : Given extends { readonly value: string }
    ? string
    : boolean;
