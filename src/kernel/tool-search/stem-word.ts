/** An English word without its ending, so that `files`, `creating` and `creation` match `file` and `create`. */
export function stemWord(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const stem = dropVerbEnding(dropPlural(word));
  if (stem.length > 3 && stem.endsWith("e")) return stem.slice(0, -1);
  return stem.replace(/(?<=[^aeiou]{2}|[aeiou][^aeiou])y$/, "i");
}

function dropPlural(word: string): string {
  if (/(?:ss|us|is)$/.test(word) || !word.endsWith("s")) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function dropVerbEnding(word: string): string {
  const ending = ["ing", "ed", "ion"].find((each) => word.endsWith(each));
  const stem = word.slice(0, -(ending?.length ?? word.length));
  if (stem.length < 3 || !/[aeiouy]/.test(stem)) return word;
  if (ending === "ion") return /[st]$/.test(stem) ? stem : word;
  return /([bdgmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem;
}
