import { asFields, asFieldsList, type Fields, withId } from "./fields.ts";
import { appendText, type MessageStream, type StreamFormat } from "./message-stream.ts";

/** Chunks of Gemini's contents: calls come whole, only text comes in pieces. */
export const geminiStream: StreamFormat = {
  recognises: ({ candidates }) => Array.isArray(candidates),
  open: openStream,
};

function openStream(): MessageStream {
  const parts: Fields[] = [];
  return {
    add({ candidates }) {
      const candidate = asFieldsList(candidates).find(({ index = 0 }) => index === 0);
      for (const part of asFieldsList(asFields(candidate?.content)?.parts)) {
        const last = parts.at(-1);
        if (last !== undefined && continues(last, part)) {
          parts[parts.length - 1] = { ...last, ...part, text: appendText(last.text as string, part.text) };
        } else parts.push(part);
      }
    },
    calls: () =>
      asFieldsList(parts.map(({ functionCall }) => functionCall))
        .filter((call) => !isContinuation(call))
        .map(({ id, name, args, partialArgs, willContinue }) => ({
          ...withId(id),
          name: typeof name === "string" ? name : "",
          arguments: args,
          hasEnded: partialArgs === undefined && willContinue !== true,
        })),
    message: () => ({ role: "model", parts: [...parts] }),
  };
}

/** Arguments in pieces are sent to those who ask for them; they are not put together here, and such a call is not run. */
function isContinuation({ name, args }: Fields): boolean {
  return name === undefined && args === undefined;
}

/** A signature belongs to the part that it came with, so such a part is joined to no other. */
function continues(last: Fields, part: Fields): boolean {
  const isText = typeof last.text === "string" && typeof part.text === "string";
  return isText && last.thought === part.thought && !isSigned(last) && !isSigned(part);
}

function isSigned({ thoughtSignature }: Fields): boolean {
  return thoughtSignature !== undefined;
}
