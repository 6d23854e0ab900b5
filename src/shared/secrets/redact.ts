import { collectStrings, mapStrings } from "../text/map-strings.ts";
import { escapeUnit } from "../text/quote-controls.ts";
import { maskNamedValues } from "./mask-named-values.ts";
import { createStreamRedactor } from "./redact-stream.ts";

export type Redactor = ReturnType<typeof createRedactor>;

export const redactedMark = "[redacted]";

/** Masks known token shapes, values whose name says that they are secret, and the given exact values. */
export function createRedactor(secrets: readonly string[] = []) {
  let known = secretForms(secrets);
  const text = (input: string): string => {
    if (input.length < minSecretCharacters) return input;
    let output = input;
    for (const secret of known) {
      if (output.includes(secret)) output = output.replaceAll(secret, redactedMark);
    }
    if (looksSecret(output)) output = maskWebTokens(output, redactedMark).replace(allTokens, redactedMark);
    return maskNamedValues(output, redactedMark);
  };
  let isClean = createCleanTest(text);
  const maskAll = { text: (inner: string, key: string) => maskNamed(inner, key) ?? text(inner), name: text };
  const maskNames = { text: (inner: string, key: string) => maskNamed(inner, key) ?? inner };
  return {
    text,
    /** Masks secrets in a value, recognised by their shape or by their key. */
    value: (input: unknown): unknown => (isClean(input) ? input : mapStrings(input, maskAll)),
    /** Masks by key only, so that all other strings keep their length and positions. */
    named: (input: unknown): unknown => mapStrings(input, maskNames),
    /** Masks a text that arrives in pieces. */
    stream: () => createStreamRedactor(text, known),
    /** Masks this value too from now on. */
    add(secret: string): void {
      if (known.includes(secret)) return;
      known = longestFirst([...known, ...formsOf(secret)]);
      // It remembers names that were clean before.
      isClean = createCleanTest(text);
    },
  };
}

/** Every form of the secrets that is looked for, the longest first. */
export function secretForms(secrets: readonly string[]): string[] {
  return longestFirst(secrets.flatMap(formsOf));
}

function longestFirst(forms: readonly string[]): string[] {
  return [...new Set(forms)].sort((one, other) => other.length - one.length);
}

// A shorter secret would mask half of every text.
const minSecretCharacters = 6;

/**
 * The forms in which a secret may appear in a text: whole, line by line, each as JSON, HTML and a shell escape it, and as it
 * looks in Base64, in hexadecimal and in an address.
 */
function formsOf(secret: string): string[] {
  const plain = [secret, ...secret.split(/[\r\n]+/).map((line) => line.trim())];
  const forms = [...plain, ...plain.flatMap(escapedForms), ...encodedForms(secret)];
  return forms.filter((form) => form.length >= minSecretCharacters);
}

/** Most secrets have none of these characters, and then no other forms. */
function escapedForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const quoted = html.replaceAll('"', "&quot;");
  return [
    json,
    // In ASCII alone, with its slashes escaped, and as a text within a text.
    json.replace(/[^\x20-\x7e]/g, escapeUnit),
    json.replaceAll("/", "\\/"),
    JSON.stringify(json).slice(1, -1),
    html,
    quoted,
    quoted.replaceAll("'", "&#39;"),
    quoted.replaceAll("'", "&#x27;"),
    text.replaceAll("'", "'\\''"),
  ];
}

function encodedForms(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  if (bytes.length < minEncodedBytes) return [];
  const hex = bytes.toString("hex");
  const inBase64 = [0, 1, 2].map((before) => base64At(bytes, before));
  const forAddresses = inBase64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  const inAddress = encodeURIComponent(secret.toWellFormed());
  const inForm = new URLSearchParams([["", secret]]).toString().slice(1);
  const inSmallLetters = [inAddress, inForm].map((form) =>
    form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  );
  return [hex, hex.toUpperCase(), ...inBase64, ...forAddresses, inAddress, inForm, ...inSmallLetters];
}

// The encoding of a shorter secret may be in any text by chance.
const minEncodedBytes = 8;

/** The characters that a text has in Base64 wherever it begins: after `before` other bytes, without those they share. */
function base64At(bytes: Buffer, before: number): string {
  const all = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  const own = Math.floor(((before + bytes.length) * 8) / 6);
  return all.slice(before === 0 ? 0 : before + 1, own);
}

/**
 * Whether a value certainly has nothing to mask. Checks all of its strings at once, which takes a fraction of the time
 * of checking each. The line breaks between them keep two strings from forming a secret together.
 */
