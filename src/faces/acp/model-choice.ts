import type { SessionConfigOption } from "@agentclientprotocol/sdk";
import { oneLine } from "../../shared/text/one-line.ts";

/** The id of the option with which an editor chooses the model. */
export const modelOption = "model";

/** The models that an editor can choose, as an option of a session; the one in use is always among them. */
export function modelChoice(current: string, offered: readonly string[]): SessionConfigOption {
  const names = [...new Set([current, ...offered])];
  return {
    type: "select",
    id: modelOption,
    category: "model",
    name: "Model",
    currentValue: current,
    options: names.map((name) => ({ value: name, name: oneLine(name, maxName) })),
  };
}

const maxName = 100;
