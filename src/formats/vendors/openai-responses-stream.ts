import { asFields, asFieldsList, type Fields, withId } from "../fields.ts";
import { appendText, type MessageStream, type StreamFormat } from "../streams/message-stream.ts";

/** Stream events of OpenAI's Responses API. */
export const openaiResponsesStream: StreamFormat = {
  recognises: ({ type }) => typeof type === "string" && type.startsWith("response."),
  open: openStream,
};

interface GrowingItem {
  fields: Fields;
  text: string;
  hasEnded: boolean;
}

function openStream(): MessageStream {
  const items = new Map<unknown, GrowingItem>();
  const inOrder = () =>
    [...items].toSorted(([left], [right]) => Number(left) - Number(right)).map(([, item]) => item);

  const handlers = new Map<unknown, (event: Fields) => void>([
    ["response.output_item.added", ({ output_index, item }) => keep(output_index, item, false)],
    ["response.output_item.done", ({ output_index, item }) => keep(output_index, item, true)],
    [
      "response.function_call_arguments.delta",
      ({ output_index, delta }) => {
        const item = items.get(output_index);
        if (item !== undefined) item.text = appendText(item.text, delta);
      },
    ],
    [
      "response.function_call_arguments.done",
      ({ output_index, arguments: whole }) => {
        const item = items.get(output_index);
        if (item === undefined) return;
        if (typeof whole === "string") item.text = appendText("", whole);
        item.hasEnded = true;
      },
    ],
    ["response.completed", keepAll],
    ["response.incomplete", keepAll],
  ]);

  function keep(index: unknown, item: unknown, isDone: boolean): void {
    const fields = asFields(item);
    if (fields === undefined) return;
    const text = appendText("", fields.arguments ?? fields.input);
    items.set(index, { fields, text, hasEnded: isDone && fields.status !== "incomplete" });
  }

  /** The last event repeats the whole response. */
  function keepAll({ response }: Fields): void {
    for (const [index, item] of asFieldsList(asFields(response)?.output).entries()) keep(index, item, true);
  }

  return {
    add: (event) => handlers.get(event.type)?.(event),
    calls: () =>
      inOrder()
        .filter(({ fields }) => fields.type === "function_call" || isFreeForm(fields))
        .map(({ fields, text, hasEnded }) => ({
          ...withId(fields.call_id),
          name: typeof fields.name === "string" ? fields.name : "",
          arguments: text,
          hasEnded,
          ...(isFreeForm(fields) && { isFreeForm: true }),
        })),
    message: () => ({
      output: inOrder().map(({ fields, text }) =>
        fields.type === "function_call" ? { ...fields, arguments: text } : fields,
      ),
    }),
  };
}

function isFreeForm({ type }: Fields): boolean {
  return type === "custom_tool_call";
}
