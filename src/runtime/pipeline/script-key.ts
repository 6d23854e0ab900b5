/** Tells the same words in the same place from any others. */
export function scriptKey(command: string, directory: string | undefined): string {
  return `${directory ?? ""}\0${command}`;
}
