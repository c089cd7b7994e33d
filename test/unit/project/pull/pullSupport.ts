import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  parseLossless,
  stringify,
} from '../../../../src/base/json.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { type InstanceDocuments, convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { formatItemKey } from '../../../../src/project/item.ts';
import { emptyLock, formatLock, type Lock } from '../../../../src/project/pull/lock.ts';
import { planPull, type PullInput, type PullPlan } from '../../../../src/project/pull/planPull.ts';
import { expectDefined } from '../../../support/expectations.ts';

/** A project in memory that pulls from an instance. */
export class PulledProject {
  texts: Map<string, string>;
  lock: Lock;

  constructor(texts: ReadonlyMap<string, string> = new Map(), lock: Lock = emptyLock) {
    this.texts = new Map(texts);
    this.lock = lock;
  }

  get lockText(): string {
    return formatLock(this.lock);
  }

  /** Plans a pull, writes its files, and returns the plan. */
  pull(
    documents: Partial<InstanceDocuments>,
    options: Partial<
      Pick<
        PullInput,
        'isUnknownOnInstance' | 'prunedKinds' | 'getWinner' | 'isSelected' | 'otherLocks' | 'unsavedPaths'
      >
    > = {},
  ): PullPlan {
    const plan = planPull({
      project: parseProject({ texts: this.texts, faults: [] }),
      lock: this.lock,
      pulled: convertInstance({
        datamodels: [],
        cubeSets: [],
        viewpoints: [],
        customData: [],
        users: [],
        groups: [],
        numberedReferences: this.lock.numberedReferences,
        ...documents,
      }),
      isUnknownOnInstance: () => false,
      ...options,
    });
    for (const { path, text, previousText } of plan.writes) {
      if (this.texts.get(path) !== previousText) {
        throw new Error(`${path} is not as planned`);
      }
      this.texts.set(path, text);
    }
    plan.deletions.forEach(({ path }) => this.texts.delete(path));
    this.lock = plan.lock;
    return plan;
  }

  /** Returns a project with the same files and the same lock. */
  copy(): PulledProject {
    return new PulledProject(this.texts, this.lock);
  }

  /** Replaces a part of the text of a file. */
  edit(path: string, from: string, to: string): void {
    const text = expectDefined(this.texts.get(path), path);
    if (!text.includes(from)) {
      throw new Error(`${path} has no ${from}`);
    }
    this.texts.set(path, text.replace(from, to));
  }

  get problems(): readonly string[] {
    return parseProject({ texts: this.texts, faults: [] }).problems.map(
      ({ path, code }) => `${code} ${path}`,
    );
  }
}

/** Formats a pull plan in short lines. */
export const summarize = ({
  writes,
  deletions,
  deletedOnInstance,
  conflicts,
  skippedItems,
  renames,
}: PullPlan) => ({
  writes: writes.map(({ path }) => path),
  deletions: deletions.map(({ path }) => path),
  deletedOnInstance: deletedOnInstance.map(formatItemKey),
  conflicts: conflicts.map(
    ({ key, reason, pointers }) => `${reason} ${formatItemKey(key)} ${pointers.join(' ')}`,
  ),
  skipped: skippedItems.map(formatItemKey),
  renames: renames.map(({ from, to }) => `${formatItemKey(from)} -> ${formatItemKey(to)}`),
});

/** Formats what a pull leaves out in short lines. */
export const listLeftOut = ({ leftOutItems }: PullPlan): readonly string[] =>
  leftOutItems.map(({ key, reason, columns }) => [reason, formatItemKey(key), ...columns].join(' '));

export const nothing = {
  writes: [],
  deletions: [],
  deletedOnInstance: [],
  conflicts: [],
  skipped: [],
  renames: [],
};

export const retailTitle = 'Retail';

/** A datamodel with two tables, a relation, and SQL. */
export const retail = {
  oid: '10000000-0000-0000-0000-000000000000',
  title: retailTitle,
  type: 'extract',
  datasets: [
    {
      oid: '20000000-0000-0000-0000-000000000000',
      name: 'Sales',
      schema: {
        tables: [
          {
            oid: '30000000-0000-0000-0000-000000000000',
            name: 'Customers',
            description: 'People',
            columns: [
              { oid: '30000000-0000-0000-0000-000000000001', name: 'Id', type: 8 },
              { oid: '30000000-0000-0000-0000-000000000002', name: 'Region', type: 18 },
              {
                oid: '30000000-0000-0000-0000-000000000003',
                name: 'Full Name',
                isCustom: true,
                expression: 'First\n+ Last',
              },
            ],
          },
          {
            oid: '40000000-0000-0000-0000-000000000000',
            name: 'Top',
            type: 'custom',
            expression: 'SELECT 1',
            columns: [{ oid: '40000000-0000-0000-0000-000000000001', name: 'Id', type: 8 }],
          },
        ],
      },
    },
  ],
  relations: [
    {
      oid: '50000000-0000-0000-0000-000000000000',
      columns: [
        { column: '30000000-0000-0000-0000-000000000001' },
        { column: '40000000-0000-0000-0000-000000000001' },
      ],
    },
  ],
} as const satisfies JsonObject;

export const rule: JsonObject = { table: 'Customers', column: 'Region', members: ['North'], shares: [] };

/** Returns the documents of an instance with the datamodel, changed by a replacement in its JSON. */
export function createRetailDocuments(
  replacements: readonly (readonly [from: string, to: string])[] = [],
  rules: readonly JsonObject[] = [rule],
): Partial<InstanceDocuments> {
  const text = replacements.reduce((current, [from, to]) => {
    if (!current.includes(from)) {
      throw new Error(`The datamodel has no ${from}`);
    }
    return current.replace(from, to);
  }, stringify(retail));
  const document: JsonValue = parseLossless(text);
  return { datamodels: [{ document: isJsonObject(document) ? document : {}, rules }] };
}

export const paths = {
  retail: 'datamodels/Retail/Retail.datamodel.json',
  customers: 'datamodels/Retail/tables/Customers.table.json',
  fullName: 'datamodels/Retail/tables/Customers/Full Name.datamodel.sql',
  top: 'datamodels/Retail/tables/Top.table.json',
  topSql: 'datamodels/Retail/tables/Top.datamodel.sql',
  region: 'datamodels/Retail/rules/Customers.Region.rules.json',
} as const;
