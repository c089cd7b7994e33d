import { type Datamodel, getDatamodelType } from '../contract/datamodel.ts';
import { getPartyId } from '../contract/rule.ts';
import { defaultServer } from '../contract/terms.ts';
import type { KnownResources } from './instanceCatalog.ts';

/** A name or ID that documents of an instance reference. */
export interface ReferencedName {
  readonly value: string;
  readonly label?: string;
  /**
   * True if the position allows only an ID, as in a rule. Viewpoints reference groups by ID or by name (rest-api.md,
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
  /** The known datamodels themselves; titles that documents only reference are not included. */
  readonly datamodels: readonly {
    readonly title: string;
    readonly isLive: boolean;
    readonly server: string;
  }[];
}

/** Collects the names each time a property is read, because more documents may have been loaded. */
export class CatalogReferencedNames implements ReferencedNames {
  readonly #resources: KnownResources;

  constructor(resources: KnownResources) {
    this.#resources = resources;
  }

  get apps(): readonly ReferencedName[] {
    return uniqueByValue(this.#getVisibilityNames('apps'));
  }

  /** Groups of viewpoints and of rules; those of rules have a name next to their ID. */
  get groups(): readonly ReferencedName[] {
    return uniqueByValue([...this.#getRuleParties('group'), ...this.#getVisibilityNames('groups')]);
  }

  get users(): readonly ReferencedName[] {
    return uniqueByValue([...this.#getRuleParties('user'), ...this.#getVisibilityNames('users')]);
  }

  get datamodels(): ReferencedNames['datamodels'] {
    return this.#resources.datamodels.map((datamodel: Datamodel) => ({
      title: datamodel.title,
      isLive: getDatamodelType(datamodel) === 'live',
      server: datamodel.server ?? defaultServer,
    }));
  }

  #getVisibilityNames(list: 'apps' | 'groups' | 'users'): readonly ReferencedName[] {
    return this.#resources.viewpoints
      .flatMap(({ visibility }) => visibility?.[list] ?? [])
      .map((value) => ({ value }));
  }

  #getRuleParties(type: 'group' | 'user'): readonly ReferencedName[] {
    const shares = this.#resources.rules.flatMap(({ rules }) => rules).flatMap((rule) => rule.shares ?? []);
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
    const existing = byValue.get(name.value);
    if (existing?.label === undefined) {
      byValue.set(name.value, { ...existing, ...name });
    }
  }
  return [...byValue.values()].sort((a, b) => (a.label ?? a.value).localeCompare(b.label ?? b.value));
}
