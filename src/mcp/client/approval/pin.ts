/** Something as it was seen once: what a server is started with, or how it describes a tool. */
export interface PinContent {
  readonly hash: string;
  /** What a person reads, and what a later one is compared with. */
  readonly text: string;
}

/** A server, or one of its tools. */
export interface PinSubject {
  readonly server: string;
  readonly tool?: string;
}

export interface Pin extends PinSubject {
  readonly approved?: PinContent;
  /** Seen since, and not decided on. */
  readonly pending?: PinContent;
  /** The hash of what somebody said no to. */
  readonly denied?: string;
}
