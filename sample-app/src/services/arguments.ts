import { Field } from 'cartouche';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import { PROVIDERS, type Provider } from '../asset.js';
import { GROUP_FIELDS, SORT_FIELDS, type GroupField, type SortField } from '../query.js';

/** What every tool that looks into a dataset takes. */
export class DatasetArgs {
  /** Name of a loaded dataset. Default: the active one. */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  dataset?: string;
}

export class CountAssetsArgs extends DatasetArgs {
  /** The field to count by. */
  @IsIn(GROUP_FIELDS)
  groupBy: GroupField = 'provider';
}

export class FindAssetsArgs extends DatasetArgs {
  /** Words, in any case, each of which must be in the name, type, address, id, ARN or a tag. */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  query?: string;

  /** Only assets of this cloud. */
  @IsOptional()
  @IsIn(PROVIDERS)
  provider?: Provider;

  /** Only assets of this resource type, for example aws_instance. */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  type?: string;

  /** Only assets in this region; "(none)" for those whose region is not known. */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  region?: string;

  /** Only assets of this AWS account, Azure subscription or Google project; "(none)" for those of none. */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  account?: string;

  /** Only assets of this module and the modules in it, for example module.network. */
  @IsOptional()
  @IsString()
  @MaxLength(500)
  module?: string;

  /** Only assets with this tag: "key" or "key=value". */
  @IsOptional()
  @IsString()
  @MaxLength(500)
  tag?: string;

  /** The field to sort by. */
  @IsIn(SORT_FIELDS)
  sortBy: SortField = 'address';

  /** Whether to sort from last to first. */
  @IsBoolean()
  descending: boolean = false;

  /** How many assets a page may have. */
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;

  /** The nextCursor of the page before. It is good for the same data and the same filters only. */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  cursor?: string;
}

export class GetAssetArgs extends DatasetArgs {
  /** Address, id or ARN of the asset, or a name that no other asset has. */
  @IsString()
  @MinLength(1)
  @MaxLength(2048)
  ref!: string;
}

export class LoadDatasetArgs {
  /** Path of a state file, or of the output of `show -json`. It must be inside an allowed directory. */
  @IsString()
  @MinLength(1)
  @MaxLength(4096)
  path!: string;

  /** What to call the dataset. Default: the file's name without its endings. */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  name?: string;

  /** Whether to take the place of a dataset that has this name. */
  @IsBoolean()
  replace: boolean = false;
}

export class UnloadDatasetArgs {
  /** Name of a loaded dataset. */
  @IsString()
  @MinLength(1)
  @MaxLength(64)
  name!: string;
}

/** What a person is asked before a dataset is forgotten. */
export class ForgetForm {
  /** Its file stays as it is. */
  @IsBoolean()
  @Field({ title: 'Forget it' })
  forget: boolean = false;

  /** Goes into the client's log. */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  @Field({ title: 'Reason' })
  reason?: string;
}

/** The variable of `estate://assets/{+ref}` and its neighbors. */
export class AssetVariables {
  /** Address, id, ARN or unique name, URL-encoded. */
  @IsString()
  @MaxLength(2048)
  ref!: string;
}

/** The variable of `estate://datasets/{dataset}/summary`. */
export class DatasetVariables {
  /** Name of a loaded dataset. */
  @IsString()
  @MaxLength(64)
  dataset!: string;
}

/** Prompt arguments are shown to people in this order. */
export class GapArguments {
  /** The framework to check against, for example CIS-AWS, PCI-DSS or NIST-800-53. */
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  framework!: string;

  /** Name of a loaded dataset. Default: the active one. */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  dataset?: string;
}

/** Prompt arguments are shown to people in this order. */
export class InvestigateArguments {
  /** Address, id or ARN of the asset, or a name that no other asset has. */
  @IsString()
  @MinLength(1)
  @MaxLength(2048)
  ref!: string;

  /** What is wrong or to be found out. Default: anything that looks unusual. */
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  question?: string;

  /** Name of a loaded dataset. Default: the active one. */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  dataset?: string;
}
