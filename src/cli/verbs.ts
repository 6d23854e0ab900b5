import type { Command } from "./command.ts";

/** What the command line can do. Each verb's code is loaded only when it is used. */
export const verbs: ReadonlyMap<string, Verb> = new Map([
  ["call", { purpose: "Call a tool and print its result", load: () => import("./commands/call.ts") }],
  ["tools", { purpose: "List the tools, or show one in full", load: () => import("./commands/tools.ts") }],
  ["run", { purpose: "Let an agent work with the tools", load: () => import("./commands/run.ts") }],
  [
    "serve",
    { purpose: "Serve the tools to MCP clients over HTTP", load: () => import("./commands/serve.ts") },
  ],
  [
    "mcp",
    { purpose: "Serve the tools to one MCP client over stdio", load: () => import("./commands/mcp.ts") },
  ],
  [
    "explain",
    { purpose: "Tell whether a call would be allowed, and why", load: () => import("./commands/explain.ts") },
  ],
  [
    "log",
    { purpose: "Show or verify the receipts of finished calls", load: () => import("./commands/log.ts") },
  ],
  ["undo", { purpose: "Take back what a call did", load: () => import("./commands/undo.ts") }],
  ["redo", { purpose: "Do again what was taken back", load: () => import("./commands/redo.ts") }],
  ["approvals", { purpose: "List what waits to be approved", load: () => import("./commands/approvals.ts") }],
  ["approve", { purpose: "Approve what is waiting", load: () => import("./commands/approve.ts") }],
  ["deny", { purpose: "Deny what is waiting", load: () => import("./commands/deny.ts") }],
  ["sessions", { purpose: "List the sessions", load: () => import("./commands/sessions.ts") }],
  [
    "doctor",
    {
      purpose: "Check that everything Toolwright needs is there",
      load: () => import("./commands/doctor.ts"),
    },
  ],
]);

export interface Verb {
  readonly purpose: string;
  load(): Promise<{ readonly default: Command }>;
}
