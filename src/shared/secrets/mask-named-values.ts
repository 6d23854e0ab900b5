/**
 * Masks the value in `NAME=value`, `name: value` and `"name": "value"` where the name says that it is a secret. Only what
 * looks like one: ordinary words and code, such as `password: string` or `token = read(file)`, stay as they are. Takes
 * linear time: whatever follows a name is looked at once.
 */
export function maskNamedValues(text: string, mask: string): string {
  if (!hasName(text)) return text;
  return text.replace(namedValue, (all, name: string, value: string, at: number) =>
    isSecretValue(value, text.charAt(at + all.length)) ? `${name}${mask}` : all,
  );
}

/** Where a name begins whose value may follow this text; undefined if it ends with none. */
export function openNameStart(text: string): number | undefined {
  const end = text.slice(-maxNameCharacters);
  const at = end.search(openName);
  return at === -1 ? undefined : text.length - end.length + at;
}

const names =
  "(?:passw(?:or)?d|passphrase|secret|(?:api|access|private|secret|auth|account|encryption)[_-]?key|token|credentials?)";
const quotes = "[\"'\\\\]{0,2}";
const namedValue = new RegExp(
  `(${names}${quotes}[ \\t]{0,4}(?:=>|[:=])[ \\t]{0,4}${quotes})([\\w+/.~!@#%^*-]{6,}={0,2})`,
  "gi",
);
const openName = new RegExp(`${names}${quotes}[ \\t]{0,4}(?:(?:=>?|:)[ \\t]{0,4}${quotes})?$`, "i");
const maxNameCharacters = 48;

/** A sign that follows every name, and in a long text letters that every name contains one of: a search for those is much faster. */
function hasName(text: string): boolean {
  if (!text.includes("=") && !text.includes(":")) return false;
  return text.length < shortCharacters || marks.some((mark) => text.includes(mark));
}

const shortCharacters = 500;
const marks = [
  "assw",
  "ASSW",
  "assphrase",
  "ASSPHRASE",
  "ecret",
  "ECRET",
  "oken",
  "OKEN",
  "redential",
  "REDENTIAL",
].concat(["_key", "-key", "Key", "KEY", "ikey", "skey", "ekey", "tkey", "hkey", "nkey"]);

/** A type or a variable that has the name of its secret, such as `apiKey`. */
const isName = new RegExp(`${names}\\d{0,2}$`, "i");

function isSecretValue(value: string, next: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  // A call, an index, or a part of an object: code that gets the value from elsewhere.
  const isCode = /[([{]/.test(next) || /^(?:process|import|config|env|self|this|os)\./.test(value);
  return !isCode && !isName.test(value);
}
