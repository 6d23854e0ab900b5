/** A cheap check before the long expressions: few texts without a secret pass it. */
export function looksSecret(text: string): boolean {
  if (text.length <= shortCharacters) return anyLook.test(text);
  return looks.some(({ mark, look }) => text.includes(mark) && look.test(text));
}

// In a long text, searching for a few letters is many times faster than a regular expression; in a short text it is not.
const shortCharacters = 200;

/** An expression, and letters that every match contains. */
const looks = [
  { mark: "AKIA", look: /AKIA[0-9A-Z]{16}/ },
  { mark: "AIza", look: /AIza[\w-]{35}/ },
  {
    mark: "_",
    look: /gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{50}|npm_[A-Za-z0-9]{36}|tw_[\w-]{43}|k_live_[A-Za-z0-9]{20}/,
  },
  { mark: "glpat-", look: /glpat-[\w-]{20}/ },
  { mark: "sk-", look: /\bsk-[\w-]{20}/ },
  { mark: "xox", look: /xox[abeoprs]-[A-Za-z0-9-]{10}/ },
  { mark: "yJ", look: /eyJ[\w-]{10}/ },
  { mark: "KEY", look: /PRIVATE KEY/ },
  { mark: "Beare", look: /Bearer [\w.~+/-]{16}/ },
  { mark: "://", look: /:\/\/[^\s/]*@/ },
];

const anyLook = new RegExp(looks.map(({ look }) => look.source).join("|"));