function createCleanTest(maskText: (text: string) => string): (value: unknown) => boolean {
  // The same few keys come up again and again.
  const cleanNames = new Set<string>();
  const isCleanName = (name: string) => {
    if (cleanNames.has(name)) return true;
    if (isSecretName(name) || maskText(name) !== name) return false;
    if (cleanNames.size < maxCleanNames && name.length < maxNameCharacters) cleanNames.add(name);
    return true;
  };
  return (value) => {
    let joined = "";
    const isAll = collectStrings(value, {
      name: isCleanName,
      text(text) {
        if (text.length > maxJoinedCharacters) return maskText(text) === text;
        if (text.length >= minSecretCharacters) joined += joined === "" ? text : `\n${text}`;
        return true;
      },
    });
    return isAll && maskText(joined) === joined;
  };
}

const maxCleanNames = 1000;
const maxNameCharacters = 100;
// A longer string is checked in place instead of being copied.
const maxJoinedCharacters = 4096;

function maskNamed(text: string, key: string): string | undefined {
  return text !== "" && isSecretName(key) ? redactedMark : undefined;
}

function isSecretName(name: string): boolean {
  return secretName.test(name) || secretCamelName.test(name);
}

/** Token shapes that vendors publish; each is too distinctive to be ordinary prose. */
const tokenShapes = [
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36,}\b/,
  /\bgithub_pat_[A-Za-z0-9_]{50,}\b/,
  /\bglpat-[A-Za-z0-9_-]{20,}/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  // Our own, for MCP clients.
  /\btw_[A-Za-z0-9_-]{43}/,
  /\bsk-[A-Za-z0-9_-]{20,}/,
  /\b[rs]k_live_[A-Za-z0-9]{20,}\b/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/,
  /\bAIza[0-9A-Za-z_-]{35}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/,
  /(?<=\bBearer )[A-Za-z0-9._~+/-]{16,}=*/,
  /(?<=:\/\/[^\s:/@]{1,64}:)[^\s:/@]{3,}(?=@)/,
];

const allTokens = new RegExp(tokenShapes.map((shape) => shape.source).join("|"), "g");
const secretName =
  /(?:^|[_-])(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|token|authorization|credentials?)$/i;
const secretCamelName =
  /[a-z0-9](?:Password|Passwd|Passphrase|Secret|A(?:pi|PI)Key|AccessKey|PrivateKey|Token|Authorization|Credentials?)$/;

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

/**
 * Masks JSON web tokens: three parts with dots between them, of which two begin with `eyJ`. As a regular expression this
 * would try every `eyJ` of a long word up to the end of that word, which takes quadratic time; from the dot on, each
 * part is read a fixed number of times.
 */
export function maskWebTokens(text: string, mask: string): string {
  let masked = "";
  let done = 0;
  for (let dot = text.indexOf(middle); dot !== -1; dot = text.indexOf(middle, dot + 1)) {
    const start = headerStart(text, dot, done);
    const end = start === undefined ? undefined : tokenEnd(text, dot);
    if (start === undefined || end === undefined) continue;
    masked += text.slice(done, start) + mask;
    done = end;
    dot = end - 1;
  }
  return done === 0 ? text : masked + text.slice(done);
}

const opening = "eyJ";
const middle = `.${opening}`;
const minPartCharacters = 10;
const minSignatureCharacters = 5;

/** The first place before the dot where a token may begin: not in the middle of a word. */
function headerStart(text: string, dot: number, after: number): number | undefined {
  let first = dot;
  while (first > after && isPartCharacter(text.charCodeAt(first - 1))) first -= 1;
  const last = dot - minPartCharacters - opening.length;
  for (let at = text.indexOf(opening, first); at !== -1 && at <= last; at = text.indexOf(opening, at + 1)) {
    const isInWord = at > after && text[at - 1] !== "-" && isPartCharacter(text.charCodeAt(at - 1));
    if (!isInWord) return at;
  }
}

function tokenEnd(text: string, dot: number): number | undefined {
  const second = partEnd(text, dot + middle.length);
  if (second - dot - middle.length < minPartCharacters || text[second] !== ".") return undefined;
  const third = partEnd(text, second + 1);
  return third - second - 1 < minSignatureCharacters ? undefined : third;
}

function partEnd(text: string, start: number): number {
  let end = start;
  while (isPartCharacter(text.charCodeAt(end))) end += 1;
  return end;
}

/** A letter, a digit, `-` or `_`. */
function isPartCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2d ||
    code === 0x5f
  );
}
