import type * as transformers from 'class-transformer';
import type * as validators from 'class-validator';
import { loadDecorator } from '#decorators';
import { isMissing, missingPackage } from './core/missing-package.js';

/**
 * The decorators of class-validator and class-transformer, each loaded when a class first uses it. They are the same
 * functions with the same records as in their packages, so classes of either import work together; only the load is
 * another: `import { IsString } from 'class-validator'` loads every validator there is.
 */

type Packages = typeof validators & typeof transformers;
type Call = (...given: readonly unknown[]) => unknown;

/** @throws {ConfigurationError} When its package is not installed. */
function lazy<Name extends keyof Packages>(name: Name): Packages[Name] {
  let loaded: Call | undefined;
  const call: Call = (...given) => (loaded ??= load(name))(...given);
  return Object.defineProperty(call, 'name', { value: name }) as Packages[Name];
}

function load(name: string): Call {
  try {
    return loadDecorator(name) as Call;
  } catch (error) {
    for (const wanted of ['class-validator', 'class-transformer']) {
      if (isMissing(error, wanted)) missingPackage(wanted, 'cartouche/dto');
    }
    throw error;
  }
}

export const Allow = lazy('Allow');
export const ArrayContains = lazy('ArrayContains');
export const ArrayMaxSize = lazy('ArrayMaxSize');
export const ArrayMinSize = lazy('ArrayMinSize');
export const ArrayNotContains = lazy('ArrayNotContains');
export const ArrayNotEmpty = lazy('ArrayNotEmpty');
export const ArrayUnique = lazy('ArrayUnique');
export const Contains = lazy('Contains');
export const Equals = lazy('Equals');
export const IsAlpha = lazy('IsAlpha');
export const IsAlphanumeric = lazy('IsAlphanumeric');
export const IsArray = lazy('IsArray');
export const IsAscii = lazy('IsAscii');
export const IsBIC = lazy('IsBIC');
export const IsBase32 = lazy('IsBase32');
export const IsBase58 = lazy('IsBase58');
export const IsBase64 = lazy('IsBase64');
export const IsBoolean = lazy('IsBoolean');
export const IsBooleanString = lazy('IsBooleanString');
export const IsBtcAddress = lazy('IsBtcAddress');
export const IsByteLength = lazy('IsByteLength');
export const IsCreditCard = lazy('IsCreditCard');
export const IsCurrency = lazy('IsCurrency');
export const IsDataURI = lazy('IsDataURI');
export const IsDate = lazy('IsDate');
export const IsDateString = lazy('IsDateString');
export const IsDecimal = lazy('IsDecimal');
export const IsDefined = lazy('IsDefined');
export const IsDivisibleBy = lazy('IsDivisibleBy');
export const IsEAN = lazy('IsEAN');
export const IsEmail = lazy('IsEmail');
export const IsEmpty = lazy('IsEmpty');
export const IsEnum = lazy('IsEnum');
export const IsEthereumAddress = lazy('IsEthereumAddress');
export const IsFQDN = lazy('IsFQDN');
export const IsFirebasePushId = lazy('IsFirebasePushId');
export const IsFullWidth = lazy('IsFullWidth');
export const IsHSL = lazy('IsHSL');
export const IsHalfWidth = lazy('IsHalfWidth');
export const IsHash = lazy('IsHash');
export const IsHexColor = lazy('IsHexColor');
export const IsHexadecimal = lazy('IsHexadecimal');
export const IsIBAN = lazy('IsIBAN');
export const IsIP = lazy('IsIP');
export const IsISBN = lazy('IsISBN');
export const IsISIN = lazy('IsISIN');
export const IsISO31661Alpha2 = lazy('IsISO31661Alpha2');
export const IsISO31661Alpha3 = lazy('IsISO31661Alpha3');
export const IsISO4217CurrencyCode = lazy('IsISO4217CurrencyCode');
export const IsISO8601 = lazy('IsISO8601');
export const IsISRC = lazy('IsISRC');
export const IsISSN = lazy('IsISSN');
export const IsIdentityCard = lazy('IsIdentityCard');
export const IsIn = lazy('IsIn');
export const IsInstance = lazy('IsInstance');
export const IsInt = lazy('IsInt');
export const IsJSON = lazy('IsJSON');
export const IsJWT = lazy('IsJWT');
export const IsLatLong = lazy('IsLatLong');
export const IsLatitude = lazy('IsLatitude');
export const IsLocale = lazy('IsLocale');
export const IsLongitude = lazy('IsLongitude');
export const IsLowercase = lazy('IsLowercase');
export const IsMACAddress = lazy('IsMACAddress');
export const IsMagnetURI = lazy('IsMagnetURI');
export const IsMilitaryTime = lazy('IsMilitaryTime');
export const IsMimeType = lazy('IsMimeType');
export const IsMobilePhone = lazy('IsMobilePhone');
export const IsMongoId = lazy('IsMongoId');
export const IsMultibyte = lazy('IsMultibyte');
export const IsNegative = lazy('IsNegative');
export const IsNotEmpty = lazy('IsNotEmpty');
export const IsNotEmptyObject = lazy('IsNotEmptyObject');
export const IsNotIn = lazy('IsNotIn');
export const IsNumber = lazy('IsNumber');
export const IsNumberString = lazy('IsNumberString');
export const IsObject = lazy('IsObject');
export const IsOctal = lazy('IsOctal');
export const IsOptional = lazy('IsOptional');
export const IsPassportNumber = lazy('IsPassportNumber');
export const IsPhoneNumber = lazy('IsPhoneNumber');
export const IsPort = lazy('IsPort');
export const IsPositive = lazy('IsPositive');
export const IsPostalCode = lazy('IsPostalCode');
export const IsRFC3339 = lazy('IsRFC3339');
export const IsRgbColor = lazy('IsRgbColor');
export const IsSemVer = lazy('IsSemVer');
export const IsString = lazy('IsString');
export const IsStrongPassword = lazy('IsStrongPassword');
export const IsSurrogatePair = lazy('IsSurrogatePair');
export const IsTaxId = lazy('IsTaxId');
export const IsTimeZone = lazy('IsTimeZone');
export const IsUUID = lazy('IsUUID');
export const IsUppercase = lazy('IsUppercase');
export const IsUrl = lazy('IsUrl');
export const IsVariableWidth = lazy('IsVariableWidth');
export const Length = lazy('Length');
export const Matches = lazy('Matches');
export const Max = lazy('Max');
export const MaxDate = lazy('MaxDate');
export const MaxLength = lazy('MaxLength');
export const Min = lazy('Min');
export const MinDate = lazy('MinDate');
export const MinLength = lazy('MinLength');
export const NotContains = lazy('NotContains');
export const NotEquals = lazy('NotEquals');
export const Validate = lazy('Validate');
export const ValidateBy = lazy('ValidateBy');
export const ValidateIf = lazy('ValidateIf');
export const ValidateNested = lazy('ValidateNested');
export const ValidatePromise = lazy('ValidatePromise');
export const ValidatorConstraint = lazy('ValidatorConstraint');
export const buildMessage = lazy('buildMessage');
export const registerDecorator = lazy('registerDecorator');

export const Exclude = lazy('Exclude');
export const Expose = lazy('Expose');
export const Transform = lazy('Transform');
export const Type = lazy('Type');

export type { ValidationArguments, ValidationOptions, ValidatorConstraintInterface } from 'class-validator';
export type {
  ExcludeOptions,
  ExposeOptions,
  TransformFnParams,
  TransformOptions,
  TypeHelpOptions,
  TypeOptions,
} from 'class-transformer';
