import { kinds, option, propertiesOf } from "../../shared/options/option.ts";

/** What tools may learn about this machine. */
export interface SystemOptions {
  /** Names of environment variables that may be shown, besides PATH, SHELL, LANG and the like; never those that look like secrets. */
  readonly variables?: readonly string[];
}

export const systemOptions = {
  system: option<SystemOptions>({
    schema: {
      type: "object",
      description: "What tools may learn about this machine",
      properties: propertiesOf<SystemOptions>({
        variables: { ...kinds.texts, description: "Names of variables that may be read" },
      }),
    },
    check: checkSystemOptions,
    example: { variables: ["NODE_ENV"] },
  }),
};

/** Throws a TypeError for names that no variable can have. */
function checkSystemOptions({ variables = [] }: SystemOptions): void {
  if (!Array.isArray(variables)) throw new TypeError("system.variables must be a list of names");
  for (const name of variables) {
    if (typeof name === "string" && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) continue;
    throw new TypeError(`system.variables: ${JSON.stringify(name)} is not the name of a variable`);
  }
}
