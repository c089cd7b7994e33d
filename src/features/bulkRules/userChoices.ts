import { toPlainText } from '../../platform/serverText.ts';
import { readNamedShares } from '../../security/copy/namedShares.ts';

/** A quick pick item for a user. */
export interface UserChoice {
  readonly label: string;
  readonly description: string;
  readonly id: string;
}

/** Returns an item for each user that the rules name. Names from the server must not be rendered as icons. */
export const getUserChoices = (rules: readonly unknown[]): readonly UserChoice[] =>
  readNamedShares(rules)
    .filter(({ type }) => type === 'user')
    .map(({ id, name }) => ({ label: toPlainText(name), description: toPlainText(id), id }));
