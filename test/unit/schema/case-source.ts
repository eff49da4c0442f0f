import 'reflect-metadata';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import { Script } from 'node:vm';
import ts from 'typescript';
import { Describe } from '../../../decorators/describe.js';
import { Field } from '../../../decorators/field.js';
import type { Class } from '../../../src/core/class.js';
import { IntersectionType, OmitType, PartialType, PickType } from '../../../src/schema/read/mapped-types.js';

/**
 * One DTO and what must become of it. `source` is TypeScript in which the class is called Dto and all exports of
 * class-validator, class-transformer and the mapped types are at hand; `accepts` and `rejects` are raw arguments,
 * `coerces` pairs of an input and its instance as JSON; `build: 'error'` is a class that cannot be served.
 */
export interface Case {
  readonly name: string;
  readonly source: string;
  readonly expected?: any;
  readonly accepts?: readonly any[];
  readonly rejects?: readonly any[];
  readonly coerces?: readonly (readonly [any, any])[];
  readonly build?: 'error';
  readonly note?: string;
  readonly define?: boolean;
}

const mapped = { PartialType, PickType, OmitType, IntersectionType };
const scope: Record<string, unknown> = { ...validator, ...transformer, ...mapped, Describe, Field };

/** Compiles a class as a user's compiler would, and returns the one called Dto. */
export function dtoOf(source: string, define = false): Class<object> {
  const body = transpile(`${source}; return Dto;`, define);
  const names = Object.keys(scope);
  return load(names, body)(...names.map((name) => scope[name]));
}

/** The cases of a file of text that exports them, as the outside copy of ours is. */
export function casesIn(text: string): readonly Case[] {
  const exported: { cases?: readonly Case[] } = {};
  load(['exports'], transpile(text, false))(exported);
  return exported.cases ?? [];
}

function transpile(source: string, define: boolean): string {
  return ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      useDefineForClassFields: define,
    },
  }).outputText;
}

/** A function from text; where `new Function` is forbidden, the module system compiles text all the same. */
function load(names: readonly string[], body: string): (...values: unknown[]) => any {
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the sources of cases are text.
    return new Function(...names, body) as (...values: unknown[]) => any;
  } catch {
    return new Script(`(function (${names.join(',')}) {${body}\n})`).runInThisContext() as (
      ...values: unknown[]
    ) => any;
  }
}
