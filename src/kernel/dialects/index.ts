export { checkDialect } from "./check/check-dialect.ts";
export type { Dialect, DialectDefinition, DialectParams } from "./dialect.ts";
export { toDialectValue } from "./dialect-value.ts";
export {
  createDialectView,
  type DialectView,
  type PresentedTool,
  type ResolvedName,
} from "./dialect-view.ts";
export { allDialectNames, defaultDialect, dialectOfModel, dialects, findDialect } from "./dialects.ts";
export { refuseTakenNames, takenNamesOf } from "./name-lookup.ts";
export { leastOutputCharacters, type OutputLimits, outputLimits, outputOption } from "./output-limits.ts";
export { ruleNames } from "./rule-names.ts";
export { canonical } from "./tables/canonical.ts";
export { flyto } from "./tables/flyto.ts";
export { internal } from "./tables/internal.ts";
export { kode } from "./tables/kode.ts";
export type { InputHint } from "./translate-input.ts";
