import { createDecisionCommand } from "./create-decision-command.ts";

export default createDecisionCommand("approve");
