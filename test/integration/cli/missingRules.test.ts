import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { getObjects, getText } from '../../../src/changes/model/jsonMembers.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const retail = 'datamodels/Retail';
const tablePath = `${retail}/tables/Employees.table.json`;
const relationPath = `${retail}/relations/Employees.Employee Id - Orders.Employee Id.relation.json`;
const rulesPath = `${retail}/rules/Employees.Job Title.rules.json`;
const laterPath = `${retail}/tables/Stores.table.json`;
const subject = { server: 'LocalHost', elasticube: 'Retail' };
const cubeSet = { server: 'set', elasticube: 'Regional Sales' };
const later = 'The later write';

describe.each(['guide', 'contract'] as const)(
  'rules that others delete while they restrict nothing, on an instance of the profile %s',
  (profile) => {
    const fixture = new ProjectFixture({ profile });
    const project = () => ['--project', fixture.project] as const;

    const replace = async (path: string, ...replacements: readonly (readonly [string, string])[]) => {
      const text = await fixture.read(path);
      await fixture.write(
        path,
        replacements.reduce((current, [from, to]) => current.replaceAll(from, to), text),
      );
    };

    /** Renames a table and a column with rules. */
    async function renameInFiles(): Promise<void> {
      const names = [
        ['"table": "Employees"', '"table": "Staff"'],
        ['"column": "Job Title"', '"column": "Role"'],
      ] as const;
      await replace(
        tablePath,
        ['"name": "Employees"', '"name": "Staff", "renamedFrom": "Employees"'],
        ['"name": "Job Title"', '"name": "Role", "renamedFrom": "Job Title"'],
      );
      await replace(relationPath, ...names);
      await replace(rulesPath, ...names);
    }

    /** Adds a column with a rule to the files. */
    async function addColumn(members: JsonObject = {}): Promise<void> {
      const { columns } = await fixture.readJson(tablePath);
      await fixture.changeJson(tablePath, {
        columns: [...getObjects(columns), { name: 'Level', id: 'job_title', type: 18, ...members }],
      });
      await fixture.write(`${retail}/rules/Employees.Level.rules.json`, [createRule('Employees', 'Level')]);
    }

    const createRule = (table: string, column: string): JsonObject => ({
      table,
      column,
      datatype: 'text',
      members: [],
      allMembers: false,
      shares: [{ type: 'default' }],
    });

    const listRules = (table: string, column: string, owner = subject) =>
      fixture.runAsOtherUser(async ({ extractRules }) =>
        getObjects((await extractRules.list(owner)).json).filter(
          (rule) => rule['table'] === table && rule['column'] === column,
        ),
      );

    async function deleteRules(table: string, column: string, owner = subject): Promise<void> {
      const rules = await listRules(table, column, owner);
      expect(rules.length).toBeGreaterThan(0);
      await fixture.runAsOtherUser(async ({ extractRules }) => {
        for (const rule of rules) {
          await extractRules.delete({ ruleId: getText(rule['_id']) });
        }
      });
    }

    /** Runs an apply whose first request with a text is refused; returns the ID of the journal. */
    async function stopAt(text: string, ...args: readonly string[]): Promise<string> {
      fixture.proxy.intercept((request) =>
        isWrite(request) && request.method === 'PATCH' && request.body.includes(text) ? 403 : 'forward',
      );
      const { stderr } = await fixture.expectExit(1, 'apply', '--execute', ...args);
      fixture.proxy.intercept();
      return /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
    }

    const readTable = async (name: string) =>
      (await fixture.readInstance()).get(`${retail}/tables/${name}.table.json`);

    test('are restored by a rollback before it restores the former name', async () => {
      await renameInFiles();
      await fixture.changeJson(laterPath, { description: later });
      const before = await listRules('Employees', 'Job Title');
      const journal = await stopAt(later);
      await deleteRules('Employees', 'Job Title');
      await fixture.expectExit(0, 'roll-back', journal, '--execute', ...project());
      expect(await readTable('Employees')).toContain('"Job Title"');
      const getMembers = (rules: readonly JsonObject[]) =>
        rules.map(({ members }) => JSON.stringify(members)).toSorted();
      expect(getMembers(await listRules('Employees', 'Job Title'))).toEqual(getMembers(before));
      expect(await listRules('Staff', 'Role')).toEqual([]);
    });

    /** Renames a column without rules, of a table with rules. */
    const renameOtherColumn = () =>
      replace(tablePath, ['"name": "Hired On"', '"name": "Hiring Date", "renamedFrom": "Hired On"']);

    test('need not be readable for a rollback that restores another name', async () => {
      await renameOtherColumn();
      await fixture.changeJson(laterPath, { description: later });
      const journal = await stopAt(later);
      fixture.proxy.intercept((request) =>
        !isWrite(request) && request.path.includes('/Retail/datasecurity') ? 403 : 'forward',
      );
      await fixture.expectExit(0, 'roll-back', journal, '--execute', ...project());
      fixture.proxy.intercept();
      expect(await readTable('Employees')).not.toContain('"Hiring Date"');
    });

    test('prevent a rollback from restoring the former name if they belong to a cube set, whose rules are not restored', async () => {
      const settings = await fixture.readJson('datamodel-studio.json');
      const manage = { ...Object(settings['manage']), cubeSets: [cubeSet.elasticube] };
      await fixture.write('datamodel-studio.json', { ...settings, manage });
      const [first, second] = ['Hired On', 'Salary'].map((column) => createRule('Employees', column));
      await fixture.runAsOtherUser(({ extractRules }) =>
        extractRules.create(cubeSet, [first ?? {}, second ?? {}]),
      );
      await fixture.expectExit(0, 'pull', ...project());
      await renameOtherColumn();
      await fixture.changeJson(laterPath, { description: later });
      const journal = await stopAt(later, '--ignore-errors', 'rules/unknown-column');
      await deleteRules('Employees', 'Hired On', cubeSet);
      fixture.proxy.takeRequests();
      const { stderr } = await fixture.expectExit(4, 'roll-back', journal, '--execute', ...project());
      expect(stderr).toContain('Employees › Hired On');
      expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
      expect(await readTable('Employees')).toContain('"Hiring Date"');
      await fixture.runAsOtherUser(({ extractRules }) => extractRules.create(cubeSet, [first ?? {}]));
      await fixture.expectExit(0, 'roll-back', journal, '--execute', ...project());
      expect(await readTable('Employees')).not.toContain('"Hiring Date"');
    });

    test('prevent resume from creating a column, even if the apply has still found them', async () => {
      await addColumn();
      await fixture.runAsOtherUser(({ extractRules }) =>
        extractRules.create(subject, [createRule('Employees', 'Level')]),
      );
      const journal = await stopAt('"Level"');
      await deleteRules('Employees', 'Level');
      fixture.proxy.takeRequests();
      const { stderr } = await fixture.expectExit(4, 'resume', journal, '--execute', ...project());
      expect(stderr).toContain('data security rules on Retail › Employees › Level. Without them, ');
      expect(stderr).toContain("The change can't be finished before you have restored these rules.");
      // Once the rules are restored, resume succeeds.
      expect(stderr).toContain(`Finish:    datamodel-studio resume ${journal} --execute`);
      expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
      expect(await readTable('Employees')).not.toContain('"Level"');
    });

    test('keep resume from showing a column that the apply has created', async () => {
      await addColumn();
      await fixture.changeJson(laterPath, { description: later });
      const journal = await stopAt(later);
      await deleteRules('Employees', 'Level');
      fixture.proxy.takeRequests();
      const { stderr } = await fixture.expectExit(4, 'resume', journal, '--execute', ...project());
      expect(stderr).toContain('Retail › Employees › Level');
      expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
      const { columns = null } = Object(JSON.parse((await readTable('Employees')) ?? ''));
      expect(getObjects(columns).find(({ name }) => name === 'Level')).toMatchObject({ hidden: true });
    });

    test('make the result of a finished change differ from the project, although the change did not write them', async () => {
      await addColumn({ hidden: true });
      await fixture.runAsOtherUser(({ extractRules }) =>
        extractRules.create(subject, [createRule('Employees', 'Level')]),
      );
      await fixture.changeJson(laterPath, { description: later });
      const journal = await stopAt(later);
      expect(await readTable('Employees')).toContain('"Level"');
      await deleteRules('Employees', 'Level');
      const { stderr } = await fixture.expectExit(1, 'resume', journal, '--execute', ...project());
      expect(stderr).toContain('others have since changed these items: rules/Retail/Employees/Level.');
      expect(stderr).not.toContain("in ways that the change didn't include");
    });

    test('prevent an apply from creating a column after it has waited for a busy server', async () => {
      await addColumn();
      let deleted: Promise<void> | undefined;
      fixture.proxy.intercept((request) => {
        if (request.method === 'PATCH' && deleted === undefined) {
          deleted = deleteRules('Employees', 'Level');
          return 429;
        }
        return 'forward';
      });
      const { stderr } = await fixture.expectExit(1, 'apply', '--execute');
      await deleted;
      fixture.proxy.intercept();
      expect(stderr).toContain('Employees › Level');
      expect(await readTable('Employees')).not.toContain('"Level"');
    });

    test.each([
      ['written', false],
      ['found', true],
    ])(
      'make the result of an apply differ from the project if they are deleted after it has created the column: %s',
      async (_how, isFound) => {
        await addColumn({ hidden: true });
        if (isFound) {
          await fixture.runAsOtherUser(({ extractRules }) =>
            extractRules.create(subject, [createRule('Employees', 'Level')]),
          );
        }
        await fixture.changeJson(laterPath, { description: later });
        let deleted: Promise<void> | undefined;
        fixture.proxy.intercept((request) => {
          if (request.method === 'PATCH' && request.body.includes(later) && deleted === undefined) {
            deleted = deleteRules('Employees', 'Level');
            return 429;
          }
          return 'forward';
        });
        const { stderr } = await fixture.expectExit(1, 'apply', '--execute');
        await deleted;
        fixture.proxy.intercept();
        expect(await readTable('Employees')).toContain('"Level"');
        expect(stderr).toContain('rules/Retail/Employees/Level');
      },
    );

    test('prevent an apply from deleting the rules on the old name, and its message says what is visible', async () => {
      await renameInFiles();
      await fixture.changeJson(laterPath, { description: later });
      const journal = await stopAt(later);
      await deleteRules('Staff', 'Role');
      const old = await listRules('Employees', 'Job Title');
      const { stderr } = await fixture.expectExit(4, 'resume', journal, '--execute', ...project());
      expect(stderr).toContain(
        'Someone else has changed or deleted data security rules, and values that they hide might be visible now: Retail › Staff › Role. Restore these rules.',
      );
      expect(await listRules('Employees', 'Job Title')).toEqual(old);
    });
  },
);
