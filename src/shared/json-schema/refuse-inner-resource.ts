import { type JsonSchema, SchemaError } from "./json-schema.ts";
import { mapInnerSchemas } from "./map-inner-schemas.ts";

/** Below an `$id` of its own, `#` no longer means the whole schema, which is how references are followed here. */
export function refuseInnerResource(schema: JsonSchema, at: string): void {
  if (typeof schema.$id !== "string") return;
  const refuse = (inner: JsonSchema, pointer: string): JsonSchema => {
    if (inner.$ref !== undefined) {
      throw new SchemaError(
        `${pointer}/$ref stands below the $id of ${at}, which changes what it points to; leave that $id out`,
      );
    }
    mapInnerSchemas(inner, (next, _role, step) => refuse(next, `${pointer}/${step}`));
    return inner;
  };
  refuse(schema, at);
}
