import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonObject, isJsonObject, parseLossless, stringify } from '../../../../src/base/json.ts';
import { getColumnsByName } from '../../../../src/project/compare/normalizeContent.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import type { InstanceDocuments } from '../../../../src/project/instance/convertInstance.ts';
import { emptyLock } from '../../../../src/project/pull/lock.ts';
import { PulledProject } from './pullSupport.ts';

interface Column {
  readonly oid: string;
  name: string;
  hidden?: boolean;
}

interface Table {
  readonly oid: string;
  name: string;
  description: string;
  columns: Column[];
}

interface Rule {
  table: string;
  column: string;
  members: readonly string[];
  readonly shares: readonly JsonObject[];
}

/** An instance whose tables, columns, and rules change. */
class Instance {
  tables: Table[] = ['A', 'B'].map((name) => ({
    oid: `table ${name}`,
    name,
    description: 'Seen',
    columns: ['x', 'y', 'z'].map((column) => ({ oid: `column ${name}.${column}`, name: column })),
  }));
  rules: Rule[] = [
    ['A', 'x'],
    ['A', 'y'],
    ['B', 'x'],
  ].map(([table = '', column = '']) => ({ table, column, members: ['1'], shares: [] }));

  get documents(): Partial<InstanceDocuments> {
    const document = parseLossless(
      stringify({
        oid: 'datamodel',
        title: 'M',
        type: 'extract',
        datasets: [
          {
            oid: 'dataset',
            name: 'S',
            schema: {
              tables: this.tables.map((table) => ({
                ...table,
                columns: table.columns.map((column) => ({ ...column, type: 8 })),
              })),
            },
          },
        ],
        relations: [],
      }),
    );
    return {
      datamodels: [
        {
          document: isJsonObject(document) ? document : {},
          rules: this.rules.map((rule) => ({ ...rule })),
        },
      ],
    };
  }

  hasRules(table: string, column: string): boolean {
    return this.rules.some((rule) => rule.table === table && rule.column === column);
  }

  /** Returns whether there are rules on a column, whatever its name is. */
  restricts(oid: string): boolean {
    return this.tables.some(({ name, columns }) =>
      columns.some((column) => column.oid === oid && this.hasRules(name, column.name)),
    );
  }

  findTable(name: string): Table | undefined {
    return this.tables.find((table) => table.name === name);
  }

  addRule(table: string, column: string, type?: string): void {
    this.rules.push({
      table,
      column,
      members: ['1'],
      shares: type === undefined ? [] : [{ type, party: 'r' }],
    });
  }

  moveRules(from: Pick<Rule, 'table'> & Partial<Rule>, to: Partial<Rule>): void {
    this.rules
      .filter(({ table, column }) => table === from.table && (from.column ?? column) === column)
      .forEach((rule) => Object.assign(rule, to));
  }
}

const tableChanges = {
  rename: (_instance: Instance, table: Table) => {
    table.name += 'N';
  },
  renameWithRules: (instance: Instance, table: Table) => {
    instance.moveRules({ table: table.name }, { table: `${table.name}N` });
    table.name += 'N';
  },
  change: (_instance: Instance, table: Table) => {
    table.description = 'Theirs';
  },
  delete: (instance: Instance, table: Table) => {
    instance.tables = instance.tables.filter((other) => other !== table);
  },
  addColumn: (_instance: Instance, table: Table) => {
    table.columns.push({ oid: `new ${table.columns.length}`, name: `n${table.columns.length}` });
  },
  addTable: (instance: Instance) => {
    const name = `T${instance.tables.length}`;
    instance.tables.push({ oid: name, name, description: 'New', columns: [{ oid: `${name}.q`, name: 'q' }] });
    instance.addRule(name, 'q');
  },
};

