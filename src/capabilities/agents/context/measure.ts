/** Estimates how many characters of the prompt a value takes; an image counts as a page of text. */
export function measure(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 4;
  if (isFile(value)) return imageCharacters;
  let size = 2;
  if (Array.isArray(value)) {
    for (const item of value) size += measure(item) + 1;
    return size;
  }
  for (const [name, inner] of Object.entries(value)) size += name.length + measure(inner) + 4;
  return size;
}

// Providers count an image by its area; this is a large one.
export const imageCharacters = 6000;

function isFile(value: object): boolean {
  return "type" in value && value.type === "file";
}
