import * as z from 'zod';
import { type JsonObject, stringify } from '../base/json.ts';
import type { Disposable } from '../base/disposable.ts';
import { getTextMember } from './documents.ts';
import { CustomDataStore } from './store/customDataStore.ts';
import { DatamodelStore } from './store/datamodelStore.ts';
import { Database, type Statement } from './store/database.ts';
import { DatasetStore } from './store/datasetStore.ts';
import { PeopleStore } from './store/peopleStore.ts';
import { RelationStore } from './store/relationStore.ts';
import { RuleStore } from './store/ruleStore.ts';
import { TableStore } from './store/tableStore.ts';
import { ViewpointStore } from './store/viewpointStore.ts';
import type { Seed, SeedTarget } from './seeds/seed.ts';
import { builtInUsers } from './seeds/seed.ts';
import { addPartyNames } from './models/ruleDocument.ts';

/**
 * The state of one sandbox in one SQLite file. Documents are stored as JSON text, which preserves all digits of numbers
 * and fields that the sandbox does not know.
 */
export class Store implements Disposable {
  readonly datamodels: DatamodelStore;
  readonly datasets: DatasetStore;
  readonly tables: TableStore;
  readonly relations: RelationStore;
  readonly rules: RuleStore;
  readonly viewpoints: ViewpointStore;
  readonly customData: CustomDataStore;
  readonly people: PeopleStore;
  readonly #database: Database;
  readonly #getMeta: Statement;
  readonly #setMeta: Statement;

  /**
   * @param file path of the SQLite file, or `:memory:`.
   * @throws DatabaseVersionError, or SQLite's error when the file is not a database.
   */
  constructor(file: string) {
    this.#database = new Database(file);
    this.tables = new TableStore(this.#database);
    this.relations = new RelationStore(this.#database);
    this.datasets = new DatasetStore(this.#database, this.tables);
    this.datamodels = new DatamodelStore(this.#database, this.datasets, this.relations);
    this.rules = new RuleStore(this.#database);
    this.viewpoints = new ViewpointStore(this.#database);
    this.customData = new CustomDataStore(this.#database);
    this.people = new PeopleStore(this.#database);
    this.#getMeta = this.#database.prepare('SELECT value FROM meta WHERE name = ?');
    this.#setMeta = this.#database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)');
  }

  /** Runs the callback as one transaction: all of its writes are stored, or none. */
  transaction<T>(work: () => T): T {
    return this.#database.transaction(work);
  }

  /** The name of the seed that filled this store; `undefined` if none did. */
  get seedName(): string | undefined {
    return this.#getMeta.getRow('seed')?.['value'];
  }

  /** The oids of the datamodels that the seed inserted. */
  get seedModelOids(): readonly string[] {
    const text = this.#getMeta.getRow('seedModels')?.['value'];
    return text === undefined ? [] : z.array(z.string()).parse(JSON.parse(text));
  }

  /**
   * Fills the store, unless a seed already did (decisions.md, "Sandbox": a seed applies to an empty folder only).
   * @returns true if the seed was applied.
   */
  seed(seed: Seed, folder: string): boolean {
    if (this.seedName !== undefined) {
      return false;
    }
    this.transaction(() => {
      this.people.insertUser(builtInUsers.administrator);
      this.people.insertUser(builtInUsers.user);
      const modelOids: string[] = [];
      seed.apply(this.#createSeedTarget(modelOids), folder);
      this.#addAllPartyNames();
      this.#setMeta.run('seed', seed.name);
      this.#setMeta.run('seedModels', stringify(modelOids));
    });
    return true;
  }

  dispose(): void {
    this.#database.dispose();
  }

  /** @param modelOids receives the oid of each datamodel that is inserted */
  #createSeedTarget(modelOids: string[]): SeedTarget {
    return {
      insertDatamodel: (datamodel) => {
        this.datamodels.insert(datamodel);
        modelOids.push(getTextMember(datamodel, 'oid'));
      },
      insertExtractRule: (rule) => this.rules.insert('extract', rule),
      insertLiveRule: (rule) => this.rules.insert('live', rule),
      insertViewpoint: (viewpoint) => this.viewpoints.write(viewpoint),
      insertCustomData: (object) => this.customData.insert(object),
      insertUser: (user) => this.people.insertUser(user),
      insertGroup: (group) => this.people.insertGroup(group),
    };
  }

  /** Adds party names to the rules of a seed, which may be inserted before the users and groups that they name. */
  #addAllPartyNames(): void {
    for (const { kind, rule } of this.rules.getAll()) {
      const ruleWithNames: JsonObject = addPartyNames(rule, this.people);
      if (stringify(ruleWithNames) !== stringify(rule)) {
        this.rules.update(kind, ruleWithNames);
      }
    }
  }
}
