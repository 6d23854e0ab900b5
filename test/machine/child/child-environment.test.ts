import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { childEnvironment } from "../../../src/machine/child/child-environment.ts";
import { gitEnvironment } from "../../support/git-environment.ts";
import { openShell, type TestShell } from "../../support/open-shell.ts";

const nothing = { inherited: {}, declared: {}, secrets: [] };

describe("the inherited environment", () => {
  test("is a short list", () => {
    const inherited = {
      PATH: "/usr/bin",
      HOME: "/home/me",
      LANG: "C.UTF-8",
      LC_ALL: "C",
      TZ: "UTC",
      USER: "me",
      LOGNAME: "me",
      TMPDIR: "/tmp",
      SSH_AUTH_SOCK: "/tmp/agent",
      LD_PRELOAD: "/tmp/evil.so",
      BASH_ENV: "/tmp/evil.sh",
      NODE_OPTIONS: "--inspect",
      GIT_DIR: "/elsewhere",
      HTTPS_PROXY: "http://me:pass@proxy",
      MY_OWN: "thing",
    };
    const environment = childEnvironment({ ...nothing, inherited });
    const { PATH, HOME, LANG, LC_ALL, TZ, USER, LOGNAME, TMPDIR } = inherited;
    expect(environment).toMatchObject({ PATH, HOME, LANG, LC_ALL, TZ, USER, LOGNAME, TMPDIR, TERM: "dumb" });
    const left = [
      "SSH_AUTH_SOCK",
      "LD_PRELOAD",
      "BASH_ENV",
      "NODE_OPTIONS",
      "GIT_DIR",
      "HTTPS_PROXY",
      "MY_OWN",
    ];
    for (const name of left) expect(environment).not.toHaveProperty(name);
  });

  test("has the certificates and proxies that a network needs, but no password", () => {
    const inherited = {
      NODE_EXTRA_CA_CERTS: "/etc/proxy.pem",
      SSL_CERT_FILE: "/etc/bundle.crt",
      https_proxy: "http://proxy.example.com:3128",
      NO_PROXY: "localhost,.example.com",
      HTTP_PROXY: "http://me:hush@proxy.example.com:3128",
      ALL_PROXY: "socks5://me@proxy.example.com",
    };
    const { PATH: _path, ...environment } = childEnvironment({ ...nothing, inherited });
    expect(environment).toMatchObject({
      NODE_EXTRA_CA_CERTS: "/etc/proxy.pem",
      SSL_CERT_FILE: "/etc/bundle.crt",
      https_proxy: "http://proxy.example.com:3128",
      NO_PROXY: "localhost,.example.com",
    });
    expect(Object.keys(environment)).not.toContain("HTTP_PROXY");
    expect(Object.keys(environment)).not.toContain("ALL_PROXY");
  });

  test("can be more, by name", () => {
    const inherited = { MY_OWN: "thing", SSH_AUTH_SOCK: "/tmp/agent", GIT_AUTHOR_NAME: "Me", KEYBOARD: "us" };
    expect(childEnvironment({ ...nothing, inherited, passed: Object.keys(inherited) })).toMatchObject(
      inherited,
    );
  });

  test.each([
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GOOGLE_API_KEY",
    "GEMINI_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "GITHUB_TOKEN",
    "AZURE_OPENAI_API_KEY",
    "HF_TOKEN",
    "NPM_CONFIG__AUTH",
    "DB_PASSWORD",
    "PGPASSWORD",
    "MYSQL_PWD",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "SENTRY_DSN",
    "my_secret",
    "ApiKey",
    "LC_TOKEN",
  ])("never is %s, even if named", (name) => {
    const inherited = { [name]: "value-of-it" };
    expect(childEnvironment({ ...nothing, inherited, passed: [name] })).not.toHaveProperty(name);
  });

  test("never includes a declared secret, what looks like one, or a copy of one", () => {
    const inherited = {
      INNOCENT: "registered",
      SHAPED: `ghp_${"a".repeat(36)}`,
      DATABASE_URL: "postgres://me:hunter22@host/db",
      COPY: "prefix-0123456789-suffix",
      MY_API_KEY: "0123456789",
      LANG: `sk-${"a".repeat(30)}`,
    };
    const environment = childEnvironment({
      ...nothing,
      inherited,
      passed: Object.keys(inherited),
      secrets: ["INNOCENT"],
    });
    for (const name of Object.keys(inherited)) expect(environment).not.toHaveProperty(name);
  });

  test("loses nothing ordinary to a secret that happens to be the same", () => {
    const inherited = { HOME: "/home/somebody", DB_PASSWORD: "somebody", USER: "somebody" };
    expect(childEnvironment({ ...nothing, inherited })).toMatchObject({
      HOME: "/home/somebody",
      USER: "somebody",
    });
  });

  test("has a PATH without relative entries, and always has one", () => {
    const path = (PATH: string) => childEnvironment({ ...nothing, inherited: { PATH } }).PATH;
    expect(path("/usr/bin:.::node_modules/.bin:/bin")).toBe("/usr/bin:/bin");
    expect(path(".")).toContain("/usr/bin");
    expect(childEnvironment(nothing).PATH).toContain("/usr/bin");
  });
});

describe("a declared variable", () => {
  test("goes through, whatever it looks like, and before all else", () => {
    const declared = { OPENAI_API_KEY: "sk-mine", PATH: "./bin", TERM: "xterm", GIT_EDITOR: "vi" };
    expect(childEnvironment({ ...nothing, declared, secrets: ["OPENAI_API_KEY"] })).toMatchObject(declared);
  });

  test("must have a valid name and value", () => {
    for (const name of ["", "A=B", "1A", "BASH_FUNC_ls%%", "A\0"]) {
      expect(() => childEnvironment({ ...nothing, declared: { [name]: "" } })).toThrow(
        "is not a valid variable name",
      );
    }
    expect(() => childEnvironment({ ...nothing, declared: { A: "a\0b" } })).toThrow("NUL");
  });
});

describe("git", () => {
  let shell: TestShell;
  afterEach(() => shell.close());

  test("neither asks, nor pages, nor edits: a commit without a message is refused", async () => {
    shell = await openShell();
    const { PATH = "" } = process.env;
    const environment = childEnvironment({ ...nothing, inherited: { PATH, HOME: shell.folder } });
    const git = "git -c user.name=n -c user.email=e@x";
    await promisify(execFile)("git", ["init", "-q", shell.folder], { env: gitEnvironment });
    const empty = await shell.run(`touch a; git add a; ${git} commit`, { environment });
    expect(empty.exitCode).toBe(1);
    expect(empty.output.stderr.text).toContain("Aborting commit due to empty commit message");
    const amended = await shell.run(
      `${git} commit -qm first && ${git} commit -q --amend && git log --format=%s`,
      {
        environment,
      },
    );
    expect(amended).toMatchObject({ exitCode: 0, output: { stdout: { text: "first\n" } } });
    const asked = await shell.run("echo url=https://x.invalid | git credential fill", { environment });
    expect(asked.output.stderr.text).toContain("terminal prompts disabled");
  });
});
