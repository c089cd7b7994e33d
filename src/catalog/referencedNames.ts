import { type Datamodel, getDatamodelType } from '../contract/datamodel.ts';
import { getPartyId } from '../contract/rule.ts';
import type { KnownResources } from './instanceCatalog.ts';

/** A name or ID that documents of an instance reference. */
export interface ReferencedName {
  readonly value: string;
  readonly label?: string;
  /**
   * True if the position allows only an ID: in a rule. Viewpoints reference groups in both ways (rest-api.md,
   * "ViewpointVisibility").
   */
  readonly isId?: true;
}

/**
 * The names that the loaded documents of an instance reference; the platform does not list them (rest-api.md, "What is
 * not described").
 */
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

/** Collects the references on first use. */
export class CatalogReferencedNames implements ReferencedNames {
  readonly #known: KnownResources;

  constructor(known: KnownResources) {
    this.#known = known;
  }

  get apps(): readonly ReferencedName[] {
    return uniqueByValue(this.#shared('apps'));
  }

  /** Groups of viewpoints and of rules; those of rules have a name next to their ID. */
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

/** Removes duplicates, preferring entries with a label, and sorts by label or value. */
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
