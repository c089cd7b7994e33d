import type { FormName } from '../contributions.ts';

const formSuffixes: readonly (readonly [string, FormName])[] = [
  ['.viewpoint.json', 'viewpoint'],
  ['.rule.json', 'rule'],
  ['.rules.json', 'ruleSet'],
];

/** The form that opens a file, by its name (decisions.md, "Names and file suffixes"). */
export const getFormName = (path: string): FormName | undefined =>
  formSuffixes.find(([suffix]) => path.endsWith(suffix))?.[1];
