import { describe, expect, test } from 'vitest';
import { auditRuleCount, auditTables } from '../../../src/security/audit/auditTables.ts';
import { auditRules } from '../../../src/security/audit/auditRules.ts';
import type { AuditFinding } from '../../../src/security/audit/auditFinding.ts';
import { type AuditedSubject, groupFindings } from '../../../src/security/audit/groupFindings.ts';
import { everything, nothing, only, rule } from './rules.ts';

const createTable = (name: string) => ({ name, columns: [{ name: 'Id' }] });
const createRelation = (...tables: readonly string[]) => ({
  columns: tables.map((table) => ({ table, column: 'Id' })),
});
const catalog = {
  complete: true,
  tables: ['Orders', 'Regions', 'Parts', 'Alone', 'Bins', 'Stores'].map(createTable),
  relations: [createRelation('Orders', 'Regions', 'Stores'), createRelation('Parts', 'Bins')],
};
const storesRule = rule({ ...everything, column: 'Stores.Id' }, 'group:g');

describe('tables that no rule reaches', () => {
  const getTables = (...args: Parameters<typeof auditTables>) =>
    auditTables(...args).map(({ args: [table, linkedCount] }) => `${table} ${linkedCount}`);

  test('are those that no relation links to a column with rules, linked ones together', () => {
    expect(getTables([storesRule], catalog)).toEqual(['Parts 1', 'Bins 1', 'Alone 0']);
  });

  test('are not reached by a rule on a column that does not exist', () => {
    expect(getTables([rule({ ...nothing, column: 'Alone.Gone' }, 'group:g')], catalog)).toHaveLength(6);
  });

  test('are not named while tables or relations may be missing', () => {
    expect(getTables([storesRule], { ...catalog, complete: false })).toEqual([]);
  });

  test('a subject without rules has one finding', () => {
    expect(auditRuleCount([], false).map(({ code }) => code)).toEqual(['no-rules']);
    expect(auditRuleCount([storesRule], false)).toEqual([]);
  });

  test('a cube set without rules is not confirmed', () => {
    expect(auditRuleCount([], true).map(({ code, severity }) => [code, severity])).toEqual([
      ['cube-set-unconfirmed', 'warning'],
    ]);
    expect(auditRuleCount([storesRule], true)).toEqual([]);
  });
});

const createSubject = (
  key: string,
  rules: readonly unknown[],
  findings: readonly AuditFinding[] = auditRules(rules, catalog),
): AuditedSubject => ({ key, rules, findings });
const listCauses = (...subjects: readonly AuditedSubject[]) =>
  groupFindings(subjects).map(
    ({ code, subject, topic, places }) =>
      `${[code, subject?.key ?? 'instance', ...topic].join(' ')}: ${places.map(({ name }) => name).join('; ')}`,
  );

const createViewpointFinding = (name: string, group: string): AuditFinding => ({
  code: 'viewpoint-sees-nothing',
  severity: 'warning',
  args: [name, group, 'Orders'],
  viewpointId: name,
});

describe('findings by cause', () => {
  test('viewpoints of one group are one cause', () => {
    const findings = ['A', 'B', 'C'].map((name) => createViewpointFinding(name, 'Sales'));
    expect(
      listCauses(createSubject('Retail', [], [...findings, createViewpointFinding('A', 'Finance')])),
    ).toEqual([
      'viewpoint-sees-nothing Retail Sales: A: group Sales; B: group Sales; C: group Sales',
      'viewpoint-sees-nothing Retail Finance: A: group Finance',
    ]);
  });

  test('a cause in several datamodels has a key for each of them, and a cause in the whole instance has one key', () => {
    const rules = [rule({ ...only('A'), column: 'Stores.Gone' }, 'user:gone')];
    const causes = groupFindings([createSubject('Retail', rules), createSubject('Online', rules)]);
    expect(causes.filter(({ code }) => code === 'unknown-column')).toHaveLength(2);
    expect(new Set(causes.map(({ key }) => key)).size).toBe(causes.length);
  });

  test('causes with more places come first', () => {
    const findings = ['g1', 'g2', 'g2', 'g3', 'g3', 'g3', 'g4'].map((group, index) =>
      createViewpointFinding(`V${index}`, group),
    );
    const topics = groupFindings([createSubject('Retail', [], findings)]).map(({ topic }) => topic.join());
    expect(topics).toEqual(['g3', 'g2', 'g1', 'g4']);
  });

  test('rules on one missing column are one cause, errors first', () => {
    const column = 'Stores.Regionn';
    const rules = [rule({ ...only('A'), column }, 'user:anna'), rule({ ...nothing, column }, 'default')];
    const other = rule({ ...only('A'), column: 'Stores.Id' }, 'user:a', 'user:b', 'user:c', 'user:d');
    const moreRules = ['Parts.Id', 'Bins.Id'].map((name) => rule({ ...only('A'), column: name }, 'user:a'));
    expect(listCauses(createSubject('Retail', [other, ...moreRules, ...rules]))).toEqual([
      'unknown-column Retail Stores Regionn: Stores.Regionn: user anna; Stores.Regionn: default',
      'no-default-rule Retail: Stores.Id; Parts.Id; Bins.Id',
    ]);
    const unclearRule = { ...other, members: [] };
    expect(listCauses(createSubject('Retail', [unclearRule]))).toContain(
      'ambiguous-empty Retail: Stores.Id: user a, user b, user c, +1',
    );
  });

  test('a user who is gone is one cause in all datamodels, as are datamodels without rules', () => {
    const ruleWithPartyName = {
      ...rule(only('A')),
      shares: [{ type: 'user', partyId: 'a', partyName: 'Anna' }],
    };
    const rulesWithGoneUser = [ruleWithPartyName, rule(only('A'), 'user:gone'), rule(nothing, 'default')];
    expect(
      listCauses(
        createSubject('Retail', rulesWithGoneUser),
        createSubject('Online', rulesWithGoneUser),
        createSubject('Empty', [], auditRuleCount([], false)),
        createSubject('set/Europa', [], auditRuleCount([], true)),
      ).filter((text) => text.includes('instance')),
    ).toEqual([
      'party-unknown instance user gone: Stores.Region: user gone; Stores.Region: user gone',
      'cube-set-unconfirmed instance: all tables',
      'no-rules instance: all tables',
    ]);
  });

  test('more than twenty causes of one kind become one cause', () => {
    const createFindings = (count: number) =>
      Array.from({ length: count }, (_, index) => createViewpointFinding('A', `g${index}`));
    expect(listCauses(createSubject('Retail', [], createFindings(20)))).toHaveLength(20);
    expect(listCauses(createSubject('Retail', [], createFindings(21)))).toEqual([
      expect.stringMatching(/^viewpoint-sees-nothing Retail: A: group g0; .*A: group g20$/),
    ]);
  });

  test('several findings in one rule are one place', () => {
    const finding: AuditFinding = {
      code: 'member-not-string',
      severity: 'error',
      args: [],
      index: 0,
    };
    const rules = [rule(only('A'), 'user:anna')];
    expect(
      listCauses(createSubject('Retail', rules, [finding, { ...finding, path: ['members', 1] }])),
    ).toEqual(['member-not-string Retail: Stores.Region: user anna']);
  });
});
