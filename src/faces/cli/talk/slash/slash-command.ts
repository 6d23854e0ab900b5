/** A command of an interactive session, such as `/model`. */
export interface SlashCommand<Conversation> {
  readonly name: string;
  /** What follows its name, as in `[name]`. */
  readonly usage?: string;
  readonly about: string;
  /** What its argument can be. */
  complete?(talk: Conversation): Promise<readonly string[]>;
  /** May be used while the agent works. */
  readonly isForAnyTime?: true;
  run(talk: Conversation, argument: string): Promise<void> | void;
}
