import type { CellProblem, CellValue } from '../../security/matrix/cellText.ts';
import type { FixedReason } from '../../security/matrix/ruleMatrix.ts';
import type { Grant } from '../../security/readRule.ts';
import { isBlock, isEverything, isNothing, type ValueSet } from '../../security/valueSet.ts';
import { t } from '../shared/t.ts';

/** A cell in a few words. */
export interface Described {
  readonly icon: string;
  readonly kind: 'everything' | 'nothing' | 'only' | 'except' | 'unclear' | 'several' | 'none';
  readonly text: string;
  /** How many values, where the text names only some. */
  readonly count?: number;
}

/** How many values are named before the rest is counted. */
const namedAtMost = 3;

export function describe(value: CellValue): Described {
  const [first, ...others] = value;
  if (first === undefined) {
    return { icon: '', kind: 'none', text: '' };
  }
  if (others.length > 0) {
    const text = value.map((grant) => grantText(grant, 2)).join(' | ');
    return { icon: 'layers', kind: 'several', text: t('{0} rules: {1}', value.length, text) };
  }
  const size = first === 'unclear' ? 0 : first.values.size;
  if (first === 'unclear' || size <= namedAtMost) {
    return { ...kindOf(first), text: grantText(first) };
  }
  const values = firstValues(first, namedAtMost);
  return { ...kindOf(first), text: isBlock(first) ? t('All but {0}', values) : values, count: size };
}

function kindOf(grant: Grant): Pick<Described, 'icon' | 'kind'> {
  if (grant === 'unclear') {
    return { icon: 'question', kind: 'unclear' };
  }
  if (isEverything(grant)) {
    return { icon: 'check-all', kind: 'everything' };
  }
  if (isNothing(grant)) {
    return { icon: 'circle-slash', kind: 'nothing' };
  }
  return isBlock(grant) ? { icon: 'exclude', kind: 'except' } : { icon: 'filter', kind: 'only' };
}

/** As cells are typed: values apart by semicolons. */
function grantText(grant: Grant, most = namedAtMost): string {
  if (grant === 'unclear') {
    return t('Not certain');
  }
  if (isEverything(grant)) {
    return t('All');
  }
  if (isNothing(grant)) {
    return t('Nothing');
  }
  const values = firstValues(grant, most);
  const more = grant.values.size - most;
  const list = more > 0 ? t('{0} and {1} more', values, more) : values;
  return isBlock(grant) ? t('All but {0}', list) : list;
}

const firstValues = ({ values }: ValueSet, most: number): string =>
  values.values().take(most).map(shortValue).toArray().join('; ');

/** A value as it can be read: an empty one or one of blanks in quotes, a very long one cut. */
const shortValue = (value: string): string => {
  const cut = value.length > 80 ? `${value.slice(0, 80)}…` : value;
  return cut.trim() === '' ? `“${cut}”` : cut;
};

/** The same without an icon beside it: a few values, and how many there are besides. */
export const shortText = (value: CellValue): string => value.map((grant) => grantText(grant)).join(' | ');

/** The same as a sentence goes on: "sees …". */
export function seesText(value: CellValue): string {
  if (value.length === 0) {
    return t('no rule');
  }
  return value.map((grant) => grantText(grant, 30)).join(' | ');
}

export function refusalText(reason: CellProblem | FixedReason): string {
  switch (reason) {
    case 'unclear':
      return t('It does not say whether everything or nothing is seen: write All or Nothing.');
    case 'members-required':
      return t('All but what? Name at least one value.');
    case 'exclusionary-live':
      return t(
        'This server shows no rules of live datamodels that hide values: list the values that are seen.',
      );
    case 'unreadable-party':
      return t('A rule of this cell names a party that cannot be read: change it in the JSON.');
    case 'no-id':
      return t('The server gave a rule of this cell no identifier: it can be neither changed nor deleted.');
  }
}
