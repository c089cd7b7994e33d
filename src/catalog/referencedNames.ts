import { type Datamodel, getDatamodelType } from '../contract/datamodel.ts';
import { getPartyId } from '../contract/rule.ts';
import type { KnownResources } from './instanceCatalog.ts';

/** Somebody or something that documents of an instance name. */
export interface ReferencedName {
  readonly value: string;
  readonly label?: string;
  /** It stands where only an identifier can: in a rule. Viewpoints name groups in both ways (spec). */
  readonly isId?: true;
}

/** What documents of an instance name, as far as they are known; there is no list of it (spec). */
export interface ReferencedNames {
  readonly apps: readonly ReferencedName[];
  readonly groups: readonly ReferencedName[];
  readonly users: readonly ReferencedName[];
  readonly datamodels: readonly {
    readonly title: string;
    readonly isLive: boolean;
    readonly server: string;
  }[];
  members(table: string, column: string): readonly string[];
}

/** Collects the names when they are first asked for. */
export class CatalogReferencedNames implements ReferencedNames {
  readonly #known: KnownResources;

  constructor(known: KnownResources) {
    this.#known = known;
  }

  get apps(): readonly ReferencedName[] {
    return uniqueByValue(this.#shared('apps'));
  }

  /** Groups of viewpoints and of rules; those of rules have a name beside their id. */
  get groups(): readonly ReferencedName[] {
    return uniqueByValue([...this.#parties('group'), ...this.#shared('groups')]);
  }

  get users(): readonly ReferencedName[] {
    return uniqueByValue([...this.#parties('user'), ...this.#shared('users')]);
  }

  get datamodels(): ReferencedNames['datamodels'] {
    return this.#known.datamodels.map((datamodel: Datamodel) => ({
      title: datamodel.title,
      isLive: getDatamodelType(datamodel) === 'live',
      server: datamodel.server ?? 'LocalHost',
    }));
  }

  members(table: string, column: string): readonly string[] {
    const rules = this.#known.rules.flatMap(({ rules: all }) => all);
    const values = rules
      .filter((rule) => rule.table === table && rule.column === column)
      .flatMap(({ members }) => members ?? []);
    return [...new Set(values.map(String))].sort();
  }

  #shared(list: 'apps' | 'groups' | 'users'): readonly ReferencedName[] {
    return this.#known.viewpoints
      .flatMap(({ visibility }) => visibility?.[list] ?? [])
      .map((value) => ({ value }));
  }

  #parties(type: 'group' | 'user'): readonly ReferencedName[] {
    const shares = this.#known.rules.flatMap(({ rules }) => rules).flatMap((rule) => rule.shares ?? []);
    return shares.flatMap((share) => {
      const value = share.type === type ? getPartyId(share) : undefined;
      return value === undefined
        ? []
        : [{ value, isId: true, ...(share.partyName ? { label: share.partyName } : {}) }];
    });
  }
}

/** Each once, those that have a name with it, by what a person reads. */
function uniqueByValue(names: readonly ReferencedName[]): readonly ReferencedName[] {
  const byValue = new Map<string, ReferencedName>();
  for (const name of names) {
    const known = byValue.get(name.value);
    if (known?.label === undefined) {
      byValue.set(name.value, { ...known, ...name });
    }
  }
  return [...byValue.values()].sort((a, b) => (a.label ?? a.value).localeCompare(b.label ?? b.value));
}
