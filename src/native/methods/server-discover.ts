import { MODERN_VERSIONS } from '../era.js';
import { running } from '../method.js';

/** Says what is served, without a handshake. */
export const serverDiscover = running({
  name: 'server/discover',
  eras: ['modern'],
  cacheable: 'shared',
  run: () => undefined,
  result: (host, { revision }) => {
    const { instructions } = host.options;
    return host.cacheable(revision, 'server/discover', {
      supportedVersions: MODERN_VERSIONS,
      capabilities: host.capabilities.toWire('modern'),
      ...(instructions === undefined ? {} : { instructions }),
    });
  },
});
