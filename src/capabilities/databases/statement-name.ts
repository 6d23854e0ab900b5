/** Which of several statements an error is about; nothing if there is only one. */
export function statementName(index: number | undefined): string {
  return index === undefined ? "" : `statement ${index + 1}: `;
}
