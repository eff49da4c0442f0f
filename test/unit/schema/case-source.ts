import 'reflect-metadata';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import ts from 'typescript';
import { Describe } from '../../../decorators/describe.js';
import { Field } from '../../../decorators/field.js';
import type { Class } from '../../../src/core/class.js';
import { IntersectionType, OmitType, PartialType, PickType } from '../../../src/schema/read/mapped-types.js';

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

const mapped = { PartialType, PickType, OmitType, IntersectionType };
const scope: Record<string, unknown> = { ...validator, ...transformer, ...mapped, Describe, Field };

/** Compiles a class as a user's compiler would, and returns the one called Dto. */
export function dtoOf(source: string, define = false): Class<object> {
  const body = transpile(`${source}; return Dto;`, define);
  const names = Object.keys(scope);
  return load(names, body)(...names.map((name) => scope[name]));
}

/** The shared cases, or none when the folder is not there. */
export function sharedCases(): readonly Case[] {
  const file = join(__dirname, '../../../../shared/data/schema-cases.ts');
  if (!existsSync(file)) {
    console.info('../shared/data is not there: the shared schema cases are skipped.');
    return [];
  }
  const exported: { cases?: readonly Case[] } = {};
  load(['exports'], transpile(readFileSync(file, 'utf8'), false))(exported);
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
