// Every type that a public signature mentions and that no other entry exports; a test reports missing ones.

export type {
  DatabaseOptions,
  PostgresConnection,
  SqliteConnection,
} from "./capabilities/databases/database-options.ts";
export type { DefinitionProblem } from "./capabilities/definitions/definition-kind.ts";
export type { DefinitionList } from "./capabilities/definitions/definitions.ts";
export type { CheckerOptions } from "./capabilities/diagnostics/diagnostics-options.ts";
export type { OutputRequest } from "./capabilities/processes/jobs/job-output-reader.ts";
export type { JobControl } from "./capabilities/processes/jobs/open-jobs.ts";
export type { ReadinessRequest } from "./capabilities/processes/jobs/readiness.ts";
export type { SessionJobs, ShellOptions } from "./capabilities/processes/processes-service.ts";
export type { QuestionQueue } from "./capabilities/questions/question-queue.ts";
export type { SystemOptions } from "./capabilities/system/system-options.ts";
export type { SessionTodos } from "./capabilities/tasks/tasks-service.ts";
export type { SearchSettings } from "./capabilities/web/search/search-settings.ts";
export type { WebOptions } from "./capabilities/web/web-options.ts";
export type { RuntimeHealth, SandboxHealth } from "./config/runtime-health.ts";
export type { LogMessage } from "./kernel/call/call.ts";
export type { CallOutcome } from "./kernel/call/call-outcome.ts";
export type { HookCommand, HookCommands, HookEvent } from "./kernel/call/hooks/commands/hook-command.ts";
export type {
  EventAnswer,
  EventHook,
  HookAnswer,
  HookNotice,
  NotifiedRequest,
  PermissionAnswer,
  PermissionHook,
} from "./kernel/call/hooks/hooks.ts";
export type { LoopLimits } from "./kernel/call/loops/loop-watch.ts";
export type {
  DialectParam,
  DialectParams,
  DialectTool,
  MessageTemplates,
  OutputLimit,
  OwnParam,
  ResultFields,
  ResultSource,
  ResultText,
} from "./kernel/dialects/dialect.ts";
export type { OutputLimits } from "./kernel/dialects/output-limits.ts";
export type { ToolAnnotations, ToolMetadata } from "./kernel/dialects/tool-form.ts";
export type { GivenNote, ModelPrice, ModelPrices } from "./kernel/events/agent-event.ts";
export type { FileChange, Owner, PathState } from "./kernel/events/file-change.ts";
export type { CheckRecord, ReceiptBody } from "./kernel/events/receipt.ts";
export type {
  CallEndEvent,
  CalledTool,
  StopCode,
  SubAgentEvent,
  SubAgentEventFields,
} from "./kernel/events/session-event.ts";
export type {
  ApprovalLasts,
  ApprovalQueue,
  DecisionDetails,
} from "./kernel/policy/approvals/approvals.ts";
export type { RuleTexts } from "./kernel/policy/rules/parse-rules.ts";
export type { RuleOrigin, RuleScope } from "./kernel/policy/rules/rule.ts";
export type { TaintSource } from "./kernel/policy/taint.ts";
export type { CommandVerdict, ParsedCommand, ParsedRedirect } from "./kernel/policy/verdict.ts";
export type { ToolFolder } from "./kernel/registry/folders/tool-folder.ts";
export type { PluginApiOf, PluginOf } from "./kernel/registry/plugins/plugin.ts";
export type {
  NameExplanation,
  RegisteredTool,
  RegisterOptions,
  ToolList,
} from "./kernel/registry/registry.ts";
export type { Layer, OverrideOptions, ProvidedTool, SourceProblem } from "./kernel/registry/tool-source.ts";
export type { SessionBudget } from "./kernel/session/budget.ts";
export type { ConversationMessage } from "./kernel/session/conversation/conversation-messages.ts";
export type { EventQuery } from "./kernel/session/event-stream.ts";
export type { CallMetrics, RuntimeMetrics } from "./kernel/session/runtime-metrics.ts";
export type { SessionTaint } from "./kernel/session/session-taint.ts";
export type { QuestionRequest } from "./kernel/session/waiting/question-records.ts";
export type { StoreChange, WatchQuery } from "./kernel/session/watch-sessions.ts";
export type { DamagedVariable } from "./kernel/store/damaged-variables.ts";
export type { BrokenLink } from "./kernel/store/log-check.ts";
export type { ProcessLife } from "./kernel/store/process-life.ts";
export type { RetentionOptions } from "./kernel/store/retention.ts";
export type { ReceiptQuery, SessionOwner, SessionParent, SessionRecord } from "./kernel/store/store.ts";
export type { ChainReport } from "./kernel/store/verify-chain.ts";
export type { DeferralLimits } from "./kernel/tool-search/deferral.ts";
export type { ToolChoice } from "./kernel/tool-search/open-tools.ts";
export type { SandboxStatus } from "./machine/sandbox/sandbox.ts";
export type { RuntimeMadeTools, RuntimeTools } from "./open-runtime.ts";
export type { RemoteSession, RemoteUndoOptions } from "./remote-session.ts";
export type {
  CallArguments,
  InputArgument,
  ResultOf,
  SessionFork,
  ToolName,
  UndoOptions,
} from "./session.ts";
export type { RewindOptions, RewindResult } from "./session-rewind.ts";
export type {
  InferArray,
  InferJsonSchema,
  InferObject,
  InferType,
  IsPresent,
  Simplify,
} from "./shared/json-schema/infer.ts";
export type { JsonType, Validation, ValidationIssue } from "./shared/json-schema/json-schema.ts";
export type { ValueConversion } from "./shared/json-schema/readings/convert-value.ts";
export type { LazyMethods } from "./shared/lazy-methods.ts";
export type { MaybePromise } from "./shared/maybe-promise.ts";
export type { ProcessIdentity } from "./shared/process-identity.ts";
export type { SecretSource, SecretSources } from "./shared/secrets/secret-options.ts";
export type {
  AudioPart,
  BlobResourcePart,
  ImagePart,
  LinkPart,
  ResourcePart,
  StructuredPart,
  TextPart,
  TextResourcePart,
} from "./tool/content-part.ts";
export type {
  AnyDefinition,
  OutputOf,
  ParamsDefinition,
  SchemaDefinition,
  UndoCall,
} from "./tool/define-tool.ts";
export type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  FieldBase,
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
} from "./tool/forms/form-fields.ts";
export type { RenderableSchema, SchemaDeclaration } from "./tool/input-schema.ts";
export type { IsOptional, NamedValues } from "./tool/named-values.ts";
export type { InferParam } from "./tool/params.ts";
export type {
  AgentEndReason,
  AgentKind,
  AgentMode,
  AgentReport,
  Agents,
  AgentTask,
  BranchWork,
  StartedAgent,
} from "./tool/services/agents.ts";
export type {
  DatabaseColumn,
  DatabaseParameter,
  DatabaseStatement,
  DatabaseSummary,
  Databases,
  DatabaseValue,
  QueryOptions,
  QueryRows,
  StatementResult,
  UpdateOptions,
  UpdateReport,
} from "./tool/services/databases.ts";
export type {
  CutLine,
  DirectoryEntry,
  DirectoryListing,
  EditedFile,
  FileChanging,
  FileDescription,
  FileEdits,
  FileReading,
  Files,
  ImageFile,
  LineRange,
  LineWindow,
  PatchedFile,
  TextFile,
  WrittenFile,
} from "./tool/services/files.ts";
export type { CreatedTool, MadeToolBuilder, MadeToolStatus, ProposedTool } from "./tool/services/made.ts";
export type { KeptNote, Notes } from "./tool/services/notes.ts";
export type {
  CommandOutcome,
  JobOutput,
  OutputOptions,
  Processes,
  Readiness,
  ReadyCondition,
  RunOptions,
  StartOptions,
} from "./tool/services/processes.ts";
export type { FormQuestion, PlainQuestion, QuestionSource } from "./tool/services/question.ts";
export type {
  FoundCounts,
  FoundFile,
  FoundFiles,
  FoundLine,
  FoundLines,
  GlobQuery,
  GrepFilesQuery,
  GrepQuery,
  IgnoredQuery,
  LineQuery,
  NearFiles,
  Search,
  SearchResult,
  SearchScope,
} from "./tool/services/search.ts";
export type { Skill, SkillSummary, Skills } from "./tool/services/skills.ts";
export type {
  CodeImport,
  CodeSymbol,
  FormattedFile,
  ParsedCode,
  SourceCode,
} from "./tool/services/source-code.ts";
export type { System, SystemInfo, SystemVariables } from "./tool/services/system.ts";
export type {
  BackgroundWork,
  NewTask,
  NewTodo,
  TaskChange,
  TaskStatus,
  Tasks,
  TodoStatus,
  Todos,
} from "./tool/services/tasks.ts";
export type {
  FoundTool,
  MissingTool,
  ToolCatalogue,
  ToolSearchResult,
} from "./tool/services/tool-catalogue.ts";
export type {
  DownloadedFile,
  DownloadOptions,
  ReadablePage,
  RedirectedPage,
  Web,
  WebPage,
  WebReadOptions,
  WebRequestOptions,
  WebResponse,
  WebSearchOptions,
  WebSearchResult,
} from "./tool/services/web.ts";
export type { AskOptions, ToolServices } from "./tool/tool-context.ts";
export type { ToolReturn } from "./tool/tool-result.ts";
export type { IsolatedModule, Safety, SafetyLevel } from "./tool/traits.ts";
export type { Wording } from "./tool/wording.ts";
export type { BuiltinCalls } from "./tools/builtin-calls.ts";
export type { RuntimeApprovals, WaitingAnswer, WaitingItem } from "./waiting-list.ts";
