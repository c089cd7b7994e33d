import { translatable } from '../../base/localize.ts';
import { type FunctionInfo, createFunctions } from './functionInfo.ts';

/** Text, conversion, date difference and logic functions that no published source documents. */
export const TEXT_AND_LOGIC_FUNCTIONS: readonly FunctionInfo[] = createFunctions(
  false,
  translatable({
    'YEARDIFF(end, start)': 'Years from start to end',
    'QUARTERDIFF(end, start)': 'Quarters from start to end',
    'MONTHDIFF(end, start)': 'Months from start to end',
    'HOURDIFF(end, start)': 'Hours from start to end',
    'MINUTEDIFF(end, start)': 'Minutes from start to end',
    'SECONDDIFF(end, start)': 'Seconds from start to end',
    'LEN(s)': 'Number of characters',
    'LTRIM(s)': 'Text without leading spaces',
    'RTRIM(s)': 'Text without trailing spaces',
    'REPLACE(s, find, with)': 'Text with every occurrence replaced',
    'INDEXOF(s, find)': 'Position of a string in another string',
    'REPLICATE(s, n)': 'Text repeated n times',
    'REVERSE(s)': 'Text in reverse order',
    'STRPARTS(s, separator, index)': 'One part of a string split at a separator',
    'TOBIGINT(x)': 'The value as a big integer',
    'TODOUBLE(x)': 'The value as a double',
    'TODATETIME(x)': 'The value as a date and time',
    'CAST(x AS type)': 'The value as another type',
    'IFNULL(x, y)': 'x, or y when x is null',
    'COALESCE(x, …y)': "The first value that isn't null",
    'NULLIF(a, b)': 'Null when both are equal; otherwise a',
    'IFINT(condition, a, b)': 'a when the condition is true; otherwise b (integers)',
    'IFSTRING(condition, a, b)': 'a when the condition is true; otherwise b (text)',
    'IFDOUBLE(condition, a, b)': 'a when the condition is true; otherwise b (doubles)',
  }),
);
