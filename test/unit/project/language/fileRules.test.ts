import { describe, expect, test } from 'vitest';
import { paths } from '../../../support/projectFiles.ts';
import { createEngine } from './languageSupport.ts';

const subject = { datamodel: 'Retail' };

describe('the rules of a datamodel', () => {
  test('are those of all its files, with members as text and the place of each', async () => {
    const { engine, getText, write } = await createEngine();
    write(paths.rules, getText(paths.rules).replace('"Open"', '12345678901234567890'));
    await engine.update([paths.rules]);
    const { rules, ruleLocations, unreadablePaths } = engine.getRules({ subject, since: undefined });
    expect(unreadablePaths).toBeUndefined();
    expect(rules).toMatchObject([
      { table: 'Orders', column: 'Status', members: ['12345678901234567890'] },
      { allMembers: true, shares: [{ type: 'default' }] },
    ]);
    expect(ruleLocations).toEqual([
      { path: paths.rules, index: 0 },
      { path: paths.rules, index: 1 },
    ]);
    expect(engine.locateRule({ path: paths.rules, index: 1 })?.span.start).toEqual({
      line: 16,
      character: 2,
    });
    expect(engine.locateRule({ path: 'datamodels/Retail/rules/Gone.rules.json', index: 0 })).toBeUndefined();
    expect(engine.getRules({ subject: { cubeSet: 'All' }, since: undefined }).rules).toEqual([]);
  });

  test('are returned again only if they have changed', async () => {
    const { engine, getText } = await createEngine();
    const { version } = engine.getRules({ subject, since: undefined });
    engine.setUnsaved([{ path: paths.label, text: 'LOWER([Status])' }]);
    expect(engine.getRules({ subject, since: version }).rules).toBeUndefined();
    engine.setUnsaved([{ path: paths.rules, text: getText(paths.rules).replace('"Open"', '"Done"') }]);
    const changed = engine.getRules({ subject, since: version });
    expect(changed.rules?.[0]).toMatchObject({ members: ['Done'] });
    expect(changed.version).not.toBe(version);
  });

  test('are incomplete if a file cannot be read, or if two have rules on the same column', async () => {
    const { engine, getText, write } = await createEngine();
    const before = engine.getRules({ subject, since: undefined });
    engine.setUnsaved([{ path: paths.rules, text: '[' }]);
    expect(engine.getRules({ subject, since: before.version })).toMatchObject({
      unreadablePaths: [paths.rules],
      rules: [],
    });
    engine.setUnsaved([{ path: paths.rules }]);
    const copy = 'datamodels/Retail/rules/Copy.rules.json';
    write(copy, getText(paths.rules));
    await engine.update([copy]);
    expect(engine.getRules({ subject, since: before.version })).toMatchObject({
      unreadablePaths: [copy, paths.rules],
      rules: [],
    });
    expect(
      engine.getRules({ subject: { cubeSet: 'All' }, since: undefined }).unreadablePaths,
    ).toBeUndefined();
  });
});

test('the parties that files refer to by number are read from the lock file of an environment, and there are none if that cannot be read', async () => {
  const { engine, write } = await createEngine();
  expect(await engine.getNumberedReferences('prod')).toEqual([]);
  const numberedReferences = [{ number: 3, type: 'group', id: '5f0000000000000000000001' }];
  write('environments/prod.lock.json', JSON.stringify({ version: 1, items: {}, bound: numberedReferences }));
  expect(await engine.getNumberedReferences('prod')).toEqual(numberedReferences);
  write('environments/prod.lock.json', '{');
  expect(await engine.getNumberedReferences('prod')).toEqual([]);
});
