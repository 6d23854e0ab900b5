// The same tools for Toolwright: `echo`, and as many tools of the catalogue as TOOLWRIGHT_BENCH_TOOLS says.
import { defineTool } from "../../dist/index.js";
import { echo, echoDescription } from "../call/echo.mjs";
import { catalogueParams, describeTool, lookUp, toolNames } from "../catalogue/catalogue-tools.mjs";

const traits = { readOnly: true };
const count = Number(process.env.TOOLWRIGHT_BENCH_TOOLS ?? 0);

export default {
  name: "bench",
  tools: [
    defineTool({
      name: "echo",
      description: echoDescription,
      params: { text: { type: "string" } },
      traits,
      run: echo,
    }),
    ...toolNames
      .slice(0, count)
      .map((name) =>
        defineTool({ name, description: describeTool(name), params: catalogueParams, traits, run: lookUp }),
      ),
  ],
};
