import { Field } from 'cartouche';
import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsInt, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { PROVIDERS, type Provider } from '../asset.js';

export class EdgeCounts {
  /** Entries in the dependency lists of the file. */
  @IsInt()
  listed!: number;

  /** Of these, how many point at data sources. */
  @IsInt()
  toData!: number;

  /** Of these, how many name something that has no instance in the file. */
  @IsInt()
  dangling!: number;

  /** Distinct edges between two assets. */
  @IsInt()
  pairs!: number;
}

export class DatasetView {
  @IsString()
  name!: string;

  /** Whether this dataset is meant when none is named. */
  @IsBoolean()
  active!: boolean;

  /** Path of the file it was loaded from. */
  @IsString()
  source!: string;

  @IsIn(['state-4', 'state-3', 'show-json'])
  format!: string;

  @IsOptional()
  @IsString()
  terraformVersion?: string;

  /** How many assets it has. */
  @IsInt()
  assets!: number;

  /** How many data sources the state has; they are not assets. */
  @IsInt()
  dataInstances!: number;

  @ValidateNested()
  @Type(() => EdgeCounts)
  edges!: EdgeCounts;
}

export class WorkspaceStatus {
  /** Name of the active dataset. */
  @IsOptional()
  @IsString()
  active?: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => DatasetView)
  datasets!: DatasetView[];

  /** Directories that state files may be loaded from. */
  @IsArray()
  @IsString({ each: true })
  allowedRoots!: string[];
}

export class AssetCounts {
  @IsString()
  dataset!: string;

  @IsString()
  groupBy!: string;

  @IsInt()
  total!: number;

  /** How many assets each value of the field has, the most frequent first. */
  @IsObject()
  @Field({ additionalProperties: { type: 'integer' } })
  groups!: Record<string, number>;
}

export class RegionView {
  @IsString()
  region!: string;

  @IsInt()
  total!: number;

  /** How many of them each cloud has. */
  @IsObject()
  @Field({ additionalProperties: { type: 'integer' } })
  providers!: Record<string, number>;
}

export class RegionList {
  @IsString()
  dataset!: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => RegionView)
  regions!: RegionView[];

  /** How many assets have no region that is known. */
  @IsInt()
  withoutRegion!: number;
}

export class AssetSummary {
  /** The reference that is always unique. */
  @IsString()
  address!: string;

  @IsIn(PROVIDERS)
  provider!: Provider;

  @IsString()
  type!: string;

  @IsString()
  name!: string;

  @IsOptional()
  @IsString()
  region?: string;

  @IsOptional()
  @IsString()
  account?: string;
}

export class AssetPage {
  @IsString()
  dataset!: string;

  /** How many assets match, on all pages. */
  @IsInt()
  total!: number;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AssetSummary)
  items!: AssetSummary[];

  /** Pass it as `cursor` for the next page; absent on the last one. */
  @IsOptional()
  @IsString()
  nextCursor?: string;
}

/** The first addresses of a list that may be long. */
export class AddressList {
  @IsInt()
  total!: number;

  @IsArray()
  @IsString({ each: true })
  addresses!: string[];
}

export class AssetDetail extends AssetSummary {
  /** What the cloud calls it; several assets may share one. */
  @IsOptional()
  @IsString()
  id?: string;

  @IsOptional()
  @IsString()
  arn?: string;

  @IsOptional()
  @IsString()
  module?: string;

  /** The count number or for_each key of the instance. */
  @IsOptional()
  @Field({ anyOf: [{ type: 'string' }, { type: 'integer' }] })
  key?: string | number;

  @IsObject()
  @Field({ additionalProperties: { type: 'string' } })
  tags!: Record<string, string>;

  /** A few descriptive settings. */
  @IsObject()
  attributes!: Record<string, string | number | boolean>;

  @ValidateNested()
  @Type(() => AddressList)
  dependsOn!: AddressList;

  @ValidateNested()
  @Type(() => AddressList)
  usedBy!: AddressList;

  /** What it depends on according to the state, though the state holds no instance of it. */
  @IsArray()
  @IsString({ each: true })
  missing!: string[];
}
