import { isDeepStrictEqual } from 'node:util';
import { ConfigurationError, InvalidArgumentsError } from '../../../src/core/errors.js';
import { compileInput } from '../../../src/schema/input.js';
import { dtoOf, type Case } from './case-source.js';

/** What came of one input. */
export type Outcome = { readonly value: unknown } | { readonly error: InvalidArgumentsError };

/** Validates, and waits where a validator makes us wait. Anything but a refusal is thrown on. */
export async function outcomeOf(validate: (value: unknown) => unknown, input: unknown): Promise<Outcome> {
  try {
    return { value: await validate(input) };
  } catch (error) {
    if (error instanceof InvalidArgumentsError) return { error };
    throw error;
  }
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Everything that is wrong with our treatment of one case; an empty list when nothing is. */
export async function problemsOf(testCase: Case, codegen: boolean): Promise<string[]> {
  const cls = dtoOf(testCase.source, testCase.define);
  if (testCase.build === 'error') return buildProblems(() => compileInput(cls, { site: 'test', codegen }));
  const input = compileInput(cls, { site: 'test', codegen });
  const problems: string[] = [];
  if (!isDeepStrictEqual(plain(input.schema), plain(testCase.expected))) {
    problems.push(`schema ${JSON.stringify(input.schema)} instead of ${JSON.stringify(testCase.expected)}`);
  }
  for (const value of testCase.accepts ?? []) {
    const before = JSON.stringify(value);
    const outcome = await outcomeOf(input.validate, value);
    if ('error' in outcome) problems.push(`refuses ${before}: ${outcome.error.message}`);
    else if (!(outcome.value instanceof cls)) problems.push(`makes no instance of ${before}`);
    if (JSON.stringify(value) !== before) problems.push(`modifies ${before}`);
  }
  for (const value of testCase.rejects ?? []) {
    const outcome = await outcomeOf(input.validate, value);
    if (!('error' in outcome)) problems.push(`accepts ${JSON.stringify(value)}`);
    else if (outcome.error.data.length === 0 || outcome.error.data.some(({ msg }) => msg.trim() === '')) {
      problems.push(`says nothing of ${JSON.stringify(value)}`);
    }
  }
  for (const [value, expected] of testCase.coerces ?? []) {
    const outcome = await outcomeOf(input.validate, value);
    const made = 'error' in outcome ? outcome.error.message : plain(outcome.value);
    if (!isDeepStrictEqual(made, plain(expected))) {
      problems.push(`makes ${JSON.stringify(made)} of ${JSON.stringify(value)} instead of ${JSON.stringify(expected)}`);
    }
  }
  return problems;
}

function buildProblems(build: () => unknown): string[] {
  try {
    build();
    return ['builds what cannot work'];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.findings.every((finding) => /^\w+(\.\w+)?: .+\. .+\. \[CT3\d\d\]$/.test(finding))
      ? []
      : [`words its findings badly: ${error.findings.join(' | ')}`];
  }
}
