/** Reads what Flyto's users wrote, in the document's casing (`Output`) or in TypeScript's (`output`). */
export function flytoField(value: object, name: string): unknown {
  const fields = value as Readonly<Record<string, unknown>>;
  return fields[name] ?? fields[plainNames[name] ?? plainName(name)];
}

/** Those that are looked for in every result, so that they need not be made each time. */
const plainNames: Readonly<Record<string, string>> = {
  Output: "output",
  Data: "data",
  IsError: "isError",
  UndoInfo: "undoInfo",
};

/** What a tool says of itself: the result of a method, or a value. */
export function flytoSaying(tool: object, name: string, ...given: readonly unknown[]): unknown {
  const said = flytoField(tool, name);
  return typeof said === "function" ? said.apply(tool, given) : said;
}

/** A method with its tool, which may be an instance of a class; undefined if the tool has none. */
export function flytoMethod<Method extends (...given: never[]) => unknown>(
  tool: object,
  name: string,
): Method | undefined {
  const method = flytoField(tool, name);
  return typeof method === "function" ? (method.bind(tool) as Method) : undefined;
}

function plainName(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
