/** The encoding of a text, for tools that read or change one. */
export const encodingParam = {
  type: "string",
  required: false,
  description: "Encoding of a file that is not UTF-8 and has no byte order mark, such as windows-1252",
} as const;

/** The requests of tools that change a part of a text, because their answers show the text around it. */
export function readAndWrite(path: string) {
  return [
    { action: "read", target: path },
    { action: "write", target: path },
  ] as const;
}
