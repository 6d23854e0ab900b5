/** What belongs to an entry of a list, indented below it; all of it, because there is no other way to read it again. */
export function describeDetails({ description, notes }: { description?: string; notes?: string }): string[] {
  return [
    ...(description === undefined ? [] : indent(description)),
    ...(notes === undefined ? [] : indent(`Notes: ${notes}`)),
  ];
}

function indent(text: string): string[] {
  return text.split("\n").map((line) => `    ${line}`.trimEnd());
}
