import type { PresentedTool } from "../runtime/dialects/dialect-view.ts";
import type { CallRequest, CallResult } from "../runtime/pipeline/call.ts";
import type { JsonSchema } from "../shared/json-schema/json-schema.ts";

/** One vendor's way of being told of tools, of calling them, and of reading what they answer. */
export interface ToolFormat<Rendered = unknown, Answer = unknown> {
  /** Names may hold 64 letters, digits, `_` or `-`; any other is offered under a stand-in. */
  readonly limitsNames: boolean;
  /** The tool's schema as far as the vendor takes it. Asked once per schema; absent where any schema will do. */
  adaptSchema?(schema: JsonSchema, options: RenderOptions): AdaptedSchema;
  /** All tools at once, as the vendor's API takes them; `run` is for formats whose tools run themselves. */
  renderTools(tools: readonly AdaptedTool[], run: RunCall): Rendered;
  /** The calls of a message; undefined where the message has none in this vendor's form. */
  readCalls(message: unknown): readonly ReadCall[] | undefined;
  /** The messages to append after the message that made the calls. */
  renderAnswers(answers: readonly CallAnswer[]): Answer[];
  /** In strict mode the model cannot leave an argument out, and sends null instead. */
  readonly nullMeansAbsent?: boolean;
}

export interface RenderOptions {
  readonly strict: boolean;
}

export interface AdaptedSchema {
  readonly schema: JsonSchema;
  /** The vendor can hold the model to it. */
  readonly isStrict: boolean;
}

export interface AdaptedTool extends PresentedTool {
  readonly isStrict?: boolean;
}

export type RunCall = (request: CallRequest) => Promise<CallResult>;

/** A call as a model wrote it. */
export interface ReadCall {
  /** Absent where the vendor gave none. */
  readonly id?: string;
  readonly name: string;
  readonly input: unknown;
  /** Why the arguments could not be read; such a call is refused, and never run with part of them. */
  readonly inputProblem?: string;
  /** Whether it was made as a free-form call, which is answered in a form of its own. */
  readonly isFreeForm?: true;
}

export interface CallAnswer {
  readonly call: ReadCall;
  readonly result: Pick<CallResult, "callId" | "status" | "text" | "content" | "data">;
}
