/** Why a model cannot be used, and what to do about it. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  /** The command that would install the missing package. */
  readonly install: ProviderInstall | undefined;

  constructor(message: string, { install, ...options }: ErrorOptions & { install?: ProviderInstall } = {}) {
    super(message, options);
    this.install = install;
  }
}

/** The command that installs a provider's package where it is looked for. */
export interface ProviderInstall {
  readonly command: readonly string[];
  /** Where it runs; any folder if it installs for the whole user. */
  readonly folder?: string;
}
