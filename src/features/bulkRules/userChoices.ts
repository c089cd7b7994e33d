import { toPlainText } from '../../platform/serverText.ts';
import { readNamedShares } from '../../security/copy/namedShares.ts';

/** A user in the list to choose from. */
export interface UserChoice {
  readonly label: string;
  readonly description: string;
  readonly id: string;
}

/** Returns the users that rules name, each once. The server's names are text, never an icon. */
export const getUserChoices = (rules: readonly unknown[]): readonly UserChoice[] =>
  readNamedShares(rules)
    .filter(({ type }) => type === 'user')
    .map(({ id, name }) => ({ label: toPlainText(name), description: toPlainText(id), id }));
