import type { Verbs } from "./command.ts";

/** The commands of `toolwright`. The code of each is loaded only when it is used. */
export const verbs: Verbs = new Map([
  [
    "talk",
    {
      purpose: "Talk to an agent: an interactive session, also without a command",
      load: () => import("./talk/talk-command.ts"),
    },
  ],
  ["call", { purpose: "Call a tool and print its result", load: () => import("./commands/call.ts") }],
  ["tools", { purpose: "List the tools, or show one in full", load: () => import("./commands/tools.ts") }],
  ["run", { purpose: "Run an agent with the tools", load: () => import("./commands/run.ts") }],
  [
    "models",
    {
      purpose: "Show which models can be used, and what others need",
      load: () => import("./commands/setup/models.ts"),
    },
  ],
  [
    "serve",
    { purpose: "Serve the tools to MCP clients over HTTP", load: () => import("./commands/serve.ts") },
  ],
  [
    "mcp",
    { purpose: "Serve the tools to one MCP client over stdio", load: () => import("./commands/mcp.ts") },
  ],
  [
    "acp",
    {
      purpose: "Work in an editor that speaks the Agent Client Protocol",
      load: () => import("./commands/acp.ts"),
    },
  ],
  [
    "explain",
    { purpose: "Show whether a call would be allowed, and why", load: () => import("./commands/explain.ts") },
  ],
  [
    "log",
    { purpose: "Show or verify the receipts of finished calls", load: () => import("./commands/log.ts") },
  ],
  ["undo", { purpose: "Undo the changes of a call", load: () => import("./commands/undo.ts") }],
  ["redo", { purpose: "Redo the changes of an undone call", load: () => import("./commands/redo.ts") }],
  [
    "rewind",
    {
      purpose: "Take a conversation and its files back to before a message",
      load: () => import("./commands/rewind.ts"),
    },
  ],
  [
    "cancel",
    {
      purpose: "Cancel what runs in a session, in whichever process",
      load: () => import("./commands/cancel.ts"),
    },
  ],
  [
    "approvals",
    {
      purpose: "List calls, MCP servers and tools that need approval, and questions",
      load: () => import("./commands/waiting/approvals.ts"),
    },
  ],
  [
    "approve",
    {
      purpose: "Approve a call, an MCP server or a tool",
      load: () => import("./commands/waiting/approve.ts"),
    },
  ],
  [
    "deny",
    { purpose: "Deny a call, an MCP server or a tool", load: () => import("./commands/waiting/deny.ts") },
  ],
  [
    "answer",
    {
      purpose: "Answer a question of a tool, in whichever process",
      load: () => import("./commands/waiting/answer.ts"),
    },
  ],
  [
    "policy",
    {
      purpose: "Check, test, replay or import permission rules",
      load: () => import("./commands/policy/policy.ts"),
    },
  ],
  [
    "trust",
    {
      purpose: "Let the project's policy file allow things, after showing what",
      load: () => import("./commands/policy/trust.ts"),
    },
  ],
  [
    "plugin",
    {
      purpose: "Add tools, hooks, servers and commands that somebody has packed, after showing which",
      load: () => import("./commands/plugin/plugin.ts"),
    },
  ],
  [
    "migrate",
    {
      purpose: "Show what to change in a project of another system, and what behaves better here",
      load: () => import("./commands/migrate/migrate.ts"),
    },
  ],
  ["sessions", { purpose: "List the sessions", load: () => import("./commands/sessions.ts") }],
  [
    "gc",
    { purpose: "Remove records beyond what is to be kept", load: () => import("./commands/records/gc.ts") },
  ],
  ["backup", { purpose: "Copy the store to a file", load: () => import("./commands/records/backup.ts") }],
  ["export", { purpose: "Print the log of a session", load: () => import("./commands/records/export.ts") }],
  ["import", { purpose: "Add an exported session", load: () => import("./commands/records/import.ts") }],
  [
    "doctor",
    {
      purpose: "Check that everything Toolwright needs is in place",
      load: () => import("./commands/setup/doctor.ts"),
    },
  ],
  [
    "init",
    {
      purpose: "Write a configuration for this project, with every option explained",
      load: () => import("./commands/setup/init.ts"),
    },
  ],
  [
    "demo",
    {
      purpose: "Watch an agent fix a bug under supervision: two minutes, no key",
      load: () => import("./commands/setup/demo.ts"),
    },
  ],
  [
    "completion",
    {
      purpose: "Print a script that completes commands and flags in bash, zsh or fish",
      load: () => import("./commands/setup/completion.ts"),
    },
  ],
  [
    "help",
    { purpose: "Show this help, or that of a command", load: () => import("./commands/setup/help.ts") },
  ],
]);
