export { Tool } from '../decorators/tool.js';
export { Resource } from '../decorators/resource.js';
export { ResourceTemplate } from '../decorators/resource-template.js';
export { Prompt } from '../decorators/prompt.js';
export { Complete } from '../decorators/complete.js';
export { McpService } from '../decorators/service.js';
export { Arg, Args, Ctx } from '../decorators/parameters.js';
export { Describe } from '../decorators/describe.js';
export { Field } from '../decorators/field.js';
export type { MethodRecorder } from '../decorators/record-method.js';
export type { ParameterRecorder } from '../decorators/parameters.js';

export { McpLayer } from './mcp-layer.js';
export type { CompletionReference, Layer } from './layer/layer.js';
export type { CompleteOptions } from './layer/call-kinds.js';
export type { ListName } from './layer/catalog.js';
export type { ErrorHook, ErrorSite, McpLayerOptions, ResolvedOptions } from './layer/options.js';
export type { Lifecycle } from './layer/lifecycle.js';
export { STAGES, type StageSummary } from './layer/stage-list.js';

export { DocumentPolicy, type PolicyExplanation } from './policy/document-policy.js';
export type { AccessKeys, PolicyDocument, PolicyRule, RateLimitRule, RuleMatch } from './policy/document.js';
export type { DecisionEntry } from './policy/decision-log.js';
export type { PolicyStep } from './policy/decide.js';
export { MemoryRateLimitStore, type MemoryRateLimitOptions } from './policy/memory-limits.js';
export type { PolicyOption } from './layer/policy-option.js';

export type { TemplateMatch } from './registry/template-index.js';
export {
  type AnySpec,
  type FunctionHandler,
  type InputOf,
  Registry,
  type RegistryChange,
  type RegistryOptions,
} from './registry/registry.js';
export type { SpecOf } from './registry/kinds.js';
export type { Confirmation } from './registry/confirmation.js';
export { ToolSpec, type ToolAnnotations, type ToolSpecOptions } from './registry/tool-spec.js';
export {
  ResourceSpec,
  type ResourceSpecOptions,
  ResourceTemplateSpec,
  type ResourceTemplateSpecOptions,
} from './registry/resource-spec.js';
export { type PromptArgumentSpec, PromptSpec, type PromptSpecOptions } from './registry/prompt-spec.js';
export {
  type CompletionHandler,
  type Handler,
  META_PREFIX,
  type Spec,
  type SpecOrigin,
  type WireOptions,
} from './registry/spec.js';

export {
  AudioContent,
  BlobResourceContents,
  Content,
  type ContentAnnotations,
  type ContentOptions,
  EmbeddedResource,
  type Icon,
  ImageContent,
  ResourceContents,
  type ResourceContentsOptions,
  ResourceLink,
  type ResourceLinkOptions,
  TextContent,
  TextResourceContents,
  type Wire,
} from './core/content.js';
export { ToolResult, type ToolResultInit } from './core/tool-result.js';
export { PromptMessage, PromptResult } from './core/prompt-result.js';
export {
  type CallOptions,
  type ContextInit,
  currentContext,
  type LayerHandle,
  LOG_LEVELS,
  type Looked,
  type LogLevel,
  type NotificationSink,
  ToolContext,
} from './core/context.js';
export type { AccessToken } from './core/access-token.js';
export { type HostAuthInfo, type ResolverOptions, toAuthInfo } from './core/identity.js';
export {
  defaultPrincipal,
  Principal,
  type PrincipalInit,
  type PrincipalResolver,
  RequestInfo,
  type TransportKind,
} from './core/principal.js';
export {
  AccessDeniedError,
  CancelledError,
  type CauseOptions,
  ConfigurationError,
  ErrorCode,
  InvalidArgumentsError,
  isLayerError,
  type Issue,
  McpLayerError,
  NotFoundError,
  RateLimitedError,
  TimeoutError,
  ToolError,
} from './core/errors.js';
export type {
  Extension,
  ExtensionAround,
  ExtensionFilter,
  ExtensionMethod,
  ExtensionRequest,
  ExtensionResult,
  ExtensionStream,
  ProtocolEra,
} from './core/extension.js';
export type { Capability, Sensitivity } from './core/capabilities.js';
export type { AnyClass, Class } from './core/class.js';
export type { JsonSchema, StandardResult, StandardSchema } from './core/json-schema.js';
export type {
  CommonOptions,
  PromptArgument,
  PromptOptions,
  ResourceOptions,
  ResourceTemplateOptions,
  SchemaSource,
  ServiceOptions,
  ToolOptions,
} from './core/records.js';
export type {
  Change,
  ChangeKind,
  Clock,
  Decision,
  Ids,
  Logger,
  Pipeline,
  Place,
  PlacePart,
  Policy,
  PolicyEvent,
  PolicyHost,
  Primitive,
  PrimitiveKind,
} from './core/ports.js';
export type { Container, Lifetime, Scope } from './core/container.js';
export type { RateLimitAnswer, RateLimitBucket, RateLimitStore } from './core/rate-limit-store.js';
export type {
  CacheEntry,
  CacheStore,
  ChangeBus,
  EventStore,
  PublishedChange,
  StoredEvent,
  StoredTask,
  Stores,
  TaskStore,
  VaultStore,
} from './core/stores.js';
export type {
  Call,
  CallKind,
  CompletionResult,
  Middleware,
  MiddlewareFunction,
  MiddlewareHost,
  MiddlewareObject,
  Next,
  ResultByKind,
} from './core/middleware.js';
export { UriTemplate } from './core/uri-template.js';

