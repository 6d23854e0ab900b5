import type { AvailableCommandsUpdate } from "@agentclientprotocol/sdk";
import type { MessagePart } from "../../capabilities/agents/user-message.ts";

/** A message with places for arguments that a person calls by its name. */
interface PromptCommand {
  readonly name: string;
  readonly about: string;
  message(argument: string): string;
}

export type PromptCommands = ReadonlyMap<string, PromptCommand>;

/** The commands that the editor completes after a slash. */
export function toAvailable(commands: PromptCommands): AvailableCommandsUpdate {
  return {
    availableCommands: [...commands.values()].map(({ name, about }) => ({
      name,
      description: about,
      input: { hint: "arguments" },
    })),
  };
}

/** The prompt with a command at its beginning replaced by its message; anything else stays as it is. */
export function fillCommand(parts: readonly MessagePart[], commands: PromptCommands): readonly MessagePart[] {
  const [first, ...others] = parts;
  if (first?.type !== "text") return parts;
  const [, name = "", argument = ""] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(first.text.trim()) ?? [];
  const command = commands.get(name);
  return command === undefined ? parts : [{ type: "text", text: command.message(argument) }, ...others];
}
