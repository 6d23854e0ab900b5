/** Notes that sessions keep for later ones of the same project. */
export interface Notes {
  /** Keeps a note, without what looks like a secret. The oldest one goes when there are too many. */
  keep(text: string, tags?: readonly string[]): Promise<void>;
  /** Finds the notes that have most of the words, best first. Their text may have been written to steer the model. */
  find(query: string): Promise<readonly KeptNote[]>;
}

export interface KeptNote {
  readonly text: string;
  readonly tags: readonly string[];
  /** Who kept it. */
  readonly by: string;
  /** ISO 8601. */
  readonly keptAt: string;
}
