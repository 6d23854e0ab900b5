import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";

export interface PostgresServer {
  /** The address of a database, as a role that may not touch the server's files. */
  url(options?: { user?: "app" | "postgres"; database?: string }): string;
  /** Runs SQL as the superuser. */
  psql(sql: string): Promise<string>;
  close(): Promise<void>;
}

export const postgresPassword = "s3cret-passw0rd";

/** A real server with data of its own, or undefined where PostgreSQL is not installed. */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const programs = await findPostgres();
  if (programs === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "toolwright-pg-"));
  // PostgreSQL refuses to run as root.
  const nobody = 65_534;
  const owner = userInfo().uid === 0 ? { uid: nobody, gid: nobody } : {};
  if ("uid" in owner) await chown(folder, nobody, nobody);
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, `${postgresPassword}\n`, { mode: 0o644 });
  const data = join(folder, "data");
  const environment = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };
  const words = ["-D", data, "-U", "postgres", "-A", "scram-sha-256", "-E", "UTF8", "--no-sync"];
  const run = promisify(execFile);
  await run(join(programs, "initdb"), [...words, `--pwfile=${passwordFile}`, "--locale=C"], {
    env: environment,
    cwd: folder,
    ...owner,
  });
  const port = await freePort();
  const settings = { port, listen_addresses: "127.0.0.1", unix_socket_directories: folder, fsync: "off" };
  const server = spawn(
    join(programs, "postgres"),
    ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { env: environment, cwd: folder, stdio: ["ignore", "ignore", "pipe"], ...owner },
  );
  const exited = once(server, "exit");
  await new Promise<void>((resolve, reject) => {
    let said = "";
    server.stderr!.on("data", (chunk) => {
      said += chunk;
      if (said.includes("ready to accept connections")) resolve();
    });
    exited.then(() => reject(new Error(said)));
  });
  const url = ({ user = "app", database = "app" } = {}) =>
    `postgres://${user}:${postgresPassword}@127.0.0.1:${port}/${database}`;
  const psqlAt = async (sql: string, database: string) => {
    const address = url({ user: "postgres", database });
    const { stdout } = await run(
      join(programs, "psql"),
      [address, "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", sql],
      {
        env: environment,
      },
    );
    return stdout.trim();
  };
  await psqlAt(`CREATE ROLE app LOGIN PASSWORD '${postgresPassword}'`, "postgres");
  await psqlAt("CREATE DATABASE app OWNER app", "postgres");
  return {
    url,
    psql: (sql) => psqlAt(sql, "app"),
    async close() {
      // Immediate: nothing of it is kept.
      server.kill("SIGQUIT");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function findPostgres(): Promise<string | undefined> {
  const root = "/usr/lib/postgresql";
  const versions = await readdir(root).catch(() => []);
  const folders = [
    ...versions
      .toSorted()
      .reverse()
      .map((version) => join(root, version, "bin")),
  ];
  for (const folder of [...folders, "/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"]) {
    const isThere = await Promise.all(
      ["initdb", "postgres", "psql"].map((name) => stat(join(folder, name))),
    ).then(
      () => true,
      () => false,
    );
    if (isThere) return folder;
  }
  return undefined;
}
