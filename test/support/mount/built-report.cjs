const FLAVORS = ['native', 'sdk', 'sdk-v1', 'sdk-v2', 'mcpserver', 'fastmcp', 'auto'];

/** Tries everything that depends on the module format, and prints what came of it. */
exports.report = async ({
  McpLayer,
  Registry,
  bindingOf,
  buildServer,
  NestContainer,
  FastMCP,
  Server,
  OtherFastMcp,
}) => {
  const registry = new Registry();
  registry.tool({ name: 'find' }, () => 'found');
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const layer = new McpLayer({ name: 'built', version: '1.0.0', registry, logger });
  const flavors = {};
  for (const flavor of FLAVORS) {
    const { kind, sdkMajor } = bindingOf(await buildServer(layer, flavor));
    flavors[flavor] = `${kind} ${sdkMajor ?? '-'}`;
  }
  const host = (Class) => new Class({ name: 'host', version: '1.0.0' });
  let refused;
  try {
    if (OtherFastMcp !== undefined) layer.registerInto(host(OtherFastMcp));
  } catch (error) {
    refused = error.message;
  }
  const result = {
    flavors,
    fastmcp: layer.registerInto(host(FastMCP)).kind,
    sameCopy: (await buildServer(layer, 'sdk')) instanceof Server,
    nest: typeof NestContainer,
    refused,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
};
