/** A server's configuration or a tool's definition as seen at one time. */
export interface PinContent {
  readonly hash: string;
  /** For a person to read, and for later comparison. */
  readonly text: string;
}

/** A server, or one of its tools. */
export interface PinSubject {
  readonly server: string;
  readonly tool?: string;
}

export interface Pin extends PinSubject {
  readonly approved?: PinContent;
  /** Content seen since the last decision, and not decided yet. */
  readonly pending?: PinContent;
  /** Hash of the denied content. */
  readonly denied?: string;
}
