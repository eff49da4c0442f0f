import type { Given, Replay } from '../core/replay.js';
import type { CallState } from './call-state.js';
import { mapFailure } from './failures.js';
import { startPipeline } from './pipeline.js';
import { runStages } from './stages.js';
import { transformOutput } from './stages/transform-output.js';

/** Lets an answer that was kept leave through the pipeline of whoever asks now. */
export class CallReplay implements Replay {
  readonly #call: CallState;

  constructor(call: CallState) {
    this.#call = call;
  }

  givenFor(answer: Given['answer']): Given | undefined {
    const { control, given, result } = this.#call;
    return given === undefined || result !== answer
      ? undefined
      : { answer: given as Given['answer'], links: control.links };
  }

  /** @throws {McpLayerError} What the pipeline throws, as the error hook has it. */
  async show({ answer, links }: Given): Promise<Given['answer']> {
    const call = this.#call;
    try {
      startPipeline(call);
      call.control.dropLinks();
      for (const link of links) call.control.link(link);
      call.result = answer;
      const { stages } = call.found();
      await transformOutput.run(call);
      // Nothing before it runs again, the handler least of all.
      await runStages(call, stages, stages.indexOf(transformOutput) + 1 || stages.length);
    } catch (thrown) {
      throw mapFailure(call, thrown);
    }
    // What was kept stays as old as it is.
    call.given = undefined;
    return call.result;
  }
}