const columnChanges = {
  renameColumn: (_instance: Instance, _table: Table, column: Column) => {
    column.name += 'N';
  },
  renameColumnWithRules: (instance: Instance, { name: table }: Table, column: Column) => {
    instance.moveRules({ table, column: column.name }, { column: `${column.name}N` });
    column.name += 'N';
  },
  hideColumn: (_instance: Instance, _table: Table, column: Column) => {
    column.hidden = true;
  },
  deleteColumn: (_instance: Instance, table: Table, column: Column) => {
    table.columns = table.columns.filter((other) => other !== column);
  },
  takeFormerName: (_instance: Instance, table: Table, column: Column) => {
    table.columns.push({ oid: `other ${table.columns.length}`, name: column.name });
    column.name += 'N';
  },
  addRule: (instance: Instance, table: Table, column: Column) => {
    instance.addRule(table.name, column.name);
  },
  addPartyRule: (instance: Instance, table: Table, column: Column) => {
    instance.addRule(table.name, column.name, 'role');
  },
  changeRules: (instance: Instance, { name: table }: Table, column: Column) => {
    instance.moveRules({ table, column: column.name }, { members: ['7'] });
  },
  deleteRules: (instance: Instance, table: Table, column: Column) => {
    instance.rules = instance.rules.filter(
      (rule) => rule.table !== table.name || rule.column !== column.name,
    );
  },
};

const getTablePath = (table: string): string => `datamodels/M/tables/${table}.table.json`;
const getRulesPath = (table: string, column: string): string =>
  `datamodels/M/rules/${table}.${column}.rules.json`;

interface TableFile {
  description: string;
  columns: { name: string; renamedFrom?: string }[];
}

function editTable(project: PulledProject, table: string, edit: (file: TableFile) => void): void {
  const text = project.texts.get(getTablePath(table));
  if (text !== undefined) {
    const file = JSON.parse(text) as TableFile;
    edit(file);
    project.texts.set(getTablePath(table), JSON.stringify(file));
  }
}

/** What somebody does in the project before the pull. */
const projectChanges = {
  deleteColumn: (project: PulledProject, table: string, column: string) => {
    editTable(project, table, (file) => {
      file.columns = file.columns.filter(({ name }) => name !== column);
    });
  },
  deleteColumnWithRules: (project: PulledProject, table: string, column: string) => {
    projectChanges.deleteColumn(project, table, column);
    project.texts.delete(getRulesPath(table, column));
  },
  deleteRules: (project: PulledProject, table: string, column: string) => {
    project.texts.delete(getRulesPath(table, column));
  },
  deleteTable: (project: PulledProject, table: string) => {
    project.texts.delete(getTablePath(table));
  },
  deleteTableWithRules: (project: PulledProject, table: string) => {
    project.texts.delete(getTablePath(table));
    ['x', 'y'].forEach((column) => project.texts.delete(getRulesPath(table, column)));
  },
  changeTable: (project: PulledProject, table: string) => {
    editTable(project, table, (file) => {
      file.description = 'Ours';
    });
  },
  writeRules: (project: PulledProject, table: string, column: string) => {
    const rule = { table, column, members: ['9'], allMembers: null, shares: [] };
    project.texts.set(getRulesPath(table, column), JSON.stringify([rule]));
  },
  renameColumn: (project: PulledProject, table: string, column: string) => {
    editTable(project, table, (file) => {
      file.columns
        .filter(({ name }) => name === column)
        .forEach((object) => Object.assign(object, { name: `${column}2`, renamedFrom: column }));
    });
    const path = getRulesPath(table, column);
    const text = project.texts.get(path);
    if (text !== undefined) {
      project.texts.set(path, text.replace(`"${column}"`, `"${column}2"`));
    }
  },
};

type ProjectChange = keyof typeof projectChanges;
type InstanceChange = keyof typeof tableChanges | keyof typeof columnChanges;

const pick = <Value>(list: readonly Value[], index: number): Value | undefined => list[index % list.length];

function changeInstance(
  instance: Instance,
  name: InstanceChange,
  tableIndex: number,
  columnIndex: number,
): void {
  const table = pick(instance.tables, tableIndex);
  const column = pick(table?.columns ?? [], columnIndex);
  if (table !== undefined && name in tableChanges) {
    tableChanges[name as keyof typeof tableChanges](instance, table);
  } else if (table !== undefined && column !== undefined) {
    columnChanges[name as keyof typeof columnChanges](instance, table, column);
  }
}

