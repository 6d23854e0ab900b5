/** Words that can be found by a part of them. */
export interface WordList {
  /** Counts additions: a word is found until it has been removed as often as it was added. */
  add(word: string): void;
  remove(word: string): void;
  /** Finds nothing for fewer than three characters, which are in too many words. The number of results is limited. */
  containing(part: string): string[];
}

export function createWordList(): WordList {
  const uses = new Map<string, number>();
  // One long text is the fastest way to search thousands of words. Rebuilt when it is needed.
  let text: string | undefined;

  return {
    add(word) {
      const count = uses.get(word) ?? 0;
      uses.set(word, count + 1);
      if (count === 0) text = undefined;
    },
    remove(word) {
      const count = uses.get(word) ?? 0;
      if (count > 1) uses.set(word, count - 1);
      else if (uses.delete(word)) text = undefined;
    },
    containing(part) {
      if (part.length < minPartLength) return [];
      text ??= `\n${[...uses.keys()].join("\n")}\n`;
      const found: string[] = [];
      for (let at = text.indexOf(part); at !== -1 && found.length < maxFound; ) {
        const end = text.indexOf("\n", at);
        found.push(text.slice(text.lastIndexOf("\n", at) + 1, end));
        at = text.indexOf(part, end);
      }
      return found;
    },
  };
}

const minPartLength = 3;
const maxFound = 2000;
