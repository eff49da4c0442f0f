/** What a code stands for, and what to do about it. docs/errors.md is made of it. */
export interface CodeEntry {
  readonly title: string;
  readonly remedy: string;
}

/** The groups of codes by their first digit. */
export const CODE_GROUPS = {
  0: 'Of your own code',
  1: 'Options',
  2: 'Services and decorators',
  3: 'Schemas and DTO classes',
  4: 'Containers',
  5: 'Names, URIs and the registry',
  6: 'Serving and HTTP',
  7: 'Mounting and packages',
  8: 'Middleware and policies',
  9: 'Asking, context and content',
} as const;

/** Every code of a configuration finding. A code keeps its meaning for ever: one that goes is not given again. */
export const FINDING_CODES = {
  CT000: {
    title: 'A finding of your own code',
    remedy: 'It came without a code: from a container, a middleware or a class of yours. Read its message.',
  },
  CT101: { title: 'Options that are not an object', remedy: 'Pass an object.' },
  CT102: {
    title: 'An option that does not exist',
    remedy: 'Use the name that the message suggests, or one of those it lists.',
  },
  CT103: {
    title: 'An option with a value it cannot have',
    remedy: 'Pass what the message asks for. An option that is `undefined` counts as not set.',
  },
  CT104: { title: 'A layer without a name or a version', remedy: 'Pass both: clients are told them.' },
  CT105: { title: 'Middleware added too late', remedy: 'Call `layer.use()` before the first request is served.' },
  CT106: {
    title: 'Something that is not middleware',
    remedy: 'Pass a function, or an object with one function per kind.',
  },
  CT107: {
    title: 'Keys of `requestState` that cannot be used',
    remedy: 'Let the function return at least one key, each of 32 random bytes or more.',
  },
  CT108: {
    title: 'An extension that cannot be used',
    remedy: 'Give it an id under a domain of your own in reverse, and a name and a `run` for each method.',
  },
  CT109: {
    title: 'An extension that claims what another one, or the protocol, has',
    remedy: 'Choose another name, or leave one of the two out.',
  },
  CT201: {
    title: 'A decorator on a static member',
    remedy: 'Make it an instance method: the container makes the instance.',
  },
  CT202: { title: 'A decorator applied more than once', remedy: 'Keep one.' },
  CT203: { title: 'A decorator on something that is not a method', remedy: 'Write a method.' },
  CT204: {
    title: 'Another copy of reflect-metadata',
    remedy: 'Keep one copy (`npm ls reflect-metadata`), and import cartouche before anything that replaces `Reflect`.',
  },
  CT205: {
    title: 'A service class that offers nothing',
    remedy: 'Decorate a method, or leave the class out of `services`.',
  },
  CT206: {
    title: 'Compiled with standard decorators',
    remedy: 'Set `experimentalDecorators` and `emitDecoratorMetadata` in tsconfig.json.',
  },
  CT207: {
    title: 'No types for the parameters of a method',
    remedy: 'Compile with `emitDecoratorMetadata` (tsc or swc), or pass `input` and write `@Args()` and `@Ctx()`.',
  },
  CT208: { title: 'A parameter whose type says nothing of arguments', remedy: "Use a DTO class, or `@Arg('name')`." },
  CT209: { title: 'Two parameters that take all arguments', remedy: 'Keep one.' },
  CT210: {
    title: 'Parameters that take all arguments beside ones that take one each',
    remedy: 'Use one way or the other.',
  },
  CT211: { title: 'A resource with arguments', remedy: 'Remove the parameter, or use `@ResourceTemplate`.' },
  CT212: {
    title: 'A template variable that no parameter takes',
    remedy: "Add it to the parameter's class, or write `@Arg` with its name.",
  },
  CT213: {
    title: 'A required argument that the template has no variable for',
    remedy: 'Add the variable, or make the argument optional.',
  },
  CT214: {
    title: 'A required argument that a URI may leave out',
    remedy: 'Make it optional, or move the variable into the path.',
  },
  CT215: { title: 'An argument completed twice', remedy: 'Keep one `@Complete`.' },
  CT216: { title: 'A completion for an argument that does not exist', remedy: 'Use one of the names in the message.' },
  CT217: {
    title: '`@Complete` for a method that is neither a prompt nor a template',
    remedy: 'Name the method, not its wire name.',
  },
  CT218: { title: 'A capability that does not exist', remedy: 'Use one of those in the message.' },
  CT219: { title: 'A sensitivity that does not exist', remedy: 'Use one of those in the message.' },
  CT220: { title: 'A `_meta` key that the protocol reserves', remedy: 'Use a prefix of your own.' },
  CT221: { title: 'A time-out that cannot be kept', remedy: 'Pass 1 to 2147483647 milliseconds.' },
  CT222: {
    title: 'A `confirm` that is neither text nor a function',
    remedy: 'Pass a question, such as `Delete {name}?`.',
  },
  CT223: { title: 'A `confirm` that names something else than an argument', remedy: 'Use the name of an argument.' },
  CT224: {
    title: 'A decorator without its parentheses',
    remedy: 'Write `@Tool()`: without them it does nothing.',
  },
  CT225: {
    title: 'A parameter of a completion that says nothing of what it takes',
    remedy: "Use `string`, `ToolContext` or `Record<string, string>`, or write `@Arg('name')`.",
  },
  CT226: {
    title: 'A primitive without a function behind it',
    remedy: 'Pass the handler as the second argument: `registry.tool({ name }, handler)`.',
  },
  CT301: {
    title: 'An input that is neither a class nor a schema',
    remedy: 'Pass a DTO class, a JSON Schema or a Standard Schema.',
  },
  CT302: {
    title: 'An output that is neither a class nor a schema',
    remedy: 'Pass a DTO class, a list of one, a JSON Schema or a Standard Schema.',
  },
  CT303: {
    title: 'An input whose root is not an object',
    remedy: 'Use a schema of type `object`, as MCP asks of every input.',
  },
  CT304: { title: 'A schema that cannot be compiled', remedy: 'Correct what the message quotes.' },
  CT305: {
    title: 'A Standard Schema that has no JSON Schema',
    remedy: 'Pass the JSON Schema beside it, or use a newer version of its library.',
  },
  CT306: { title: 'A Standard Schema that JSON Schema cannot say', remedy: 'Pass the JSON Schema beside it.' },
  CT307: {
    title: 'A schema that is not plain JSON, or too large',
    remedy: 'Use plain JSON, with `$defs` and `$ref` for what refers to itself.',
  },
  CT308: { title: 'A dialect of JSON Schema that is not supported', remedy: 'Use 2020-12 or draft-07.' },
  CT309: { title: 'A keyword with a value it cannot have', remedy: 'Correct the keyword.' },
  CT310: { title: 'A pattern that is not a regular expression', remedy: 'Correct the pattern.' },
  CT311: {
    title: 'A reference that leads nowhere, or out of the schema',
    remedy: 'Put what it refers to into `$defs`: nothing is fetched.',
  },
  CT312: {
    title: 'An `x-mcp-header` that cannot be used',
    remedy: 'Give a string, integer or boolean argument a header name of its own.',
  },
  CT313: { title: 'A host that `lintSchema` does not know', remedy: 'Use one of those in the message.' },
  CT314: {
    title: 'Two copies of class-transformer',
    remedy: 'Install one copy, and keep class-transformer out of bundles.',
  },
  CT315: {
    title: 'A DTO class that cannot be constructed without arguments',
    remedy: 'Let every parameter of its constructor be optional.',
  },
  CT316: { title: 'An argument whose name belongs to every object', remedy: 'Rename it.' },
  CT317: { title: 'A validator on a method', remedy: 'Remove the validators, or rename the property that was meant.' },
  CT318: { title: 'A getter without a setter', remedy: 'Add a setter, or `@Exclude()` it.' },
  CT319: { title: 'Two arguments of one name', remedy: 'Give each its own name.' },
  CT320: {
    title: 'A type function that returned no class',
    remedy: 'Check for a circular import, or declare the class above.',
  },
  CT321: { title: '`@ValidateNested` without a class', remedy: 'Name the class with `@Type(() => Class)`.' },
  CT322: {
    title: 'Validators that can never hold together',
    remedy: 'Keep one kind, or add `{ each: true }` for the elements of a list.',
  },
  CT323: {
    title: 'A class that says nothing of its properties',
    remedy: 'Decorate them, or give a schema with `@Field({ type: … })`.',
  },
  CT324: { title: 'A discriminator without subtypes', remedy: 'List them in `subTypes`.' },
  CT325: {
    title: 'An argument whose type is not known at run time',
    remedy: 'Turn on `emitDecoratorMetadata`, or give a validator, `@Type` or a schema.',
  },
  CT326: {
    title: 'A type that cannot be made from JSON',
    remedy: 'Give its schema with `@Field({ type: … })`, or use another type.',
  },
  CT327: {
    title: 'A property that no form can show',
    remedy: 'Make it a text, number, boolean or choice; forms are flat.',
  },
  CT328: {
    title: 'A choice without anything to choose',
    remedy: 'List the values in `@IsIn`, `@IsEnum` or `enum`; two lists together need one in common.',
  },
  CT329: {
    title: 'A class whose schema is too large',
    remedy: 'Split it into several tools, or take free-form data with `@IsObject()`.',
  },
  CT330: {
    title: 'A validator that nothing stands behind',
    remedy: 'Add `@ValidatorConstraint()` to the class that `@Validate` names: without it nothing is validated.',
  },
  CT401: {
    title: 'A class that is registered for the whole process',
    remedy: "Use `@McpService({ scope })` instead of tsyringe's `@singleton` or `@scoped`.",
  },
  CT402: { title: 'A singleton that depends on one request', remedy: "Give it `@McpService({ scope: 'request' })`." },
  CT403: {
    title: 'A token that nothing provides',
    remedy: 'Provide it: `new TsyringeContainer({ provide: [{ token, useValue }] })`.',
  },
  CT404: {
    title: 'A constructor parameter that cannot be injected',
    remedy: "Use a class, or `@inject('token')` and provide it.",
  },
  CT405: { title: 'No types for the parameters of a constructor', remedy: 'Add `@McpService()` to the class.' },
  CT406: {
    title: 'A subclass that would be built with undefined dependencies',
    remedy: 'Add `@McpService()` and a constructor that calls `super`.',
  },
  CT407: { title: 'A class that no Nest module provides', remedy: 'Add it to the `providers` of a module.' },
  CT408: {
    title: 'A constructor with parameters, without a container that fills them',
    remedy: 'Give `PlainContainer` a factory for the class.',
  },
  CT409: {
    title: 'A parent container of another copy of tsyringe',
    remedy: 'Keep one copy (`npm ls tsyringe`), or add `@injectable()` of that copy to each class.',
  },
  CT410: {
    title: 'Services whose constructors need one another',
    remedy: 'Move what both need into a third class, or inject one with `delay()` of tsyringe.',
  },
  CT411: {
    title: 'A service that cannot be made',
    remedy: 'Its constructor, or that of something it needs, threw: the cause says what.',
  },
  CT501: { title: 'A name that is not valid', remedy: 'Use 1 to 128 of `A-Z a-z 0-9 _ . -`' },
  CT502: { title: 'A name that is taken', remedy: 'Give it another name, or pass `{ replace: true }`.' },
  CT503: { title: 'A URI without a scheme', remedy: 'Write a whole URI, such as `docs://guide`.' },
  CT504: {
    title: 'A URI template that cannot be expanded or matched',
    remedy: 'Correct what the message names; `{var}`, `{+var}`, `{?a,b}` and `{&a,b}` are supported.',
  },
  CT505: { title: 'A prefix that cannot stand before a name', remedy: 'Use up to 64 of `A-Z a-z 0-9 _ . -`' },
  CT506: {
    title: 'A resource whose URI has variables',
    remedy: 'Use `@ResourceTemplate`, or `registry.resourceTemplate()`.',
  },
  CT507: { title: 'A resource template without variables', remedy: 'Use `@Resource`, or `registry.resource()`.' },
  CT601: { title: 'A transport that does not exist', remedy: 'Use `stdio` or `http`.' },
  CT602: {
    title: 'A cache hint that cannot be given',
    remedy: 'Use whole milliseconds, and `private` where a policy decides.',
  },
  CT603: {
    title: 'No resource, or no way to check tokens',
    remedy: 'Pass `resource`, the URL of the server, and `verifyToken`.',
  },
  CT604: { title: 'No authorization server', remedy: 'Pass the issuer of the tokens.' },
  CT605: { title: 'No tokens', remedy: 'Pass at least one, or leave the authentication out.' },
  CT606: { title: 'An empty token', remedy: 'Pass one that cannot be guessed.' },
  CT607: { title: 'A token from a variable that is not set', remedy: 'Set the environment variable.' },
  CT608: {
    title: 'A host or an origin that matches nothing',
    remedy: 'Use `name`, `name:port` or `name:*`; an origin begins with its scheme.',
  },
  CT609: { title: 'A port that is taken', remedy: 'Use another, or 0 for any that is free.' },
  CT610: { title: 'A port that needs more rights', remedy: 'Use one above 1023.' },
  CT611: { title: 'An address that this machine does not have', remedy: 'Use 127.0.0.1, or 0.0.0.0 for all.' },
  CT701: {
    title: 'A FastMCP of another copy',
    remedy: 'Import `fastmcp` and `cartouche/fastmcp` in the same module format.',
  },
  CT702: { title: 'A package that is not installed', remedy: 'Install it with npm.' },
  CT703: { title: 'A flavor that does not exist', remedy: 'Use one of those in the message.' },
  CT704: {
    title: 'A server whose adapter is not loaded',
    remedy: "Import the adapter where the server's own package is imported, in the same module format.",
  },
  CT705: { title: 'Something to mount that does not exist', remedy: 'Use one of those in the message.' },
  CT706: { title: 'Two tools that a model API would know by one name', remedy: 'Rename one.' },
  CT707: { title: 'A tool that this principal does not have', remedy: 'Check the name in `only`, and the policy.' },
  CT801: { title: '`retry` without causes', remedy: 'Say with `on` which failures are worth another attempt.' },
  CT802: { title: '`concurrency` without a limit', remedy: 'Pass `total`, `perPrincipal` or both.' },
  CT803: { title: '`auditLog` with no sink, or with several', remedy: 'Pass one of those in the message.' },
  CT804: {
    title: 'An audit file that cannot be written',
    remedy: 'Name a file in a folder that the process may write to.',
  },
  CT805: {
    title: 'A salt in the environment that is too short',
    remedy: 'Set it to a longer random secret, or unset it.',
  },
  CT806: { title: 'One middleware in two layers', remedy: 'Make one for each layer.' },
  CT807: { title: 'Middleware that returned nothing', remedy: 'Return what `next()` gives.' },
  CT851: {
    title: 'A policy that cannot be read',
    remedy: 'Name a file that is there, in YAML or JSON, whose keys are unique and that repeats little of itself.',
  },
  CT852: { title: 'A policy that extends itself', remedy: 'Break the circle of files.' },
  CT853: { title: 'One policy in two layers', remedy: 'Load it once for each layer.' },
  CT901: { title: 'A `maxTokens` that is not a whole number above 0', remedy: 'Pass one.' },
  CT902: { title: 'A question without a message', remedy: 'Tell the person what is asked and why.' },
  CT903: { title: 'An address that is not a web address', remedy: 'Pass a URL that begins with `https://`.' },
  CT904: { title: 'An address with credentials', remedy: 'Leave them out: clients show and keep the address.' },
  CT905: { title: 'A key that is not valid', remedy: 'Use a text of the length that the message gives.' },
  CT906: { title: 'The result of a step that cannot be carried', remedy: 'Return plain JSON.' },
  CT907: {
    title: '`currentContext()` where no request is running',
    remedy: 'Call it below a handler, of a layer with `asyncContext: true`.',
  },
  CT908: { title: 'Content without a media type', remedy: 'Pass one, for example `image/png`.' },
  CT909: {
    title: 'A policy whose pipeline is a promise',
    remedy: 'Return the pipeline at once; its `input` and `output` may be asynchronous.',
  },
  CT910: {
    title: 'A policy that makes something else of an object',
    remedy: 'Return an object, or `undefined` where the message says that it may be dropped.',
  },
  CT911: {
    title: 'A policy whose scope is not text',
    remedy: 'Return text, or `undefined` where nothing can be shared; not the promise of it.',
  },
} as const satisfies Readonly<Record<`CT${number}`, CodeEntry>>;

/** A code that a finding can carry. */
export type FindingCode = keyof typeof FINDING_CODES;
