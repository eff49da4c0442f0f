import 'reflect-metadata';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { Describe } from '../../../decorators/describe.js';
import { Field } from '../../../decorators/field.js';
import type { Class } from '../../../src/core/class.js';
import { IntersectionType, OmitType, PartialType, PickType } from '../../../src/schema/mapped-types.js';

/** One DTO and what must become of it; the shape of `../shared/data/schema-cases.ts`. */
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

const scope: Record<string, unknown> = {
  ...validator,
  ...transformer,
  PartialType,
  PickType,
  OmitType,
  IntersectionType,
  Describe,
  Field,
};

/** Compiles a class as a user's compiler would, and returns the one called Dto. */
export function dtoOf(source: string, define = false): Class<object> {
  const { outputText } = ts.transpileModule(`${source}; return Dto;`, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      useDefineForClassFields: define,
    },
  });
  const names = Object.keys(scope);
  return load(names, outputText)(...names.map((name) => scope[name]));
}

/** `new Function` where it is allowed; where it is not, the module system compiles text all the same. */
function load(names: readonly string[], body: string): (...values: unknown[]) => any {
  try {
    return new Function(...names, body) as (...values: unknown[]) => any;
  } catch {
    const { Script } = jest.requireActual<typeof import('node:vm')>('node:vm');
    return new Script(`(function (${names.join(',')}) {${body}\n})`).runInThisContext() as (
      ...values: unknown[]
    ) => any;
  }
}

/** The shared cases, or none when the folder is not there. */
export function sharedCases(): readonly Case[] {
  const file = join(__dirname, '../../../../shared/data/schema-cases.ts');
  if (!existsSync(file)) {
    console.info('../shared/data is not there: the shared schema cases are skipped.');
    return [];
  }
  const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
  });
  const exported: { cases?: readonly Case[] } = {};
  load(['exports'], outputText)(exported);
  return exported.cases ?? [];
}
