import { asFields } from "../interop/fields.ts";
import type { AgentRun } from "./agent-run.ts";
import type { ToolOutput } from "./transcript.ts";

/**
 * Tells in words what the last images showed; or all of them. A provider that refuses one refuses every prompt with it,
 * so that the conversation could not go on. False where there are none.
 */
export async function hideImages(
  { transcript, host, runId }: AgentRun,
  which: "last" | "all",
): Promise<boolean> {
  const withImages = transcript.entries
    .flatMap((entry) => (entry.kind === "step" ? [entry.calls] : []))
    .map((calls) => calls.filter(({ output }) => output.type === "content"))
    .filter((calls) => calls.length > 0);
  const hidden = withImages.slice(which === "last" ? -1 : 0).flat();
  if (hidden.length === 0) return false;
  for (const call of hidden) transcript.replace(call, inWords(call.output));
  await host.log.append([{ type: "images-hidden", runId, callIds: hidden.map(({ part }) => part.callId) }]);
  return true;
}

/** The answer without its images. */
export function inWords(output: ToolOutput): ToolOutput {
  if (output.type !== "content") return output;
  const texts = output.value.map((part) =>
    part.type === "text" ? part.text : "[an image, which could not be shown to you]",
  );
  return { type: "text", value: texts.join("\n") };
}

/** Whether a provider refused a prompt for what is in it; images are what it may not be able to read. */
export function isRefusal(error: unknown): boolean {
  const { statusCode } = asFields(error) ?? {};
  return statusCode === 400 || statusCode === 413 || statusCode === 415 || statusCode === 422;
}
