import type { PlatformClient } from '../../client/platformClient.ts';
import type { InstanceCatalog } from '../../catalog/instanceCatalog.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { loadCompleteList } from '../../catalog/loadCompleteList.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import type { Rule } from '../../contract/rule.ts';
import type { Viewpoint } from '../../contract/viewpoint.ts';
import type { PlanSources } from './planOperation.ts';
import { loadViewpointsIfOffered } from '../model/loadViewpointsIfOffered.ts';

/** The requested page size; the server may return fewer. */
const pageSize = 500;

/**
 * Loads the current data for plans from the server, not from the cache: what another user has added since may break
 * too. Viewpoints are loaded with their details, since lists contain no columns.
 */
export class CatalogPlanSources implements PlanSources {
  readonly #known: InstanceCatalog;
  readonly #catalog: InstanceCatalog;
  readonly #client: PlatformClient;
  readonly #cubeSets: readonly RuleSubject[];

  constructor(catalog: InstanceCatalog, client: PlatformClient, cubeSets: readonly RuleSubject[]) {
    this.#known = catalog;
    this.#catalog = catalog.fresh();
    this.#client = client;
    this.#cubeSets = cubeSets;
  }

  knownDatamodel(datamodelId: string): Datamodel | undefined {
    return this.#known.knownDatamodel(datamodelId);
  }

  /** Loads the datamodel with its datasets, tables and relations. */
  async datamodel(datamodelId: string): Promise<Datamodel> {
    const model = await this.#catalog.datamodel(datamodelId);
    const [datasets, relations] = [
      await this.#catalog.datasets(datamodelId),
      await this.#catalog.relations(datamodelId),
    ];
    const whole = datasets.map(async (dataset) => ({
      ...dataset,
      schema: { ...dataset.schema, tables: [...(await this.#catalog.tables(datamodelId, dataset.oid))] },
    }));
    return { ...model, datasets: await Promise.all(whole), relations: [...relations] };
  }

  rules(subject: RuleSubject): Promise<readonly Rule[]> {
    return this.#catalog.rules(subject);
  }

  cubeSets(): readonly RuleSubject[] {
    return this.#cubeSets;
  }

  /**
   * Loads all viewpoints with their details; empty if the instance doesn't offer them (rest-api.md, "Versioning").
   */
  async viewpoints(): Promise<readonly Viewpoint[]> {
    return loadViewpointsIfOffered(() => this.#allViewpoints());
  }

  #allViewpoints(): Promise<readonly Viewpoint[]> {
    return loadCompleteList({
      page: async (offset) => {
        const query = { with: 'details', offset, limit: pageSize } as const;
        const { viewpoints: items, total } = (await this.#client.viewpoints.list(query)).value;
        return { items, total };
      },
      getId: ({ id }) => id,
    });
  }
}
