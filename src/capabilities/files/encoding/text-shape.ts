import type { LineEnding } from "./line-endings.ts";

/** A text file's format, needed to write it back as it was. */
export interface TextShape {
  /** Standard name, such as `utf-8`, `utf-16le` or `windows-1252`. */
  readonly encoding: string;
  readonly hasBom: boolean;
  readonly lineEnding: LineEnding;
  readonly endsWithNewline: boolean;
}
