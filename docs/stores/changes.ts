import { type ChangeBus, McpLayer, type PublishedChange } from 'cartouche';

/** Carries changes between the workers of one Node process. Across machines, Redis has PUBLISH and SUBSCRIBE. */
class WorkerBus implements ChangeBus {
  readonly #out = new BroadcastChannel('cartouche');

  publish(change: PublishedChange): void {
    this.#out.postMessage(change);
  }

  subscribe(listener: (change: PublishedChange) => void): () => void {
    const channel = new BroadcastChannel('cartouche');
    channel.onmessage = (event) => listener((event as { data: PublishedChange }).data);
    return () => channel.close();
  }

  close(): void {
    this.#out.close();
  }
}

// Each of these would stand in a worker of its own.
const buses = [new WorkerBus(), new WorkerBus()];
const layers = buses.map((changes) => new McpLayer({ name: 'stock', version: '1.0.0', stores: { changes } }));
for (const [index, layer] of layers.entries())
  layer.onChange(({ kind, uri }) => console.log(`layer ${index}:`, kind, uri));

layers[0]?.notifyChange('resource', 'stock://berlin');
await new Promise((resolve) => setTimeout(resolve, 100));
for (const layer of layers) await layer.close();
for (const bus of buses) bus.close();
