import { setTimeout as wait } from "node:timers/promises";
import { defineTool } from "../../src/index.ts";

const traits = { readOnly: true };

const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

// A recording without a sample in it.
const silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

function loggingTool(name: string) {
  return defineTool({
    name,
    description: "Logs what it does",
    params: {},
    traits,
    async run(_input, { logger }) {
      logger.info("Tool execution started");
      await wait(50);
      logger.info("Tool processing data");
      await wait(50);
      logger.info("Tool execution completed");
      return "done";
    },
  });
}

/** A tool that asks the given things, one after the other. */
function askingTool(name: string, ...questions: readonly string[]) {
  return defineTool({
    name,
    description: `Asks for ${questions.join(" and ")}`,
    params: {},
    traits,
    async run(_input, { ask }) {
      const answers: string[] = [];
      for (const question of questions)
        answers.push(await ask({ text: `Your ${question}?`, name: question }));
      return `You said ${answers.join(" and ")}.`;
    },
  });
}

/** What the official suite expects a server to offer, as far as tools go, made through our public interface. */
export const conformanceTools = [
  defineTool({
    name: "test_simple_text",
    description: "Answers with text",
    params: {},
    traits,
    run: () => "This is a simple text response for testing.",
  }),
  defineTool({
    name: "test_image_content",
    description: "Answers with a picture",
    params: {},
    traits,
    run: () => ({ content: [{ type: "image", data: onePixel, mimeType: "image/png" }] }),
  }),
  defineTool({
    name: "test_audio_content",
    description: "Answers with a recording",
    params: {},
    traits,
    run: () => ({ content: [{ type: "audio", data: silence, mimeType: "audio/wav" }] }),
  }),
  defineTool({
    name: "test_embedded_resource",
    description: "Answers with a resource",
    params: {},
    traits,
    run: () => ({
      content: [
        {
          type: "resource",
          uri: "test://embedded-resource",
          mimeType: "text/plain",
          text: "This is an embedded resource content.",
        },
      ],
    }),
  }),
  defineTool({
    name: "test_multiple_content_types",
    description: "Answers with words, a picture and a resource",
    params: {},
    traits,
    run: () => ({
      content: [
        { type: "text", text: "Multiple content types test:" },
        { type: "image", data: onePixel, mimeType: "image/png" },
        {
          type: "resource",
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: '{"test":"data","value":123}',
        },
      ],
    }),
  }),
  loggingTool("test_tool_with_logging"),
  loggingTool("test_logging_tool"),
  defineTool({
    name: "test_error_handling",
    description: "Always fails",
    params: {},
    traits,
    run: () => {
      throw new Error("This tool intentionally returns an error for testing");
    },
  }),
  defineTool({
    name: "test_tool_with_progress",
    description: "Tells how far it is",
    params: {},
    traits,
    async run(_input, { progress }) {
      for (const percent of [0, 50, 100]) {
        progress({ progress: percent, total: 100 });
        await wait(50);
      }
      return "done";
    },
  }),
  defineTool({
    name: "test_elicitation",
    description: "Asks what it was told to ask",
    params: { message: { type: "string" } },
    traits,
    run: async ({ message }, { ask }) => `User response: ${await ask({ text: message, name: "username" })}`,
  }),
  defineTool({
    name: "json_schema_2020_12_tool",
    description: "Has a schema with all that JSON Schema offers",
    input: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword is called that
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
    traits,
    run: () => "taken",
  }),
  askingTool("test_input_required_result_elicitation", "user_name"),
  askingTool("test_input_required_result_request_state", "consent"),
  askingTool("test_input_required_result_multi_round", "name", "colour"),
  askingTool("test_input_required_result_tampered_state", "consent"),
  askingTool("test_streaming_elicitation", "consent"),
];
