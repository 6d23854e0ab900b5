import { checkerFormats } from "../../capabilities/diagnostics/diagnostics-options.ts";
import { hookEvents } from "../../kernel/call/hooks/commands/hook-command.ts";
import { leastOutputCharacters } from "../../kernel/dialects/output-limits.ts";
import { modes } from "../../kernel/policy/decide.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import type { WrittenConfig } from "./config-options.ts";

const text: JsonSchema = { type: "string", minLength: 1 };
const texts: JsonSchema = { type: "array", items: text };
const limit: JsonSchema = { type: "number", minimum: 0 };
const count: JsonSchema = { type: "integer", minimum: 0 };
const characters: JsonSchema = { type: "integer", minimum: leastOutputCharacters };
/** Checked when the runtime opens, like the same option given in code. */
const checkedLater: JsonSchema = { type: "object", additionalProperties: true };

const hookCommands: JsonSchema = {
  type: "array",
  description: "Each with its argv, the tools it is for, and its time limit",
  items: {
    type: "object",
    properties: {
      command: { type: "array", items: { type: "string" }, minItems: 1 },
      matcher: text,
      timeoutMs: { type: "number", exclusiveMinimum: 0 },
      mayApprove: { type: "boolean" },
    },
    required: ["command"],
  },
};

/** The options of a configuration file, as it is checked and as editors show it. */
export const configProperties = {
  $schema: { type: "string", description: "Where editors find the schema of this file" },
  workspace: {
    description:
      "The folder that tools work in, and further ones they may use. Only in a file given with --config",
    anyOf: [text, { type: "object", properties: { root: text, extraRoots: texts }, required: ["root"] }],
  },
  store: {
    ...text,
    description:
      "Where records are kept: sqlite:<path>, or memory: for nowhere. Default: the user's state folder",
  },
  durability: {
    enum: ["process-crash", "power-loss"],
    description: "What the records of a finished call survive. Default: process-crash",
  },
  dialect: {
    description: "The names and parameters that tools are offered with. Default: flyto",
    anyOf: [text, checkedLater],
  },
  permissions: {
    type: "object",
    description: "What may run. Of several rules that match, deny counts before ask, and ask before allow",
    properties: {
      mode: { enum: modes, description: "What may run without asking. Default: ask" },
      allow: { ...texts, description: "What runs without asking, such as Bash(npm test)" },
      ask: { ...texts, description: "What always asks" },
      deny: { ...texts, description: "What never runs, such as Read(secrets/**)" },
    },
  },
  toolFolders: { ...texts, description: "Folders of <group>/<action>.ts files, one tool per file" },
  plugins: { ...texts, description: "Modules that bring tools and hooks: paths or package names" },
  hooks: {
    type: "object",
    description: "Programs that are run as hooks, by event",
    properties: Object.fromEntries(hookEvents.map((event) => [event, hookCommands])),
  },
  mcpServers: {
    type: "object",
    description: "MCP servers whose tools are offered too, by name",
    additionalProperties: checkedLater,
  },
  budget: {
    type: "object",
    description: "Limits for each session",
    properties: {
      calls: { ...limit, description: "Most calls" },
      wallTimeMs: { ...limit, description: "Longest time, in milliseconds" },
      outputBytes: { ...limit, description: "Most output, in bytes" },
      tokens: { ...limit, description: "Most input and output tokens of the model" },
      cost: { ...limit, description: "Most that the model may cost, in the currency of prices" },
      tools: {
        type: "object",
        additionalProperties: limit,
        description: "Most calls of a tool, by its name",
      },
      periodMs: {
        type: "number",
        exclusiveMinimum: 0,
        description: "After how many milliseconds all of it may be spent again; default: never",
      },
    },
  },
  prices: {
    type: "object",
    description: "What a million tokens of each model cost, by provider/model",
    additionalProperties: {
      type: "object",
      properties: { input: limit, output: limit, cachedInput: limit },
      required: ["input", "output"],
    },
  },
  loops: {
    type: "object",
    description: "When a model that makes the same call with the same result again and again is stopped",
    properties: {
      warnAt: { ...count, description: "From which time on the result says so; 0 is never. Default: 3" },
      askAt: { ...count, description: "Which time the call needs approval; 0 is never. Default: 5" },
    },
  },
  retention: {
    type: "object",
    description: "How long records are kept; what a process has open is never removed",
    properties: {
      sessionDays: { ...limit, description: "After how many days a session is removed. Default: never" },
      logBytes: {
        ...limit,
        description: "Most bytes for all logs; the oldest sessions are removed first. Default: no limit",
      },
      outputBytes: { ...limit, description: "Most bytes for kept outputs of calls. Default: 1 GiB" },
      jobBytes: { ...limit, description: "Most bytes for output of background commands. Default: 1 GiB" },
      blobBytes: { ...limit, description: "Most bytes for earlier contents of files. Default: 1 GiB" },
      undoDays: {
        ...limit,
        description: "For how many days changes can be undone; no session is removed before. Default: 7",
      },
    },
  },
  timeoutMs: {
    type: "number",
    exclusiveMinimum: 0,
    description: "Time limit for tools without one of their own, in milliseconds. Default: 60000",
  },
  secrets: { ...texts, description: "Values to mask in results and records" },
  secretSources: {
    type: "object",
    description: "Secrets that a model may use by name, as {{secret:NAME}}, without seeing them",
    additionalProperties: {
      type: "object",
      properties: { env: text, file: text, command: texts, tools: texts, hosts: texts },
      required: ["tools"],
    },
  },
  sandbox: {
    enum: ["auto", "required", "off"],
    description:
      "Whether commands run in a sandbox: where one works (auto, the default), always or not at all (required), or never (off)",
  },
  shell: {
    type: "object",
    description: "Settings for shell commands",
    properties: {
      environment: {
        type: "object",
        additionalProperties: { type: "string" },
        description: "Variables that every command gets",
      },
      passEnvironment: {
        ...texts,
        description: "Names of variables that are passed on from the environment",
      },
      backgroundAfterMs: {
        type: "integer",
        minimum: 1,
        description: "After how many milliseconds a command goes on in the background",
      },
      maxOutputFileBytes: {
        type: "integer",
        minimum: 0,
        description: "How much of a command's output is kept",
      },
    },
  },
  web: {
    type: "object",
    description: "Settings for tools that use the web",
    properties: {
      origins: { ...texts, description: "Further origins that may be asked, such as http://localhost:3000" },
      proxy: { anyOf: [text, { const: false }], description: "The proxy to use, or false for none" },
      proxyResolves: { type: "boolean", description: "Whether the proxy looks up names" },
      robots: { type: "boolean", description: "Whether to follow robots.txt" },
      ca: { anyOf: [text, texts], description: "Files of further certificates to trust" },
      search: {
        type: "object",
        description: "The service that searches the web",
        properties: { provider: text, url: text, keyEnv: text, engine: text },
        required: ["provider"],
      },
    },
  },
  system: {
    type: "object",
    description: "What tools may learn about this machine",
    properties: { variables: { ...texts, description: "Names of variables that may be read" } },
  },
  databases: {
    type: "object",
    description: "Databases that tools may use, by name",
    additionalProperties: checkedLater,
  },
  diagnostics: {
    type: "array",
    description: "Programs that look for problems in changed files; what they find is told with the result",
    items: {
      type: "object",
      properties: {
        files: { ...text, description: "The files it is for, such as **/*.ts" },
        command: { type: "array", items: { type: "string" }, minItems: 1 },
        format: { enum: checkerFormats },
        timeoutMs: { type: "number", exclusiveMinimum: 0 },
        writable: { type: "boolean" },
      },
      required: ["files", "command", "format"],
    },
  },
  agents: {
    type: "object",
    description: "Limits and templates for agents",
    properties: {
      model: { ...text, description: "The model of agents, such as anthropic/claude-sonnet-4-5" },
      baseUrl: { ...text, description: "Address of the model's API, if not the provider's own" },
      maxDepth: { type: "integer", minimum: 0, description: "How deep agents may start agents" },
      maxRunning: { type: "integer", minimum: 1, description: "How many agents may run at once" },
      maxSteps: { type: "integer", minimum: 1, description: "Most steps the model of an agent may take" },
      templates: {
        type: "object",
        description: "Kinds of agents, by name",
        additionalProperties: checkedLater,
      },
    },
  },
  strictInput: {
    type: "boolean",
    description: 'Whether input such as "3" for a number is refused. Default: false',
  },
  output: {
    type: "object",
    description: "How much text of a result the caller gets",
    properties: {
      maxCharacters: { ...characters, description: "Of every tool" },
      tools: { type: "object", additionalProperties: characters, description: "Of a tool, by name" },
    },
  },
  deferral: {
    type: "object",
    description: "From how many tools on a model is offered only some and finds the others by searching",
    properties: { maxTools: limit, maxContextShare: limit, contextTokens: limit },
  },
} satisfies Record<keyof WrittenConfig, JsonSchema>;

/** The schema that editors complete and check a configuration file by. */
export const editorSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Configuration of Toolwright",
  type: "object",
  properties: configProperties,
  additionalProperties: false,
};
