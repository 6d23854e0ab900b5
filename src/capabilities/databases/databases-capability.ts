import { capability } from "../../kernel/runtime/capability.ts";
import type { SessionView } from "../../tool/tool-context.ts";
import { createDatabaseAccess } from "./database-access.ts";
import { type DatabaseOptions, databasesOptions } from "./database-options.ts";
import { databasesService } from "./databases-service.ts";
import query from "./tools/database/query.ts";
import update from "./tools/database/update.ts";

declare module "../../kernel/runtime/runtime-options.ts" {
  interface RuntimeOptions {
    /** Databases that tools may use, by the names that a model knows them by. */
    readonly databases?: Readonly<Record<string, DatabaseOptions>>;
  }
}

/** SQL on the databases that the user declared. The capability is absent if no database is declared. */
export const databasesCapability = capability({
  name: "databases",
  options: databasesOptions,
  services: { databases: databasesService },
  tools: [query, update],
  roles: {
    wantedTools: ({ databases = [] }: SessionView) => [
      ...(databases.length > 0 ? [query.name] : []),
      ...(databases.some(({ writable }) => writable) ? [update.name] : []),
    ],
  },
  open({ options, redactor }) {
    const access = createDatabaseAccess(options.databases);
    if (access === undefined) return undefined;
    for (const secret of access.secrets) redactor.add(secret);
    return {
      view: () => ({ databases: access.summaries }),
      policy: { databaseRequests: access.requestsOf },
      async session() {
        const databases = await databasesService.open({ databaseAccess: access });
        return { services: { databases } };
      },
    };
  },
});
