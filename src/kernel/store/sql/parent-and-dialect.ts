import { variableStatement } from "../log-entry.ts";
import type { SessionParent } from "../store.ts";
import type { SqlStatement } from "./sql-driver.ts";

// Few sessions have a parent, and those of older versions have no dialect, so both are variables instead of columns.
export const parentScope = "session-parents";
export const dialectScope = "session-dialects";

export function keepParent(id: string, parent: SessionParent): SqlStatement {
  return variableStatement({ scope: parentScope, name: id, text: JSON.stringify(parent) });
}

export function keepDialect(id: string, dialect: string): SqlStatement {
  return variableStatement({ scope: dialectScope, name: id, text: JSON.stringify(dialect) });
}
