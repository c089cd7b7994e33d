import { plainText } from '../../platform/serverText.ts';
import { readShares } from '../../security/copy/namedShares.ts';

/** A user as people choose one. */
export interface UserChoice {
  readonly label: string;
  readonly description: string;
  readonly id: string;
}

/** The users that rules name, each once. What the server calls them is text, never an icon. */
export const userChoices = (rules: readonly unknown[]): readonly UserChoice[] =>
  readShares(rules)
    .filter(({ type }) => type === 'user')
    .map(({ id, name }) => ({ label: plainText(name), description: plainText(id), id }));
