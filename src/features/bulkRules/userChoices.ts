import { toPlainText } from '../../platform/serverText.ts';
import { readNamedShares } from '../../security/copy/namedShares.ts';

/** A user as people choose one. */
export interface UserChoice {
  readonly label: string;
  readonly description: string;
  readonly id: string;
}

/** The users that rules name, each once. What the server calls them is text, never an icon. */
export const getUserChoices = (rules: readonly unknown[]): readonly UserChoice[] =>
  readNamedShares(rules)
    .filter(({ type }) => type === 'user')
    .map(({ id, name }) => ({ label: toPlainText(name), description: toPlainText(id), id }));
