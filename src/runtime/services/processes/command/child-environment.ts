import { createRedactor } from "../../../../shared/secrets/redact.ts";
import { ToolError } from "../../../../tool/tool-error.ts";

export interface ChildEnvironmentOptions {
  /** What the runtime itself was started with. */
  readonly inherited: NodeJS.ProcessEnv;
  /** More of it that a person lets through, by name. What looks like a secret stays out even so. */
  readonly passed?: readonly string[];
  /** Values a person wrote out; they go to the child whatever they look like. */
  readonly declared: Readonly<Record<string, string>>;
  /** Names of variables known to hold secrets. */
  readonly secrets: readonly string[];
}

/** Everything a command finds in its environment: a short list, what a person declared, and what keeps programs quiet. */
export function childEnvironment(options: ChildEnvironmentOptions): Record<string, string> {
  const { inherited, passed = [], declared, secrets } = options;
  checkDeclared(declared);
  const isSecret = createSecretTest(inherited, secrets);
  const environment: Record<string, string> = { PATH: defaultPath };
  for (const [name, value] of Object.entries(inherited)) {
    if (value === undefined || !isVariableName(name)) continue;
    if (!isOrdinary(name) && !passed.includes(name)) continue;
    if (!isSecret(name, value)) environment[name] = name === "PATH" ? withoutRelative(value) : value;
  }
  return { ...environment, ...quietPrograms, ...declared };
}

const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const ordinaryNames = new Set(["PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR"]);

function isOrdinary(name: string): boolean {
  return ordinaryNames.has(name) || name.startsWith("LC_");
}

/** Nobody is there to answer a question, to page or to edit; a program that would wait for that fails instead. */
const quietPrograms: Readonly<Record<string, string>> = {
  TERM: "dumb",
  PAGER: "cat",
  GIT_PAGER: "cat",
  // Takes the text as it is offered: a merge keeps its message, while a commit without one is refused as empty.
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  // Empty, it also puts out what git's own configuration names.
  GIT_ASKPASS: "",
  SSH_ASKPASS_REQUIRE: "never",
  GCM_INTERACTIVE: "never",
  DEBIAN_FRONTEND: "noninteractive",
};

function checkDeclared(declared: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(declared)) {
    if (!isVariableName(name)) {
      throw new ToolError("invalid-input", `${JSON.stringify(name)} cannot be the name of a variable`);
    }
    if (value.includes("\0")) {
      throw new ToolError("invalid-input", `the variable ${name} contains a NUL character`);
    }
  }
}

/**
 * By its name, by the shape of its value, or because it repeats the value of one that is a secret; that last not for the
 * ordinary ones, whose values are common enough to be somebody's password.
 */
function createSecretTest(
  inherited: NodeJS.ProcessEnv,
  secrets: readonly string[],
): (name: string, value: string) => boolean {
  const isNamedSecret = (name: string) => secrets.includes(name) || tellsOfSecret(name);
  const values = Object.entries(inherited).flatMap(([name, value]) =>
    value !== undefined && isNamedSecret(name) ? [value] : [],
  );
  const shapes = createRedactor();
  const copies = createRedactor(values.filter((value) => value.length >= minSecretCharacters));
  return (name, value) => isNamedSecret(name) || (isOrdinary(name) ? shapes : copies).text(value) !== value;
}

// A shorter one is likely to be part of something ordinary.
const minSecretCharacters = 8;

/** A path to an agent's socket holds no secret, though its name says so. */
const harmlessNames = new Set(["SSH_AUTH_SOCK", "SSH_AGENT_PID"]);

const secretParts = /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|COOKIE/i;
// Short enough to be part of an ordinary word: GIT_AUTHOR_NAME, KEYBOARD, COMPASS.
const secretWords = /(?:^|_)(?:KEYS?|AUTH|PASS|PAT|PWD|CREDS?|BEARER|JWT|DSN)(?:_|$)/i;

function tellsOfSecret(name: string): boolean {
  if (harmlessNames.has(name) || name === "PWD" || name === "OLDPWD") return false;
  return secretParts.test(name) || secretWords.test(name);
}

function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** A relative entry would find programs in whatever folder the command stands. */
function withoutRelative(path: string): string {
  const absolute = path.split(":").filter((entry) => entry.startsWith("/"));
  return absolute.length === 0 ? defaultPath : absolute.join(":");
}
