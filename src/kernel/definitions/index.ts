export { isPlainName, plainNameRule, readDescription, toDescription } from "./definition-fields.ts";
export type { DefinitionKind, DefinitionSources, OpenReading } from "./definition-kind.ts";
export { checkDefinitions, createDefinitions, type DefinitionList, type Definitions } from "./definitions.ts";
export { cannotRead } from "./read-place.ts";
