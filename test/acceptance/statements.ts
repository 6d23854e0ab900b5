/**
 * The five systems whose tools this runtime stands in for, and the numbers of what each promises its users. A statement
 * is held by a test whose title begins with its number, as in `F20: …`; `npm run statements` writes docs/COVERAGE.md
 * from those titles.
 */
export const systems = [
  { letter: "F", name: "Flyto", statements: [...upTo("F", 75), "F8a"] },
  { letter: "P", name: "Pulse", statements: [...upTo("P", 23), "P24a", "P24b", "P24c", "P24d"] },
  { letter: "K", name: "KODE", statements: upTo("K", 43) },
  { letter: "E", name: "Eko", statements: upTo("E", 11) },
  { letter: "N", name: "internal", statements: upTo("N", 22) },
];

/** Statements that hold in part only, or not in their own words, and in what not. */
export const notHeld: Readonly<Record<string, string>> = {
  F51: "Bing is not among the services: Microsoft has closed its search API.",
};

function upTo(letter: string, last: number): string[] {
  return Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);
}
