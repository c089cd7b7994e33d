import type { PageParty } from '../protocol/access.ts';
import type { MatrixParty } from '../../security/matrix/ruleMatrix.ts';
import { t } from '../shared/t.ts';

/** The known users and groups, with their display names. Immutable. */
export class PartyDirectory {
  readonly #parties: ReadonlyMap<string, PageParty>;
  readonly #collator = new Intl.Collator(undefined, { numeric: true });

  constructor(parties: ReadonlyMap<string, PageParty> = new Map()) {
    this.#parties = parties;
  }

  /**
   * Returns a directory with additional parties. If a party is known already, its groups are kept unless `parties` has
   * them, and its name is kept if the one in `parties` is only the ID.
   */
  withParties(parties: readonly PageParty[]): PartyDirectory {
    const entries = parties.map((party) => {
      const key = `${party.type}:${party.id}`;
      const { name = party.name, groupIds } = this.#parties.get(key) ?? {};
      return [
        key,
        {
          ...(groupIds === undefined ? {} : { groupIds }),
          ...party,
          ...(party.name === party.id ? { name } : {}),
        },
      ] as const;
    });
    return new PartyDirectory(new Map([...this.#parties, ...entries]));
  }

  /** The groups of a user; `undefined` if they are not reported. */
  getGroupIds({ type, id = '' }: Pick<MatrixParty, 'type' | 'id'>): readonly string[] | undefined {
    return type === 'user' ? this.#parties.get(`user:${id}`)?.groupIds : undefined;
  }

  get parties(): readonly PageParty[] {
    return [...this.#parties.values()];
  }

  getName({ type, id = '' }: Pick<MatrixParty, 'type' | 'id'>): string {
    return type === 'default' ? t('Everyone else') : (this.#parties.get(`${type}:${id}`)?.name ?? id);
  }

  /** Returns the name with the type of the party, for use within a sentence. */
  getNameWithType(party: Pick<MatrixParty, 'type' | 'id'>): string {
    switch (party.type) {
      case 'default':
        return t('everyone else');
      case 'user':
        return t('user {0}', this.getName(party));
      case 'group':
        return t('group {0}', this.getName(party));
    }
  }

  /** Returns the name with the type of the party, for the start of a sentence. */
  getTitle(party: Pick<MatrixParty, 'type' | 'id'>): string {
    switch (party.type) {
      case 'default':
        return t('Everyone else');
      case 'user':
        return t('User {0}', this.getName(party));
      case 'group':
        return t('Group {0}', this.getName(party));
    }
  }

  compare(a: MatrixParty, b: MatrixParty): number {
    return this.#collator.compare(this.getName(a), this.getName(b));
  }
}
