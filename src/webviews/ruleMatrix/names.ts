import type { SeenParty } from '../protocol/access.ts';
import type { MatrixParty } from '../../security/matrix/ruleMatrix.ts';
import { t } from '../shared/t.ts';

/** What people call users and groups. */
export class Names {
  readonly #known: ReadonlyMap<string, SeenParty>;
  readonly #collator = new Intl.Collator(undefined, { numeric: true });

  constructor(known: ReadonlyMap<string, SeenParty> = new Map()) {
    this.#known = known;
  }

  /** A name that only repeats the identifier does not take the place of one that somebody told. */
  with(parties: readonly SeenParty[]): Names {
    const named = parties.map((party) => {
      const key = `${party.type}:${party.id}`;
      const known = party.name === party.id ? this.#known.get(key) : undefined;
      return [key, known === undefined ? party : { ...party, name: known.name }] as const;
    });
    return new Names(new Map([...this.#known, ...named]));
  }

  /** The groups of a user; `undefined` where nobody reports them. */
  groupsOf({ type, id = '' }: Pick<MatrixParty, 'type' | 'id'>): readonly string[] | undefined {
    return type === 'user' ? this.#known.get(`user:${id}`)?.groupIds : undefined;
  }

  get all(): readonly SeenParty[] {
    return [...this.#known.values()];
  }

  of({ type, id = '' }: Pick<MatrixParty, 'type' | 'id'>): string {
    return type === 'default' ? t('Everybody else') : (this.#known.get(`${type}:${id}`)?.name ?? id);
  }

  /** With the kind of party, as a sentence needs it. */
  full(party: Pick<MatrixParty, 'type' | 'id'>): string {
    switch (party.type) {
      case 'default':
        return t('everybody else');
      case 'user':
        return t('user {0}', this.of(party));
      case 'group':
        return t('group {0}', this.of(party));
    }
  }

  compare(a: MatrixParty, b: MatrixParty): number {
    return this.#collator.compare(this.of(a), this.of(b));
  }
}
