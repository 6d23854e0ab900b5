import { fileURLToPath } from "node:url";
import type { AvailableCommandsUpdate, ContentBlock } from "@agentclientprotocol/sdk";
import type { MessagePart } from "../../capabilities/agents/index.ts";
import { fencedText } from "../../shared/markdown/fenced-text.ts";
import { cutMiddle } from "../../shared/text/cut-middle.ts";
import { escapeLine } from "../../shared/text/escape-controls.ts";

/** The parts of a prompt. Attachments of the editor are quoted, so that they do not pass for the person's own words. */
export function readPrompt(blocks: readonly ContentBlock[]): MessagePart[] {
  const images = blocks.flatMap((block): MessagePart[] =>
    block.type === "image" ? [{ type: "image", data: block.data, mimeType: block.mimeType }] : [],
  );
  return [{ type: "text", text: textOf(blocks) }, ...images];
}

function textOf(blocks: readonly ContentBlock[]): string {
  return blocks
    .map((block) => {
      switch (block.type) {
        case "text":
          return block.text;
        case "image":
          return "";
        case "resource_link":
          return `[${nameOf(block.uri)}]`;
        case "resource": {
          const { resource } = block;
          if (!("text" in resource)) return `[${nameOf(resource.uri)}, which is not text]`;
          return `\nContent of ${nameOf(resource.uri)}, attached by the editor:\n${fencedText(shortened(resource.text))}\n`;
        }
        default:
          return `[${block.type}, which cannot be shown to the model]`;
      }
    })
    .join("");
}

/** Cuts an attached text: a file of megabytes fits in no context, and quoting it would keep all other sessions waiting. */
function shortened(text: string): string {
  return cutMiddle(text, { maxCharacters: maxAttachedCharacters, headShare: 0.5 }).text;
}

const maxAttachedCharacters = 200_000;

/** The file's name on one line, so that its author cannot write lines of the message. */
function nameOf(uri: string): string {
  const address = uri.slice(0, maxNameCharacters);
  try {
    return escapeLine(fileURLToPath(address));
  } catch {
    return escapeLine(address);
  }
}

/** A path of 4,096 bytes, each of them encoded. */
const maxNameCharacters = 3 * 4096;

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
