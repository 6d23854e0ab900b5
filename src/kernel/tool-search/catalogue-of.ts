import type { ToolCatalogue } from "../../tool/services/tool-catalogue.ts";
import { acting } from "../services/service.ts";
import type { SessionTools } from "./session-tools.ts";

/** What tools may do with the tools that a model is offered. */
export function catalogueOf({ search, activate }: SessionTools): ToolCatalogue {
  return { search, ...acting({ activate: async (name: string) => activate(name) }) };
}
