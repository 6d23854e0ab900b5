import { asFields } from "../../../formats/index.ts";
import type { AgentRun } from "../agent-run.ts";
import type { ToolOutput, TranscriptCall, UserEntry } from "../transcript/transcript.ts";

export type HiddenImages = ReturnType<typeof createHiddenImages>;

/**
 * Images replaced by a note in the prompt. A provider that refuses an image refuses every prompt that contains it, and
 * the conversation would be stuck; but an image that was not the cause must be shown again.
 */
export function createHiddenImages({ transcript, host, runId }: AgentRun) {
  const hidden = new Map<TranscriptCall, ToolOutput>();
  let messages: UserEntry[] = [];
  return {
    /** Hides the images of the last step that has any, or all images; false if there are none. */
    hide(which: "last" | "all"): boolean {
      const withImages = transcript.entries
        .flatMap((entry) => (entry.kind === "step" ? [entry.calls] : []))
        .map((calls) => calls.filter(({ output }) => output.type === "content"))
        .filter((calls) => calls.length > 0);
      const calls = withImages.slice(which === "last" ? -1 : 0).flat();
      for (const call of calls) {
        hidden.set(call, call.output);
        transcript.replace(call, inWords(call.output));
      }
      if (calls.length > 0 && which === "last") return true;
      // Hidden images of a message are not noted in the log: a process that opens the conversation again finds out again.
      const more = transcript.entries.filter(
        (entry) => entry.kind === "user" && entry.images.length > 0 && !entry.hasHiddenImages,
      ) as UserEntry[];
      for (const message of more) transcript.hideImages(message, true);
      messages = [...messages, ...more];
      return calls.length + more.length > 0;
    },
    /** Hides them for good, and logs that. */
    async keepHidden() {
      messages = [];
      if (hidden.size === 0) return;
      const callIds = [...hidden.keys()].map(({ part }) => part.callId);
      await host.log.append([{ type: "images-hide", runId, callIds }]);
      hidden.clear();
    },
    showAgain() {
      for (const message of messages) transcript.hideImages(message, false);
      messages = [];
      for (const [call, output] of hidden) transcript.replace(call, output);
      hidden.clear();
    },
  };
}

/** The answer with a note in place of each image. */
export function inWords(output: ToolOutput): ToolOutput {
  if (output.type !== "content") return output;
  const texts = output.value.map((part) =>
    part.type === "text" ? part.text : "[an image that could not be shown to you]",
  );
  return { type: "text", value: texts.join("\n") };
}

/** Whether a provider refused a prompt for its content, which may be an image that it cannot read. */
export function isRefusal(error: unknown): boolean {
  const { statusCode } = asFields(error) ?? {};
  return statusCode === 400 || statusCode === 413 || statusCode === 415 || statusCode === 422;
}
