import assert from 'node:assert/strict';
import type { Rule } from '../../../src/contract/rule.ts';
import { fetchRetailRules } from '../../editor/support/demo.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { textEditorSettings } from '../../editor/support/viewpointDocument.ts';
import { applyPlan, getSectionTexts, openPlan } from '../support/plans.ts';
import { backUpRules, readColumnRules, retailRulesPath } from '../support/rules.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;
const security = [...retail, 'Data Security'] as const;
const masterData = [...retail, 'Master Data'] as const;
const category = 'Categories.Category';

const readCategoryRules = (sandbox: JourneySandbox): Promise<readonly string[]> =>
  readColumnRules(sandbox, retailRulesPath, category);

describeStudio(
  'new rules',
  async (owned) => {
    const sandbox = owned.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: textEditorSettings } };
  },
  (test) => {
    test('a rule is added step by step, and its document opens', async ({ studio, sandbox }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.contextMenu(security, 'New Rule…');
      await studio.quickInput.title('New Rule in Retail');
      await studio.quickPick(category);
      await studio.quickInput.title(`New Rule on ${category}`);
      await studio.quickPick('Group');
      await studio.quickPick('Sales');
      await studio.quickPick('Only certain values…');
      await studio.quickInput.message('Values they can see, separated by ;');
      await studio.quickInput.fill(' ; ');
      assert.deepEqual(await studio.quickInput.labels(), [], 'there is no value yet');
      await studio.quickInput.fill('Bikes, Helmets');
      await studio.quickInput.shows('To enter 2 values, separate them with semicolons.');
      const values = 'Bikes, Helmets; "Tents; Poles"; Bikes, Helmets';
      await studio.quickInput.pickTyped(values, values);
      await studio.quickInput.message(
        `${category} has no rule for everyone else. Select the values they can see`,
      );
      await studio.quickPick('No values');
      // Nothing is sent before the plan shows the values.
      const { page, plan } = await openPlan(studio, `Create ${category}`);
      assert.deepEqual(getSectionTexts(plan, 'Will be created'), [category, category]);
      assert.match(JSON.stringify(plan.view), /only \\"Bikes, Helmets\\", \\"Tents; Poles\\"/);
      assert.deepEqual(await readCategoryRules(sandbox), []);
      page.post({ type: 'apply' });
      await studio.openedEditor(/\.rule\.json$/);
      await studio.treeItem([...security, category, 'Sales']);
      assert.deepEqual(await readCategoryRules(sandbox), [
        'Sales: Bikes, Helmets; Tents; Poles',
        'default: Nothing',
      ]);
      const rules = await fetchRetailRules(sandbox);
      assert.equal(rules.find(({ column }) => column === 'Category')?.allMembers, null);

      // The command is run on the node of a column, so the column is not asked for.
      await studio.contextMenu([...security, category], 'New Rule…');
      await studio.quickPick('User');
      await studio.quickPick('liam.doyle@sandbox.local');
      await studio.quickPick('All except certain values…');
      await studio.quickInput.message("Values they can't see, separated by ;");
      // The values of the other rule are offered, and one in other letters is warned of.
      await studio.quickInput.shows('Tents; Poles');
      await studio.quickInput.fill('bikes, helmets');
      await studio.quickInput.shows(
        '"bikes, helmets" is spelled "Bikes, Helmets" in other rules on this column.',
      );
      await studio.quickPick('Bikes, Helmets');
      assert.equal(studio.quickInput.current?.value(), 'Bikes, Helmets');
      assert.deepEqual(await studio.quickInput.labels(), ['Bikes, Helmets', 'Tents; Poles']);
      await studio.quickInput.pickTyped('Tents', 'Tents');
      // The column has a rule for everyone else now.
      await applyPlan(studio, `Create ${category}`);
      await studio.treeItem([...security, category, 'liam.doyle@sandbox.local']);
      assert.deepEqual(await readCategoryRules(sandbox), [
        'Sales: Bikes, Helmets; Tents; Poles',
        'default: Nothing',
        'liam.doyle@sandbox.local: All but Tents',
      ]);
    });

    test('a new rule for everyone else grants everything or nothing, but no list of values', async ({
      studio,
      sandbox,
    }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.contextMenu([...masterData, 'Categories', 'Category'], 'New', 'Rule…');
      await studio.quickInput.title(`New Rule on ${category}`);
      await studio.quickPick('Everyone else');
      await studio.quickInput.shows('No values');
      assert.deepEqual(await studio.quickInput.labels(), ['All values', 'No values']);
      await studio.quickInput.back();
      await studio.quickPick('Everyone else');
      await studio.quickPick('All values');
      await applyPlan(studio);
      await studio.treeItem([...security, category, 'Everyone else']);
      assert.deepEqual(await readCategoryRules(sandbox), ['default: All']);
    });

    test('a column that cannot carry a rule gives the reason', async ({ studio }) => {
      await studio.contextMenu([...masterData, 'Stores', 'Opened On'], 'New', 'Rule…');
      await studio.notification(
        "Can't add a rule to Stores.Opened On. Only text and numeric columns can have rules.",
      );
      assert.equal(studio.quickInput.current, undefined);
    });

    test('a name that nobody has is refused, and the nearest one is offered', async ({ studio, sandbox }) => {
      await using _rules = await backUpRules(sandbox);
      for (const [grant, answer] of [
        ['No values', undefined],
        ['All values', 'Use Sales'],
      ] as const) {
        await studio.contextMenu([...masterData, 'Categories', 'Category'], 'New', 'Rule…');
        await studio.quickPick('Group');
        await studio.quickInput.pickTyped('Salez', 'Group "Salez"');
        await studio.quickPick(grant);
        await studio.quickPick('No rule');
        const message = await studio.notification('Group not found: Salez. Did you mean Sales?');
        assert.deepEqual(await readCategoryRules(sandbox), []);
        message.answer(answer);
      }
      await applyPlan(studio);
      await studio.treeItem([...security, category, 'Sales']);
      assert.deepEqual(await readCategoryRules(sandbox), ['Sales: All']);
    });

    test('a rule is copied for another user, and the copy is deleted', async ({ studio, sandbox }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.contextMenu('Sandbox', 'Refresh');
      const column = [...security, 'Orders.Status'] as const;
      const ines = 'ines.moreau@sandbox.local';
      const before = await readColumnRules(sandbox, retailRulesPath, 'Orders.Status');
      await studio.contextMenu([...column, 'liam.doyle@sandbox.local'], 'Duplicate…');
      await studio.quickPick('User');
      // Users of the instance are offered by name, and a typed name is resolved to an ID.
      await studio.quickInput.shows('liam.doyle@sandbox.local');
      await studio.quickInput.fill(ines);
      assert.ok(!(await studio.quickInput.labels()).includes(`User "${ines}"`), 'it is a known one');
      await studio.quickPick(ines);
      await studio.treeItem([...column, ines]);
      assert.deepEqual(
        await readColumnRules(sandbox, retailRulesPath, 'Orders.Status'),
        [...before, `${ines}: Nothing`].toSorted(),
      );
      await studio.contextMenu([...column, ines], 'Delete…');
      await applyPlan(studio);
      await studio.statusBar(/Done: Delete /);
      await studio.treeItemGone([...column, ines]);
      assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Orders.Status'), before);
    });

    test('a rule that the server no longer has is not copied', async ({ studio, sandbox }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.contextMenu('Sandbox', 'Refresh');
      const row = await studio.treeItem([...security, 'Orders.Channel', 'Support']);
      const rules = await fetchRetailRules(sandbox);
      const lost = rules.find(
        ({ column, shares }) =>
          column === 'Channel' && shares?.some(({ partyName }) => partyName === 'Support'),
      );
      await sandbox.request('DELETE', `/api/elasticubes/datasecurity/${lost?._id}`);
      studio.tree.chooseFromMenu(row, 'Duplicate…');
      await studio.quickPick('Group');
      await studio.quickPick('Finance');
      await studio.notification('This rule no longer exists on the server.');
      assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Orders.Channel'), ['default: All']);
    });

    test('all rules of a column are deleted at once', async ({ studio, sandbox }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.contextMenu('Sandbox', 'Refresh');
      await studio.contextMenu([...security, 'Orders.Status'], 'Delete…');
      await applyPlan(studio);
      await studio.treeItemGone([...security, 'Orders.Status']);
      assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Orders.Status'), []);
    });

    test('a rule of a live datamodel is added', async ({ studio, sandbox }) => {
      const live = ['Sandbox', 'Datamodels', 'Support Desk', 'Data Security'] as const;
      await studio.contextMenu(live, 'New Rule…');
      await studio.quickInput.title('New Rule in Support Desk');
      const [column = ''] = await studio.quickInput.labels();
      await studio.quickPick(column);
      await studio.quickPick('Group');
      await studio.quickPick('Executives');
      await studio.quickPick('No values');
      await studio.quickPick('All values');
      await applyPlan(studio);
      await studio.treeItem([...live, column, 'Executives']);
      const rules = (await sandbox.request(
        'GET',
        '/api/v1/elasticubes/live/Support%20Desk/datasecurity',
      )) as readonly Rule[];
      assert.ok(
        rules.some(
          (rule) =>
            `${rule.table}.${rule.column}` === column &&
            rule.shares?.some(({ partyName }) => partyName === 'Executives'),
        ),
      );
    });

    test('the column of a rule on a cube set is typed, since no datamodel lists it', async ({
      studio,
      sandbox,
    }) => {
      await studio.contextMenu(['Sandbox', 'Cube Sets'], 'Add Cube Set…');
      await studio.inputBox('Europe');
      await studio.inputBox('set');
      await studio.contextMenu(['Sandbox', 'Cube Sets', 'Europe'], 'New Rule…');
      await studio.quickInput.title('New Rule in Europe');
      await studio.inputBox(' ');
      await studio.quickInput.message('Enter a name.');
      await studio.inputBox('Customers');
      await studio.inputBox('Country');
      await studio.quickPick('Text');
      await studio.quickPick('Group');
      await studio.quickPick('Finance');
      await studio.quickPick('Only certain values…');
      await studio.quickInput.pickTyped('France', 'France');
      await studio.quickPick('No rule');
      await applyPlan(studio);
      await studio.treeItem(['Cube Sets', 'Europe', 'Customers.Country', 'Finance']);
      assert.deepEqual(
        await readColumnRules(sandbox, '/api/elasticubes/set/Europe/datasecurity', 'Customers.Country'),
        ['Finance: France'],
      );
    });
  },
);
