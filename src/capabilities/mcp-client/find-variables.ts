/** `${NAME}` or `${NAME:-default}` in a text. */
export interface FoundVariable {
  readonly name: string;
  readonly otherwise?: string;
  /** Where it begins, and where the text goes on. */
  readonly start: number;
  readonly end: number;
}

/** All of them in order. One expression would look for the end of each again, from every beginning in the text. */
export function* findVariables(text: string): Generator<FoundVariable> {
  let next = 0;
  for (let start = text.indexOf("${"); start !== -1; start = text.indexOf("${", next)) {
    beginning.lastIndex = start;
    const [begun = "", name = "", mark] = beginning.exec(text) ?? [];
    next = start + Math.max(begun.length, 2);
    if (begun === "" || mark === "}") {
      if (mark === "}") yield { name, start, end: next };
      continue;
    }
    const end = text.indexOf("}", next);
    if (end === -1) return;
    yield { name, otherwise: text.slice(next, end), start, end: end + 1 };
    next = end + 1;
  }
}

const beginning = /\$\{([A-Za-z_][A-Za-z0-9_]*)(\}|:-)/y;