export { inputSchemaFor, outputSchemaFor, validateArguments } from './schema/dto.js';
export { IntersectionType, OmitType, PartialType, PickType } from './schema/read/mapped-types.js';
export { type LintFinding, lintSchema } from './schema/hosts/lint.js';
export type { Host } from './schema/hosts/host-rules.js';
export type { CompiledInput, SchemaOptions } from './schema/input.js';
export type { CompiledOutput } from './schema/output.js';
export type { Form } from './schema/form.js';
export type { HeaderParam } from './schema/hosts/header-params.js';
export type { ValidationLimits } from './schema/base/limits.js';

export { MemoryChangeBus } from '../providers/memory-change-bus.js';
export { PlainContainer } from '../providers/plain.js';
export { type Provided, TsyringeContainer, type TsyringeOptions } from '../providers/tsyringe.js';
export type { ParentContainer } from '../providers/tsyringe-parent.js';

export { NativeMcpServer } from './native/native-server.js';
export type { NativeSession, SessionInit } from './native/native-session.js';
export type { Cacheable } from './native/method.js';
export type { CacheableMethod, CacheHint, NativeServerOptions } from './native/options.js';
export type { Feature } from './native/capabilities.js';
export type { HandshakeVersion } from './native/era.js';
export type { Cancellable, Carrier, Exchange } from './native/request.js';
export { ClientRequestError, type ClientRequestOptions } from './native/client-requests.js';
export type {
  JsonRpcErrorBody,
  JsonRpcFailure,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  JsonRpcSuccess,
  Params,
  Reply,
  RequestId,
} from './native/messages.js';
export { serialise } from './native/prepared.js';
export type { StdioOptions, StdioServing } from './native/stdio.js';
export type { StrayErrors } from './native/stray-errors.js';

export type { HttpServing, ServeHttpOptions } from './native/http/fronts/serve-http.js';
export type { HttpOptions, LegacySseOptions } from './native/http/options.js';
export type { ResponseMode } from './native/http/answers/post-exchange.js';
export type { NodeRequest } from './native/http/fronts/body.js';
export type { FetchContext, FetchHandler } from './native/http/fronts/fetch-front.js';
export type { NodeHandler, WrappedReply, WrappedRequest } from './native/http/fronts/node-front.js';
export { type GuardOptions, OriginHostGuard, type Refusal } from './native/http/access/guard.js';
export type { CorsOptions } from './native/http/access/cors.js';
export type { Authenticated, AuthRefusal, AuthRequest, HttpAuth, ResourceMetadata } from './native/http/access/auth.js';
export { TokenAuth, type TokenAuthOptions, type TokenSource } from './native/http/access/token-auth.js';
export { OAuthResource, type OAuthResourceOptions, type TokenVerifier } from './native/http/access/oauth-resource.js';
export { MemoryEventStore, type MemoryEventStoreOptions } from './native/http/streams/event-store.js';

export type { Binding } from './adapters/binding.js';
export type { BusEvent, EventBus } from './adapters/changes.js';
export { detectServerKind, type ServerKind } from './adapters/detect.js';
export { type Mountable, MOUNTABLE, type MountOptions } from './adapters/options.js';
export {
  bindingOf,
  buildServer,
  type BuildOptions,
  type Flavor,
  FLAVORS,
  type ServerClass,
} from './adapters/build-server.js';
export {
  exportDefinitions,
  type ExportedDefinitions,
  type MethodHandler,
  type ToolFunction,
} from './adapters/exports/definitions.js';
export type { ModelToolOptions } from './adapters/exports/model-tools.js';
export {
  type OpenAIChatAnswer,
  type OpenAIChatCall,
  type OpenAIChatTool,
  type OpenAIResponsesAnswer,
  type OpenAIResponsesCall,
  type OpenAIResponsesTool,
  type OpenAITools,
  toOpenAITools,
} from './adapters/exports/openai.js';
export {
  type AnthropicBlock,
  type AnthropicImageType,
  type AnthropicTool,
  type AnthropicToolResult,
  type AnthropicToolUse,
  toAnthropicTools,
} from './adapters/exports/anthropic.js';
export {
  type LangChainOptions,
  type LangChainTool,
  type LangChainToolFields,
  toLangChainTools,
} from './adapters/exports/langchain.js';
export { type AiSdkOptions, type AiSdkTool, toAiSdkTools } from './adapters/exports/ai-sdk.js';

export { auditLog, type AuditEntry, type AuditLogOptions } from './middleware/audit-log.js';
export { cache, type CacheOptions } from './middleware/cache.js';
export { concurrency, type ConcurrencyOptions } from './middleware/concurrency.js';
export { MemoryCacheStore, type MemoryCacheStoreOptions } from './middleware/memory-cache-store.js';
export { type Metrics, metrics, type MetricsOptions } from './middleware/metrics.js';
export type { MetricsLine } from './middleware/metrics-line.js';
export type { Outcome } from './middleware/outcome.js';
export { retry, type RetryCause, type RetryOptions } from './middleware/retry.js';

export { answeringClient, type ClientAnswers } from './asking/answering-client.js';
export type { RequestStateOptions, SealingKey } from './asking/sealer.js';
export type {
  AnswersTo,
  AnswerTo,
  AskKind,
  FormAnswer,
  FormOptions,
  FormSource,
  Question,
  QuestionOptions,
  Root,
  SampleAnswer,
  SampleContent,
  SampleMessage,
  SampleParams,
  UrlAnswer,
  UrlOptions,
} from './core/asking.js';
export type {
  ClientCallOptions,
  ClientCapabilities,
  ClientPort,
  HandshakeClient,
  ModernClient,
} from './core/client-port.js';
export {
  AskingError,
  type AskingReason,
  InputRequiredError,
  MissingCapabilityError,
  ReplayError,
  RequestStateError,
} from './core/errors.js';
