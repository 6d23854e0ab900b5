import type { LineEnding } from "./line-endings.ts";

/** What a file is like apart from its words, so that it can be written back as it was. */
export interface TextShape {
  /** By its standard name, such as `utf-8`, `utf-16le` or `windows-1252`. */
  readonly encoding: string;
  readonly hasBom: boolean;
  readonly lineEnding: LineEnding;
  readonly endsWithNewline: boolean;
}
