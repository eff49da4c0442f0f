// Every door by its name, and a container of the user's own tsyringe: compiled against the packed package.
import 'cartouche/stdio';
import { McpLayer, TsyringeContainer } from 'cartouche';
import { IsString } from 'cartouche/dto';
import { registerIntoFastMcp } from 'cartouche/fastmcp';
import { NativeMcpServer } from 'cartouche/native';
import { NestContainer } from 'cartouche/nest';
import { createTestClient } from 'cartouche/testing';
import { container } from 'tsyringe';

export const layer = new McpLayer({
  name: 'doors',
  version: '1.0.0',
  container: new TsyringeContainer({ parent: container.createChildContainer() }),
});
export const doors = [IsString, NativeMcpServer, registerIntoFastMcp, NestContainer, createTestClient];
