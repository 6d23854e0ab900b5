import type { CallRequest, CallResult } from "../kernel/call/index.ts";
import type { PresentedTool } from "../kernel/dialects/index.ts";
import type { JsonSchema } from "../shared/json-schema/json-schema.ts";
import type { Fields } from "./fields.ts";

/** A vendor's format for tools, calls and results. */
export interface ToolFormat<Rendered = unknown, Answer = unknown> {
  /** Names are limited to 64 letters, digits, `_` or `-`; others are offered under a replacement. */
  readonly limitsNames: boolean;
  /** Adapts a schema so that the vendor accepts it. Called once for each schema; absent if the vendor accepts any. */
  adaptSchema?(schema: JsonSchema, options: RenderOptions): AdaptedSchema;
  /** All tools in the form of the vendor's API; `run` is for formats whose tools run themselves. */
  renderTools(tools: readonly AdaptedTool[], run: RunCall): Rendered;
  /** The calls of a message; empty if it has none in this vendor's form. */
  readCalls(message: unknown): readonly ReadCall[];
  /** The messages to append after the message that made the calls. */
  renderAnswers(answers: readonly CallAnswer[]): Answer[];
  /** In strict mode, the model cannot omit an argument and sends null instead. */
  readonly nullMeansAbsent?: boolean;
}

export interface RenderOptions {
  readonly strict: boolean;
}

export interface AdaptedSchema {
  readonly schema: JsonSchema;
  /** Whether the vendor can force the model to follow it. */
  readonly isStrict: boolean;
}

export interface AdaptedTool extends PresentedTool {
  readonly isStrict?: boolean;
}

export type RunCall = (request: CallRequest) => Promise<CallResult>;

/** A call as a model wrote it. */
export interface ReadCall {
  /** Absent if the vendor gave none. */
  readonly id?: string;
  readonly name: string;
  readonly input: unknown;
  /** Why the arguments could not be read; such a call is refused, never run with a part of them. */
  readonly inputProblem?: string;
  /** Set for a free-form call, whose answer has a different form. */
  readonly isFreeForm?: true;
}

export interface CallAnswer {
  readonly call: ReadCall;
  readonly result: Pick<CallResult, "callId" | "status" | "text" | "content" | "data">;
  /** Returns the output schema of the tool, for formats that need it. */
  outputSchema(): JsonSchema | undefined;
}

/** A vendor's streaming format. */
export interface StreamFormat {
  /** Whether a chunk belongs to this vendor's streams. */
  recognises(chunk: Fields): boolean;
  open(): MessageStream;
}

export interface MessageStream {
  /** Ignores unknown chunks: vendors add kinds of chunks all the time. */
  add(chunk: Fields): void;
  calls(): readonly StreamedCall[];
  /** The message so far, as the vendor wants it back in the transcript. */
  message(): unknown;
}

export interface StreamedCall {
  readonly id?: string;
  readonly name: string;
  /** The text so far, or a value if the vendor sends it in one piece. */
  readonly arguments: unknown;
  /** The vendor has marked the call as complete. */
  readonly hasEnded: boolean;
  /** Why the arguments are unclear. */
  readonly problem?: string | undefined;
  /** The arguments are free text, not JSON. */
  readonly isFreeForm?: true;
}
