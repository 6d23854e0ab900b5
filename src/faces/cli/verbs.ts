import type { Verb, Verbs } from "./command.ts";

/**
 * The commands of `toolwright`. This is a list: it names the file of each command, whose code is loaded only when the
 * command is used.
 */
export const verbs: Verbs = new Map(
  Object.entries({
    talk: verb(
      "Talk to an agent: an interactive session, also without a command",
      () => import("./talk/talk-command.ts"),
    ),
    call: verb("Call a tool and print its result", () => import("./commands/call.ts")),
    tools: verb("List the tools, or show one in full", () => import("./commands/tools.ts")),
    run: verb("Run an agent with the tools", () => import("./commands/run.ts")),
    models: verb(
      "Show which models can be used, and how to set up others",
      () => import("./commands/setup/models.ts"),
    ),
    serve: verb("Serve the tools to MCP clients over HTTP", () => import("./commands/serve.ts")),
    mcp: verb("Serve the tools to one MCP client over stdio", () => import("./commands/mcp.ts")),
    acp: verb("Work in an editor that speaks the Agent Client Protocol", () => import("./commands/acp.ts")),
    explain: verb("Show whether a call would be allowed, and why", () => import("./commands/explain.ts")),
    log: verb("Show or verify the receipts of finished calls", () => import("./commands/log.ts")),
    undo: verb("Undo the changes of a call", () => loadUndo("undo")),
    redo: verb("Redo the changes of an undone call", () => loadUndo("redo")),
    rewind: verb(
      "Take a conversation and its files back to before a message",
      () => import("./commands/rewind.ts"),
    ),
    cancel: verb("Cancel what runs in a session, in whichever process", () => import("./commands/cancel.ts")),
    approvals: verb(
      "List calls, MCP servers and tools that need approval, and questions",
      () => import("./commands/waiting/approvals.ts"),
    ),
    approve: verb("Approve a call, an MCP server or a tool", () => loadDecision("approve")),
    deny: verb("Deny a call, an MCP server or a tool", () => loadDecision("deny")),
    answer: verb(
      "Answer a question of a tool, in whichever process",
      () => import("./commands/waiting/answer.ts"),
    ),
    policy: verb(
      "Check, test, replay or import permission rules",
      () => import("./commands/policy/policy.ts"),
    ),
    trust: verb(
      "Let the project's policy file allow things, after showing what",
      () => import("./commands/policy/trust.ts"),
    ),
    plugin: verb(
      "Add packed tools, hooks, servers and commands, after showing which",
      () => import("./commands/plugin/plugin.ts"),
    ),
    migrate: verb(
      "Show what to change in a project of another system, and what behaves better here",
      () => import("./commands/migrate/migrate.ts"),
    ),
    sessions: verb("List the sessions", () => import("./commands/sessions.ts")),
    gc: verb("Remove records that are no longer to be kept", () => import("./commands/records/gc.ts")),
    backup: verb("Copy the store to a file", () => import("./commands/records/backup.ts")),
    export: verb("Print the log of a session", () => import("./commands/records/export.ts")),
    import: verb("Add an exported session", () => import("./commands/records/import.ts")),
    doctor: verb(
      "Check that everything Toolwright needs is in place",
      () => import("./commands/setup/doctor.ts"),
    ),
    init: verb(
      "Write a configuration for this project, with every option explained",
      () => import("./commands/setup/init.ts"),
    ),
    demo: verb(
      "Watch an agent fix a bug under supervision: two minutes, no key",
      () => import("./commands/setup/demo.ts"),
    ),
    completion: verb(
      "Print a script that completes commands and flags in bash, zsh or fish",
      () => import("./commands/setup/completion.ts"),
    ),
    help: verb("Show this help, or that of a command", () => import("./help.ts")),
  }),
);

function verb(purpose: string, load: Verb["load"]): Verb {
  return { purpose, load };
}

async function loadUndo(direction: "undo" | "redo") {
  const { createUndoCommand } = await import("./commands/create-undo-command.ts");
  return { default: createUndoCommand(direction) };
}

async function loadDecision(verb: "approve" | "deny") {
  const { createDecisionCommand } = await import("./commands/waiting/create-decision-command.ts");
  return { default: createDecisionCommand(verb) };
}
