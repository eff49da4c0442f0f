// The same as ES modules, with the ES module copies; a server of the other copy of fastmcp is refused.
import { createRequire } from 'node:module';
import { Server } from '@modelcontextprotocol/server';
import { bindingOf, buildServer, McpLayer, Registry } from 'cartouche';
import 'cartouche/fastmcp';
import { NestContainer } from 'cartouche/nest';
import { FastMCP } from 'fastmcp';
import { report } from './built-report.cjs';

const { FastMCP: OtherFastMcp } = createRequire(import.meta.url)('fastmcp');
report({ McpLayer, Registry, bindingOf, buildServer, NestContainer, FastMCP, Server, OtherFastMcp });
