import { isClass } from '../../core/class.js';
import { finding } from '../../core/finding.js';
import { describeConstraint, expressionOf } from './constraint-keywords.js';
import type { Check, Shape } from './model.js';
import { mayBeSlow, slowExpressionProblem } from './slow-expressions.js';
import { ownValidator } from './own-validators.js';
import {
  constraintClasses,
  isValidatorRecord,
  type ConstraintClass,
  validatorOf,
  type ValidationRecord,
  type Validator,
} from './validator-metadata.js';

/** The validators of one property, in source order. Those that its shape has already settled are left out. */
export function makeChecks(
  records: readonly ValidationRecord[],
  shape: Shape,
  genuine: ReadonlySet<ValidationRecord>,
  warn: (problem: string) => void,
  report: (problem: string) => void,
): readonly Check[] {
  return records.filter(isValidatorRecord).flatMap((record) => {
    if (record.name === 'isDivisibleBy') checkDivisor(record, warn);
    if (record.name === 'matches') checkExpression(record, warn);
    const implementations = constraintClasses(record);
    if (implementations.length === 0) report(nothingBehind(record));
    return implementations.map((implementation) => makeCheck(record, implementation, shape, genuine.has(record)));
  });
}

function makeCheck(record: ValidationRecord, implementation: ConstraintClass, shape: Shape, isGenuine: boolean): Check {
  const name = implementation.name ?? record.name ?? 'customValidation';
  const constraints = record.constraints ?? [];
  const genuine = record.name !== undefined && isGenuine;
  let resolved: Validator | undefined;
  const target = record.each === true ? (shape.items ?? shape) : shape;
  return {
    name,
    each: record.each === true,
    async: implementation.async === true,
    constraints,
    message: record.message,
    validateIf: record.validateIf,
    genuine,
    own: genuine ? ownValidator(name, constraints, target) : undefined,
    validator: () => (resolved ??= validatorOf(implementation)),
  };
}

function checkExpression({ constraints = [] }: ValidationRecord, warn: (problem: string) => void): void {
  const expression = expressionOf(constraints);
  if (expression !== undefined && mayBeSlow(expression)) warn(slowExpressionProblem(expression));
}

/** Such a record validates nothing, in class-validator too. */
function nothingBehind({ constraintCls }: ValidationRecord): string {
  const name = isClass(constraintCls) ? constraintCls.name : 'its class';
  return finding('CT330', `@Validate(${name}) validates nothing. Add @ValidatorConstraint() to ${name}.`);
}

function checkDivisor(record: ValidationRecord, warn: (problem: string) => void): void {
  const divisor = record.constraints?.[0];
  if (describeConstraint(record).keywords?.multipleOf !== divisor) {
    warn(`@IsDivisibleBy(${String(divisor)}) divides by the integer part only. Use a whole number.`);
  }
}
