import { parsePartyNumber } from '../../security/numberedParty.ts';
import type { FormNames } from '../protocol/documentForm.ts';
import { t } from '../shared/t.ts';

/**
 * Returns the name of a user or group by its ID; `undefined` if the name isn't known. For a numbered party, returns a
 * text with its number.
 */
export function findPartyName(id: string, names: FormNames): string | undefined {
  const number = parsePartyNumber(id);
  return number === undefined
    ? Object.hasOwn(names, id)
      ? names[id]
      : undefined
    : t('number {0} in the lock file', number);
}
