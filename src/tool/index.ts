export type { JsonSchema, Validation, ValidationIssue } from "../shared/json-schema/json-schema.ts";
export { SchemaError } from "../shared/json-schema/json-schema.ts";
export type { Caller } from "./caller.ts";
export {
  type AnyTool,
  defineTool,
  defineTools,
  type Tool,
  type ToolBody,
  type UndoCall,
} from "./define-tool.ts";
export type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  FieldBase,
  FieldChoice,
  FieldValue,
  FormAnswers,
  FormField,
  FormFields,
  InferChoice,
  InferField,
  InferFields,
  NumberField,
  TextField,
  TitledChoice,
} from "./forms/form-fields.ts";
export type { InferSchema, RenderableSchema, SchemaDeclaration } from "./input-schema.ts";
export type { InferParams, ParamDefinition, ParamDefinitions } from "./params.ts";
export type { PermissionClass, PermissionRequest } from "./permission-request.ts";
export type * from "./services/agents.ts";
export type * from "./services/databases.ts";
export type * from "./services/files.ts";
export type * from "./services/processes.ts";
export type {
  Answer,
  FormQuestion,
  PlainQuestion,
  Question,
  QuestionHandler,
  QuestionSource,
} from "./services/question.ts";
export type * from "./services/search.ts";
export type * from "./services/skills.ts";
export type * from "./services/source-code.ts";
export type * from "./services/system.ts";
export type {
  BackgroundWork,
  NewTask,
  NewTodo,
  Task,
  TaskChange,
  TaskStatus,
  Tasks,
  Todo,
  TodoStatus,
  Todos,
} from "./services/tasks.ts";
export type * from "./services/tool-catalogue.ts";
export type * from "./services/web.ts";
export type * from "./tool-context.ts";
export { type ErrorCode, errorCodes, ToolError, type ToolErrorOptions } from "./tool-error.ts";
export type {
  AudioPart,
  ContentPart,
  ImagePart,
  LinkPart,
  PartsResult,
  ResourcePart,
  StructuredPart,
  TextPart,
  ToolReturn,
} from "./tool-result.ts";
export type { IsolatedModule, Safety, SafetyLevel, Traits } from "./traits.ts";
export type { Wording } from "./wording.ts";
