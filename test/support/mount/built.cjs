// What the built package does in CommonJS, with the CommonJS copies of its hosts. Prints one line of JSON.
const { McpLayer, Registry, bindingOf, buildServer } = require('cartouche');
require('cartouche/fastmcp');
const { NestContainer } = require('cartouche/nest');
const { FastMCP } = require('fastmcp');
const { Server } = require('@modelcontextprotocol/server');
const { report } = require('./built-report.cjs');

report({ McpLayer, Registry, bindingOf, buildServer, NestContainer, FastMCP, Server, OtherFastMcp: undefined });
