/** A command of an interactive session, such as `/model`. */
export interface SlashCommand<Conversation> {
  readonly name: string;
  /** The words that follow its name, as in `[name]`. */
  readonly usage?: string;
  readonly about: string;
  /** Lists the arguments that it can have. */
  complete?(talk: Conversation): Promise<readonly string[]>;
  /** The command may also be used while the agent works. */
  readonly isForAnyTime?: true;
  run(talk: Conversation, argument: string): Promise<void> | void;
}
