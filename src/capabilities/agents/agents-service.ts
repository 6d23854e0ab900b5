import type { Gate } from "../../kernel/policy/index.ts";
import {
  acting,
  methodKeys,
  type OpenService,
  type Service,
  type ServiceCall,
} from "../../kernel/services/index.ts";
import { knownKeys, value } from "../../shared/options/known-keys.ts";
import type { Agents } from "../../tool/services/agents.ts";
import type { AgentUse } from "./host/agent-runtime-parts.ts";
import type { SubAgents } from "./sub-agents/sub-agents.ts";

const taskKeys = {
  prompt: value,
  title: value,
  kind: value,
  model: value,
  continues: value,
  worktree: knownKeys<{ readonly branch?: string }>({ branch: value }),
};

/** Spawns agents that work in the background or while the call waits. */
export const agentsService: Service<"agents", Pick<SubAgents, "forCall" | "close">, OpenService<"agents">> = {
  offers: "spawning agents",
  keys: methodKeys<"agents">({ run: [0, taskKeys], start: [0, taskKeys] }, {}),
  inPreview: "a preview spawns no agents",
  open: ({ forCall, close }) => ({
    forCall: (gate, call) => agentsForCall(forCall, gate, call),
    close,
  }),
};

export function agentsForCall(
  forUse: (use: AgentUse) => Agents,
  gate: Pick<Gate, "spawn">,
  { id, caller, deadline, delegation, onApproval, onQuestion }: ServiceCall,
): Agents {
  const agents = forUse({
    callId: id,
    caller,
    signal: AbortSignal.any([deadline.signal, delegation.signal]),
    clock: deadline,
    onApproval,
    onQuestion,
  });
  return acting({
    async start(task) {
      await gate.spawn(task.kind);
      return agents.start(task);
    },
    async run(task) {
      await gate.spawn(task.kind);
      return delegation.during(agents.run(task));
    },
  });
}
