import { permissionClasses } from "./permission-request.ts";
import { readIsolated } from "./read-isolated.ts";

/** Only the fields that are checked here; TypeScript checked the rest where the definition was written. */
interface CheckedDefinition extends Partial<Record<(typeof functionFields)[number], unknown>> {
  readonly name: string;
  readonly description?: unknown;
  readonly aliases?: readonly string[];
  readonly traits?: object;
}

/** Rejects a definition that cannot work when the tool is defined, not when it is called. */
export function checkDefinition(definition: CheckedDefinition): void {
  for (const alias of definition.aliases ?? []) checkName(alias, `an alias of ${definition.name}`);
  checkDescription(definition);
  checkFunctions(definition);
  checkTraits(definition);
}

// Names that every model vendor accepts; the leading letter rules out names such as __proto__.
const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

export function checkName(name: unknown, what: string): asserts name is string {
  if (typeof name !== "string" || !namePattern.test(name)) {
    throw new TypeError(
      `${what} must be 1 to 64 letters, digits, _ or -, starting with a letter; received ${JSON.stringify(name)}`,
    );
  }
}

function checkDescription({ name, description }: CheckedDefinition): void {
  const isText = typeof description === "string" && description.trim() !== "";
  if (!isText && typeof description !== "function") {
    throw new TypeError(`${name}: the description must be a non-empty string or a function of the session`);
  }
}

export const functionFields = ["run", "dryRun", "undo", "toText", "permission"] as const;

function checkFunctions(definition: CheckedDefinition): void {
  for (const field of functionFields) {
    const isMissing = definition[field] === undefined && field !== "run";
    if (!isMissing && typeof definition[field] !== "function") {
      throw new TypeError(`${definition.name}: ${field} must be a function`);
    }
  }
}

function checkTraits({ name, traits = {} }: CheckedDefinition): void {
  for (const [trait, value] of Object.entries(traits)) {
    if (value === undefined && optionalTraits.has(trait)) continue;
    if (trait === "isolated") readIsolated(name, value);
    else if (!fitsTrait(trait, value))
      throw new TypeError(`${name}: ${trait} must be ${expectedByTrait.get(trait) ?? "true or false"}`);
  }
}

const optionalTraits = new Set(["timeoutMs", "windUpMs", "needs", "requires", "isolated", "deferrable"]);

const expectedByTrait = new Map([
  ["timeoutMs", "a number greater than 0 or a function of the input"],
  ["windUpMs", "a number greater than 0"],
  ["needs", `a list of ${permissionClasses.join(", ")}`],
  ["requires", "a list of services"],
]);

function fitsTrait(trait: string, value: unknown): boolean {
  if (trait === "timeoutMs" && typeof value === "function") return true;
  if (trait === "timeoutMs" || trait === "windUpMs") return typeof value === "number" && value > 0;
  if (trait === "needs")
    return Array.isArray(value) && value.every((each) => permissionClasses.includes(each));
  if (trait === "requires") return Array.isArray(value) && value.every((each) => typeof each === "string");
  return typeof value === "boolean";
}
