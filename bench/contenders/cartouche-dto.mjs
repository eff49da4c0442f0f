// cartouche, with a decorated service class and DTO classes whose decorators come from `cartouche/dto`.
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  Type,
  ValidateNested,
} from '../../dist/esm/src/dto.js';
import { meta as describe } from './_cartouche.mjs';
import { starter } from './_dto.mjs';

export const meta = describe('cartouche (classes, DTOs)');

export const start = starter({
  ArrayMaxSize,
  ArrayMinSize,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  Type,
  ValidateNested,
});
