import type { PlatformClient } from '../../client/platformClient.ts';
import type { InstanceCatalog } from '../../catalog/instanceCatalog.ts';
import type { UserDirectory } from '../../catalog/people/userDirectory.ts';
import { type RuleSubject, getRuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import { loadCompleteList } from '../../catalog/loadCompleteList.ts';
import { mergeNames } from '../../catalog/namedDatamodels.ts';
import { type Datamodel, getDatamodelType } from '../../contract/datamodel.ts';
import type { Rule } from '../../contract/rule.ts';
import type { Viewpoint } from '../../contract/viewpoint.ts';
import type { Catalog } from '../../sql/language.ts';
import type { DatamodelBefore } from '../model/formerNames.ts';
import { loadViewpointsIfSupported } from '../model/loadViewpointsIfSupported.ts';

/** The users and groups of an instance, and their known memberships. */
export type KnownUsersAndGroups = Pick<UserDirectory, 'resolve' | 'getMembership' | 'getGroupSets'>;

/** Loads the data that a plan needs beyond the documents of the operation; called only if needed. */
export interface PlanSources {
  /** Returns the cached datamodel, possibly without datasets. */
  getKnownDatamodel(datamodelId: string): Datamodel | undefined;
  /** Loads the datamodel with its datasets, tables and relations. */
  loadDatamodel(datamodelId: string): Promise<Datamodel>;
  loadRules(subject: RuleSubject): Promise<readonly Rule[]>;
  /**
   * Loads the datamodel that rules apply to, with its names: `unknown` for a cube set, `unreadable` if the datamodel
   * can't be read.
   */
  loadTables(subject: RuleSubject): Promise<DatamodelBefore | 'unknown' | 'unreadable'>;
  /** Returns the cube sets that the user has entered: no endpoint lists them (decisions.md, "REST client"). */
  getCubeSets(): readonly RuleSubject[];
  /**
   * Loads the tables and columns that the rules of cube sets may be on: those of all extract datamodels except
   * `omittedIds`. Complete only if all of these datamodels could be read.
   */
  loadCubeSetTables(
    omittedIds: ReadonlySet<string>,
  ): Promise<{ readonly datamodels: readonly DatamodelBefore[]; readonly catalog: Catalog }>;
  /** Loads all viewpoints with their details. */
  loadViewpoints(): Promise<readonly Viewpoint[]>;
  /** Loads the known users and groups; `undefined` if none are known. */
  loadUsersAndGroups(): Promise<KnownUsersAndGroups | undefined>;
}

/** The requested page size; the server may return fewer. */
const pageSize = 500;

/**
 * Loads the current data for plans from the server, not from the cache: what another user has added since may break
 * too. Viewpoints are loaded with their details, since lists contain no columns.
 */
export class CatalogPlanSources implements PlanSources {
  readonly #cachedCatalog: InstanceCatalog;
  readonly #freshCatalog: InstanceCatalog;
  readonly #client: PlatformClient;
  readonly #cubeSets: readonly RuleSubject[];
  readonly #loadUsersAndGroups: PlanSources['loadUsersAndGroups'];

  constructor(
    { catalog, client }: { readonly catalog: InstanceCatalog; readonly client: PlatformClient },
    known: {
      readonly cubeSets: readonly RuleSubject[];
      readonly loadUsersAndGroups: PlanSources['loadUsersAndGroups'];
    },
  ) {
    this.#cachedCatalog = catalog;
    this.#freshCatalog = catalog.createEmptyCopy();
    this.#client = client;
    this.#cubeSets = known.cubeSets;
    this.#loadUsersAndGroups = known.loadUsersAndGroups;
  }

  getKnownDatamodel(datamodelId: string): Datamodel | undefined {
    return this.#cachedCatalog.getKnownDatamodel(datamodelId);
  }

  /** Loads the datamodel with its datasets, tables and relations. */
  async loadDatamodel(datamodelId: string): Promise<Datamodel> {
    const model = await this.#freshCatalog.datamodel(datamodelId);
    const [datasets, relations] = [
      await this.#freshCatalog.datasets(datamodelId),
      await this.#freshCatalog.relations(datamodelId),
    ];
    const withTables = datasets.map(async (dataset) => ({
      ...dataset,
      schema: { ...dataset.schema, tables: [...(await this.#freshCatalog.tables(datamodelId, dataset.oid))] },
    }));
    return { ...model, datasets: await Promise.all(withTables), relations: [...relations] };
  }

  loadRules(subject: RuleSubject): Promise<readonly Rule[]> {
    return this.#freshCatalog.rules(subject);
  }

  /** Uses the cached catalog, since it only shows which other tables a changed rule affects. */
  async loadTables(subject: RuleSubject): ReturnType<PlanSources['loadTables']> {
    const { datamodels, isComplete } = await this.#cachedCatalog.namedDatamodels.getAll((model) =>
      isSameSubject(getRuleSubject(model), subject),
    );
    return datamodels[0] ?? (isComplete ? 'unknown' : 'unreadable');
  }

  getCubeSets(): readonly RuleSubject[] {
    return this.#cubeSets;
  }

  /** Uses the cached catalog, as {@link loadTables} does. */
  async loadCubeSetTables(omittedIds: ReadonlySet<string>): ReturnType<PlanSources['loadCubeSetTables']> {
    const { datamodels, isComplete } = await this.#cachedCatalog.namedDatamodels.getAll(
      (model) => getDatamodelType(model) !== 'live' && !omittedIds.has(model.oid),
    );
    const names = mergeNames(datamodels);
    return { datamodels, catalog: { ...names, complete: names.complete && isComplete } };
  }

  loadUsersAndGroups(): Promise<KnownUsersAndGroups | undefined> {
    return this.#loadUsersAndGroups();
  }

  /**
   * Loads all viewpoints with their details; empty if the instance doesn't offer them (rest-api.md, "Versioning").
   */
  async loadViewpoints(): Promise<readonly Viewpoint[]> {
    return loadViewpointsIfSupported(() => this.#loadAllViewpoints());
  }

  #loadAllViewpoints(): Promise<readonly Viewpoint[]> {
    return loadCompleteList({
      loadPage: async (offset) => {
        const query = { with: 'details', offset, limit: pageSize } as const;
        const { viewpoints: items, total } = (await this.#client.viewpoints.list(query)).value;
        return { items, total };
      },
      getId: ({ id }) => id,
    });
  }
}
