import type { SchemaSnippet } from '../note.ts';

const numberMask = { type: 'number', decimals: 'auto', number: { separated: true } };

/** Snippets for the format of a column, with masks of the query language (platform-facts.md, 4). */
export const formatSnippets: readonly SchemaSnippet[] = [
  {
    label: 'Number',
    description: 'With separators and as many decimals as needed',
    body: { mask: numberMask },
  },
  {
    label: 'Short number',
    description: 'In thousands, millions, billions',
    body: { mask: { ...numberMask, abbreviations: { k: true, m: true, b: true, t: false } } },
  },
  {
    label: 'Currency',
    description: 'With a currency symbol before or after the number',
    body: {
      mask: {
        type: 'number',
        decimals: '^${1:2}',
        number: { separated: true },
        currency: { symbol: '${2:$}', position: '${3|pre,post|}' },
      },
    },
  },
  {
    label: 'Percent',
    description: 'A percentage',
    body: { mask: { type: 'number', decimals: 'auto', percent: true } },
  },
  {
    label: 'Dates',
    description: 'A format for each date level',
    body: {
      mask: {
        years: 'yyyy',
        quarters: 'yyyy Q',
        months: 'MM/yyyy',
        weeks: 'ww yyyy',
        days: 'shortDate',
        minutes: 'HH:mm',
      },
    },
  },
  {
    label: 'Color by condition',
    description: 'Values above a limit',
    body: {
      color: {
        type: 'condition',
        conditions: [{ operator: '${1|>,<,=|}', expression: '${2:0}', color: '${3:#33aa33}' }],
      },
    },
  },
];
