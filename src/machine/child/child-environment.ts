import { createRedactor } from "../../shared/secrets/redact.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { certificateVariables } from "../sandbox/index.ts";

export interface ChildEnvironmentOptions {
  /** The runtime's own environment. */
  readonly inherited: NodeJS.ProcessEnv;
  /** Names of further inherited variables to pass on. Those that look like secrets are still left out. */
  readonly passed?: readonly string[];
  /** Values written by a person; they are passed on even if they look like secrets. */
  readonly declared: Readonly<Record<string, string>>;
  /** Names of variables known to hold secrets. */
  readonly secrets?: readonly string[];
}

/** A command's whole environment: a few inherited variables, declared values, and settings that prevent prompts. */
export function childEnvironment(options: ChildEnvironmentOptions): Record<string, string> {
  const { inherited, passed = [], declared, secrets = [] } = options;
  checkDeclared(declared);
  const isSecret = createSecretTest(inherited, secrets);
  const environment: Record<string, string> = { PATH: defaultPath };
  for (const [name, value] of Object.entries(inherited)) {
    if (value === undefined || !isVariableName(name)) continue;
    if (!isOrdinary(name) && !passed.includes(name) && !leadsThroughProxy(name, value)) continue;
    if (!isSecret(name, value)) environment[name] = name === "PATH" ? withoutRelative(value) : value;
  }
  return { ...environment, ...quietPrograms, ...declared };
}

const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const ordinaryNames = new Set(["PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR"]);

function isOrdinary(name: string): boolean {
  return ordinaryNames.has(name) || name.startsWith("LC_");
}

/** How to get through a proxy, without which nothing can be installed in many networks; not if it holds a password. */
function leadsThroughProxy(name: string, value: string): boolean {
  if (certificateVariables.includes(name)) return true;
  return proxyVariables.has(name.toLowerCase()) && !value.includes("@");
}

const proxyVariables = new Set(["http_proxy", "https_proxy", "all_proxy", "ftp_proxy", "no_proxy"]);

/** A command has no person who could answer prompts, page or edit; with these, a program fails instead of waiting. */
const quietPrograms: Readonly<Record<string, string>> = {
  TERM: "dumb",
  PAGER: "cat",
  GIT_PAGER: "cat",
  // Accepts the proposed text: a merge keeps its message, and a commit without a message is refused as empty.
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  // Empty, it also overrides git's own configuration.
  GIT_ASKPASS: "",
  SSH_ASKPASS_REQUIRE: "never",
  GCM_INTERACTIVE: "never",
  DEBIAN_FRONTEND: "noninteractive",
};

function checkDeclared(declared: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(declared)) {
    if (!isVariableName(name)) {
      throw new ToolError("invalid-input", `${JSON.stringify(name)} is not a valid variable name`);
    }
    if (value.includes("\0")) {
      throw new ToolError("invalid-input", `the variable ${name} contains a NUL character`);
    }
  }
}

/**
 * A variable is secret by its name, by the shape of its value, or because its value contains that of another secret.
 * The last does not apply to ordinary variables: their values are common enough to be a user's password.
 */
export function createSecretTest(
  inherited: NodeJS.ProcessEnv,
  secrets: readonly string[] = [],
): (name: string, value: string) => boolean {
  const isNamedSecret = (name: string) => secrets.includes(name) || looksSecret(name);
  const values = Object.entries(inherited).flatMap(([name, value]) =>
    value !== undefined && isNamedSecret(name) ? [value] : [],
  );
  const shapes = createRedactor();
  const copies = createRedactor(values.filter((value) => value.length >= minSecretCharacters));
  return (name, value) => isNamedSecret(name) || (isOrdinary(name) ? shapes : copies).text(value) !== value;
}

// Shorter secrets are likely to occur in ordinary values.
const minSecretCharacters = 8;

/** Names that look secret but hold only an SSH agent's socket path or pid. */
const harmlessNames = new Set(["SSH_AUTH_SOCK", "SSH_AGENT_PID"]);

const secretParts = /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|COOKIE/i;
// Matched as whole words, because they occur in ordinary ones: GIT_AUTHOR_NAME, KEYBOARD, COMPASS.
const secretWords = /(?:^|_)(?:KEYS?|AUTH|PASS|PAT|PWD|CREDS?|BEARER|JWT|DSN)(?:_|$)/i;

function looksSecret(name: string): boolean {
  if (harmlessNames.has(name) || name === "PWD" || name === "OLDPWD") return false;
  return secretParts.test(name) || secretWords.test(name);
}

function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** Drops relative entries, which would run programs from the command's current folder. */
function withoutRelative(path: string): string {
  const absolute = path.split(":").filter((entry) => entry.startsWith("/"));
  return absolute.length === 0 ? defaultPath : absolute.join(":");
}
