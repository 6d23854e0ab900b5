import type { SessionModeState } from "@agentclientprotocol/sdk";
import { type Mode, modes } from "../../kernel/policy/decide.ts";

const shown = {
  readonly: ["Read only", "Reads and searches; changes nothing"],
  ask: ["Ask", "Asks before it changes files or runs commands that do more than read"],
  edit: ["Edit", "Changes files in the project without asking"],
  auto: ["Auto", "Asks only where a rule says so"],
} satisfies Record<Mode, readonly [name: string, description: string]>;

export function modeState(current: Mode): SessionModeState {
  return {
    currentModeId: current,
    availableModes: modes.map((id) => ({ id, name: shown[id][0], description: shown[id][1] })),
  };
}

export function findMode(id: string): Mode | undefined {
  return modes.find((mode) => mode === id);
}
