import { BOUNDS } from '../../core/bounds.js';

/** Lossless conversions of text. Each returns `undefined` for a text that it would have to guess at. */

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const MAX_NUMBER_CHARS = BOUNDS.numberChars.default;
/** Any decimal of so many significant digits survives the way through a double. Source: IEEE 754, DBL_DIG. */
const EXACT_DIGITS = 15;

/** `"5"` → 5. Refuses what a double cannot hold exactly, other notations, and the empty text. */
export function numberFromText(text: string): number | undefined {
  if (text.length > MAX_NUMBER_CHARS || !NUMBER.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  const digits = significantDigits(text);
  if (value === 0) return digits === 0 ? 0 : undefined;
  return digits <= EXACT_DIGITS || String(value) === text ? value : undefined;
}

/** As `numberFromText`, for a whole number that a double holds exactly. An exponent is a guess at what was meant. */
export function integerFromText(text: string): number | undefined {
  const value = /[eE]/.test(text) ? undefined : numberFromText(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

const DIGITS = /^-?\d+$/;

/** Whether a value is an integer of which JSON keeps only the first digits: it may not be the one that was written. */
export function isInexactInteger(value: unknown): boolean {
  const given = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
  return Number.isInteger(given) ? !Number.isSafeInteger(given) : given === Infinity || given === -Infinity;
}

function significantDigits(text: string): number {
  const mantissa = (text.split(/[eE]/)[0] ?? '').replace(/[-.]/g, '').replace(/^0+/, '');
  return mantissa.length;
}

/** `"true"` and `"false"`, nothing else. */
export function booleanFromText(text: string): boolean | undefined {
  if (text === 'true') return true;
  return text === 'false' ? false : undefined;
}

// RFC 3339 with the letters in either case, and a date alone.
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?\d*(?:[Zz]|([+-])(\d\d):?(\d\d)))?$/;
const MAX_DATE_CHARS = BOUNDS.dateChars.default;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** An ISO date, or a date and time with an offset (without one it would mean another moment on another server). */
export function dateFromText(text: string): Date | undefined {
  if (text.length > MAX_DATE_CHARS) return undefined;
  const parts = DATE.exec(text);
  if (parts === null) return undefined;
  const field = (index: number): number => Number(parts[index] ?? 0);
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(field) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 60 || field(9) > 23 || field(10) > 59) return undefined;
  const offset = (parts[8] === '-' ? -1 : 1) * (field(9) * 60 + field(10));
  // A leap second is one only at the end of a UTC day; elsewhere 60 is a mistake.
  if (second === 60 && (((hour * 60 + minute - offset) % 1440) + 1440) % 1440 !== 1439) return undefined;
  const milliseconds = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute - offset, second, milliseconds);
  return date;
}

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}
