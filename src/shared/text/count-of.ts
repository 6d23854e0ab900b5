/** `1 step`, `1,200 steps`. */
export function countOf(amount: number, noun: string): string {
  // A small number has no comma, and loading the locale takes a twelfth of the time of a command.
  const isSmall = Number.isInteger(amount) && amount >= 0 && amount < 1000;
  return `${isSmall ? amount : amount.toLocaleString("en-US")} ${noun}${amount === 1 ? "" : "s"}`;
}
