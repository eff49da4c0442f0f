import { validateArguments } from 'cartouche';
import { IsArray, IsBoolean, IsDate, IsInt, IsNumber, IsOptional, IsString, ValidateIf } from 'class-validator';

class Query {
  /** Absent, it is 10. */
  @IsInt()
  limit: number = 10;

  @IsOptional()
  @IsNumber()
  ratio?: number;

  @IsOptional()
  @IsBoolean()
  open?: boolean;

  @IsOptional()
  @IsDate()
  since?: Date;

  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  tags?: string[];

  /** Null is a value of its own: "nobody owns it". */
  @ValidateIf((_, owner) => owner !== null)
  @IsString()
  owner: string | null = 'anyone';
}

function tell(given: object): void {
  try {
    console.log(JSON.stringify(given), '->', validateArguments(Query, given));
  } catch (error) {
    console.log(JSON.stringify(given), '->', (error as Error).message);
  }
}

tell({ limit: '5', ratio: '0.25', open: 'false', since: '2026-07-28' });
tell({ ratio: null, owner: null });
tell({ limit: '1e3' });
tell({ limit: 9007199254740993 });
tell({ limit: '', open: 'yes', ratio: '0x10' });
tell({ since: '2026-02-30', tags: 'a' });
tell({ limt: 5 });