/** The columns of a project by the path of their table, and the names of the columns with rules. */
function readColumns({ texts }: PulledProject) {
  const { items } = parseProject({ texts, faults: [] });
  return {
    tables: new Map(
      items.flatMap(({ key, path, content }) =>
        key.kind === 'table'
          ? [[path, { name: key.table, columns: new Set(getColumnsByName(content).keys()) }] as const]
          : [],
      ),
    ),
    rules: new Set(items.flatMap(({ key }) => (key.kind === 'rules' ? [`${key.table}.${key.column}`] : []))),
  };
}

type Columns = ReturnType<typeof readColumns>;

/** Finds the columns that a pull has brought in, or left behind, without rules although the instance may have some. */
function findUnprotected(
  before: Columns,
  after: Columns,
  { instance, areRulesUnread }: { readonly instance: Instance; readonly areRulesUnread: boolean },
): readonly string[] {
  return [...after.tables].flatMap(([path, { name: table, columns }]) => {
    const former = before.tables.get(path);
    return [...columns].flatMap((column) => {
      const oid = instance.findTable(table)?.columns.find(({ name }) => name === column)?.oid;
      const formerName = /^column .\.(.)$/.exec(oid ?? '')?.[1] ?? '';
      const isRenamed = former?.columns.has(formerName) === true && !columns.has(formerName);
      const isKept = former?.name === table && former.columns.has(column);
      const isProtected =
        after.rules.has(`${table}.${column}`) ||
        (isKept
          ? !before.rules.has(`${table}.${column}`) || !instance.restricts(`column ${table}.${column}`)
          : oid === undefined ||
            former?.columns.has(column) === true ||
            !(areRulesUnread || instance.hasRules(table, column)) ||
            // The project had the column without rules before.
            (isRenamed && !before.rules.has(`${former.name}.${formerName}`)));
      return isProtected ? [] : [`${table}.${column}`];
    });
  });
}

const index = fc.nat({ max: 5 });

test('no column gets into a project without the rules that restrict it on the instance, and a second pull changes nothing', () => {
  fc.assert(
    fc.property(
      fc.record({
        ours: fc.array(
          fc.tuple(
            fc.constantFrom(...(Object.keys(projectChanges) as ProjectChange[])),
            fc.constantFrom('A', 'B'),
            fc.constantFrom('x', 'y', 'z'),
          ),
          { maxLength: 3 },
        ),
        theirs: fc.array(
          fc.tuple(
            fc.constantFrom(
              ...([...Object.keys(tableChanges), ...Object.keys(columnChanges)] as InstanceChange[]),
            ),
            index,
            index,
          ),
          { minLength: 1, maxLength: 4 },
        ),
        areRulesUnread: fc.boolean(),
        hasLock: fc.boolean(),
        isPruned: fc.boolean(),
        winner: fc.constantFrom('ours', 'theirs', undefined),
      }),
      ({ ours, theirs, areRulesUnread, hasLock, isPruned, winner }) => {
        const instance = new Instance();
        const project = new PulledProject();
        project.pull(instance.documents);
        ours.forEach(([name, table, column]) => projectChanges[name](project, table, column));
        theirs.forEach(([name, table, column]) => changeInstance(instance, name, table, column));
        project.lock = hasLock ? project.lock : emptyLock;
        const options = {
          isUnknownOnInstance: ({ kind }: { readonly kind: string }) => areRulesUnread && kind === 'rules',
          prunedKinds: new Set(isPruned ? (['rules', 'table'] as const) : []),
          getWinner: () => winner,
        };
        const before = readColumns(project);
        project.pull(instance.documents, options);
        const after = readColumns(project);
        expect(findUnprotected(before, after, { instance, areRulesUnread })).toEqual([]);
        const { lockText } = project;
        const again = project.pull(instance.documents, options);
        expect([again.writes, again.deletions]).toEqual([[], []]);
        expect(project.lockText).toBe(lockText);
      },
    ),
    { numRuns: 200 },
  );
});
