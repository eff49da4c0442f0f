// The same as cartouche-dto, with the decorators out of class-validator's and class-transformer's own entry points, which
// load everything those packages have. The copies are the checkout's, as cartouche's own imports find them.
import { Type } from 'class-transformer';
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
  ValidateNested,
} from 'class-validator';
import { meta as describe } from './_cartouche.mjs';
import { starter } from './_dto.mjs';

export const meta = describe('cartouche (classes, DTOs from class-validator)');

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
